import { cn } from '@/lib/cn';

/** Work of unknown length. With a label it is announced, without one it only decorates what is. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  return (
    <span role={label ? 'status' : undefined} className="inline-flex items-center gap-3">
      <span
        aria-hidden="true"
        className={cn('size-5 animate-spin rounded-full border-2 border-current border-r-transparent', className)}
      />
      {label && <span>{label}</span>}
    </span>
  );
}
