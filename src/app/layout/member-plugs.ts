/**
 * What features plug into the frame for members. None takes props; each reads the session itself. Imported lazily only:
 * visitors do not pay for it.
 */
export { OgBadge, ProfileSync, roleWords, useSwitchRole } from '@/features/account';
export { PointsChip } from '@/features/wallet';
