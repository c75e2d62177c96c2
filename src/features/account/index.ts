export { OgBadge } from './components/og-badge';
export { ProfileSync } from './components/profile-sync';
export { useStartupRole, useSwitchRole } from './mutations';
export {
  applyChoices,
  type ChangedFields,
  type InterestChoices,
  type ProfileInput,
  useSaveInterests,
  useUpdateProfile,
} from './profile-mutations';
export { accountQueries, type Profile, useShownName } from './queries';
export { roleLabels } from './roles';
