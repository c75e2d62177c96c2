export { EditProfileForm } from './components/edit-profile-form';
export { FollowProjectButton } from './components/follow-project-button';
export { OwnProject } from './components/own-project';
export { ProjectLogo } from './components/project-logo';
export { formerName } from './former-name';
export { INDUSTRIES } from './industries';
export { projectErrors, useDeleteProject, useTestEndpoint } from './mutations';
export { type OwnedProject, type Project, projectQueries } from './queries';
export { displayUrl, isWebAddress } from './website';
