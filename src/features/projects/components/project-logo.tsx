import { Avatar } from '@/components/ui/avatar';
import { shownLogo } from '../logo-image';

type ProjectLogoProps = { name: string; logoUrl: string | null | undefined; className?: string };

/** A project's logo, or its initials while it loads and without one. Decorative: the name is next to it. */
export function ProjectLogo({ name, logoUrl, className = 'size-12' }: ProjectLogoProps) {
  return <Avatar name={name} src={shownLogo(logoUrl)} shape="square" className={className} />;
}
