import { formatSpan } from '@/lib/format';

/** How long a quest takes by the median of its members, 'about 5 minutes'; null where too few have been measured (BEY-18). */
export const timeNeeded = ({ median_minutes: minutes }: { median_minutes?: number | null }): string | null =>
  minutes ? `about ${formatSpan(minutes * 60)}` : null;
