import { useQuery } from '@tanstack/react-query';
import { Award } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { accountQueries } from '../queries';

/** 'OG Member' for a signed-in person with the badge, nothing for others (HEAD-09, C-58). On phones only the icon. */
export function OgBadge({ className }: { className?: string }) {
  const { userId } = useSession();
  const { data: profile } = useQuery({ ...accountQueries.profile(userId ?? ''), enabled: userId !== null });
  if (!profile?.og_badge) return null;
  return (
    <Badge tone="points" title="OG Member" className={cn('whitespace-nowrap max-sm:px-1', className)}>
      <Award aria-hidden="true" />
      <span className="max-sm:sr-only">OG Member</span>
    </Badge>
  );
}
