export { FollowProjectButton } from './components/follow-project-button';
export { OwnProject } from './components/own-project';
export { EditProfileForm } from './components/profile-form';
export { ProjectCard } from './components/project-card';
export { ProjectLogo } from './components/project-logo';
export { projectErrors, useDeleteProject, useFollowProject, useTestEndpoint } from './mutations';
export { formerName, INDUSTRIES, projectStatusLabels } from './project';
export {
  type FollowedProject,
  type ListedProject,
  type OwnedProject,
  type Project,
  type ProjectPromises,
  projectQueries,
  type Subscription,
} from './queries';
