import type { OwnedProject } from '@/features/projects';
import { BUYER_NOT_VERIFIED } from '@/types/database-errors';

/** Why a project cannot buy points now; null when it can. Not in products.ts, which home loads without any of the server's sentences. */
export function buyingObstacle({ status, suspended_at }: OwnedProject): string | null {
  if (suspended_at) return 'Your account is suspended. You can buy points again once that ends.';
  return status === 'verified' ? null : BUYER_NOT_VERIFIED;
}
