import { useQuery } from '@tanstack/react-query';
import { Award } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { accountQueries } from '../queries';

type OgBadgeProps = {
  /** In the header, where on phones and beside the links there is room for the icon only. */
  isInHeader?: boolean;
};

/** 'OG Member' for a signed-in person with the badge, nothing for others (HEAD-09, C-58). */
export function OgBadge({ isInHeader = false }: OgBadgeProps) {
  const { userId } = useSession();
  const { data: profile } = useQuery({ ...accountQueries.profile(userId ?? ''), enabled: userId !== null });
  if (!profile?.og_badge) return null;
  return (
    <Badge
      tone="points"
      title="OG Member"
      className={cn('whitespace-nowrap max-sm:px-1', isInHeader && 'shrink-0 lg:px-1')}
    >
      <Award aria-hidden="true" />
      <span className={cn('max-sm:sr-only', isInHeader && 'lg:sr-only')}>OG Member</span>
    </Badge>
  );
}
