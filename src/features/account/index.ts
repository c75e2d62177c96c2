export { OgBadge } from './components/og-badge';
export { ProfileSync } from './components/profile-sync';
export { type ProfileInput, useSaveInterests, useUpdateProfile } from './mutations';
export { accountQueries, type Profile } from './queries';
export { roleLabels, useSwitchRole } from './roles';
