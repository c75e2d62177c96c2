import type { StatusWord } from '@/components/status-stamp';
import type { Campaign } from './queries';

const words = { draft: 'Draft', published: 'Published', closed: 'Closed' } as const satisfies Record<
  string,
  StatusWord
>;

/** The word on the stamp of a stored status. */
export function statusWord(status: Campaign['status']): StatusWord {
  return words[status];
}
