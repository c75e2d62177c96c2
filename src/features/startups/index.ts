export { OwnStartup } from './components/own-startup';
export { ProfileForm } from './components/profile-form';
export { StartupLogo } from './components/startup-logo';
export { INDUSTRIES } from './industries';
export { type ProfileSubmission, useUpdateStartup } from './mutations';
export { updateFailure } from './profile-errors';
export { type Startup, startupQueries } from './queries';
export { profileValues } from './schema';
