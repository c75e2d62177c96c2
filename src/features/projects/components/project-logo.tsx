import { Avatar } from '@/components/ui/avatar';
import { getEnv } from '@/lib/env';

/**
 * URL from which a logo is loaded: the site itself, our bucket, or a picture that was just chosen. Null for an external
 * URL, which would reveal viewers to a third party; the server imports it and stores a copy (C-101).
 */
export function shownLogo(logoUrl: string | null | undefined): string | null {
  const inBucket = /\/storage\/v1\/object\/public\/project-logos\/.+$/.exec(logoUrl ?? '');
  if (inBucket) return getEnv().VITE_SUPABASE_URL + inBucket[0];
  return logoUrl && /^(\/(?!\/)|blob:)/.test(logoUrl) ? logoUrl : null;
}

type ProjectLogoProps = { name: string; logoUrl: string | null | undefined; className?: string };

/** A project's logo, or its initials while it loads and without one. Decorative: the name is next to it. */
export function ProjectLogo({ name, logoUrl, className = 'size-12' }: ProjectLogoProps) {
  return <Avatar name={name} src={shownLogo(logoUrl)} shape="square" className={className} />;
}
