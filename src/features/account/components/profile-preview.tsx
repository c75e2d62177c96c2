import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { formatDate } from '@/lib/format';
import type { Role } from '@/lib/role';
import type { ProfileInput } from '../mutations';
import type { Profile } from '../queries';
import { roleWords } from '../role-words';
import { OgBadge } from './og-badge';

type ProfilePreviewProps = { values: ProfileInput; profile: Profile | null; imageUrl: string | null; role: Role };

/** How the profile looks, following what is being typed. */
export function ProfilePreview({ values, profile, imageUrl, role }: ProfilePreviewProps) {
  const name = values.displayName || values.username || 'You';
  return (
    <Card as="section" aria-label="Preview" className="grid justify-items-center gap-3 text-center">
      <Avatar name={name} src={profile?.avatar_url ?? imageUrl} className="size-20 text-2xl" />
      <div className="min-w-0 max-w-full">
        <p className="truncate font-bold font-display text-xl">{name}</p>
        {values.username && <p className="truncate text-muted">@{values.username}</p>}
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        <Badge>{roleWords[role]}</Badge>
        <OgBadge />
      </div>
      {profile && <p className="text-muted text-sm">Member since {formatDate(profile.created_at)}</p>}
    </Card>
  );
}
