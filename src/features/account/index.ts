export { OgBadge } from './components/og-badge';
export { ProfileSync } from './components/profile-sync';
export { accountQueries } from './queries';
export { roleWords } from './role-words';
export { useSwitchRole } from './use-switch-role';
