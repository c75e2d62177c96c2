import { Avatar } from '@/components/ui/avatar';
import { cn } from '@/lib/cn';

type ProjectLogoProps = { name: string; logoUrl: string | null | undefined; className?: string };

/** A project's logo, or its initials while it loads and when it has none. Decorative: the name stands beside it. */
export function ProjectLogo({ name, logoUrl, className }: ProjectLogoProps) {
  return <Avatar name={name} src={logoUrl} shape="square" className={cn('size-12', className)} />;
}
