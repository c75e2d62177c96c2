export { EditProfileForm } from './components/edit-profile-form';
export { OwnStartup } from './components/own-project';
export { StartupLogo } from './components/project-logo';
export { deleteFailure, useDeleteStartup } from './mutations';
export { type Startup, startupQueries } from './queries';
export { INDUSTRIES } from './schema';
export { displayUrl } from './website';
