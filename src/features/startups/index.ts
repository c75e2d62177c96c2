export { EditProfileForm } from './components/edit-profile-form';
export { OwnStartup } from './components/own-startup';
export { StartupLogo } from './components/startup-logo';
export { INDUSTRIES } from './industries';
export { type Startup, startupQueries } from './queries';
