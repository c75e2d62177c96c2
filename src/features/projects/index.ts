export { EditProfileForm } from './components/edit-profile-form';
export { OwnProject } from './components/own-project';
export { ProjectLogo } from './components/project-logo';
export { deleteFailure, useDeleteProject } from './mutations';
export { type Project, projectQueries } from './queries';
export { INDUSTRIES } from './schema';
export { displayUrl } from './website';
