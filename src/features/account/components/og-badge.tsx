import { useQuery } from '@tanstack/react-query';
import { Award } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { useSession } from '@/lib/auth';
import { accountQueries } from '../queries';

/** 'OG Member' for the signed-in person whose profile carries the badge, nothing for others (HEAD-09, C-58). */
export function OgBadge({ className }: { className?: string }) {
  const { userId } = useSession();
  const { data: profile } = useQuery({ ...accountQueries.profile(userId ?? ''), enabled: userId !== null });
  if (!profile?.og_badge) return null;
  return (
    <Badge tone="points" className={className}>
      <Award aria-hidden="true" />
      OG Member
    </Badge>
  );
}
