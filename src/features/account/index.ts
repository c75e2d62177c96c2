export { OgBadge } from './components/og-badge';
export { ProfileSync } from './components/profile-sync';
export { type ProfileInput, useSaveInterests, useSwitchRole, useUpdateProfile } from './mutations';
export { accountQueries, type Profile } from './queries';
export { roleLabels } from './roles';
export { useShownName } from './use-shown-name';
export { useStartupRole } from './use-startup-role';
