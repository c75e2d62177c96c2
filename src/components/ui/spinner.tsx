import { cn } from '@/lib/cn';

/** Shows that something is under way. Announced if it has a label; otherwise decorative, beside text that says so. */
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
