export { OgBadge } from './components/og-badge';
export { ProfileSync } from './components/profile-sync';
export {
  type ChangedFields,
  type ProfileInput,
  useSaveInterests,
  useStartupRole,
  useSwitchRole,
  useUpdateProfile,
} from './mutations';
export { accountQueries, type Profile, useShownName } from './queries';
export { roleLabels } from './roles';
