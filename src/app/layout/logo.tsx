import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';

/** The name on a pinned note, with its BETA tag (HEAD-01). */
export function Logo() {
  return (
    <Link to={paths.home} className="inline-flex min-h-11 shrink-0 items-center gap-2">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-7 max-[24rem]:hidden sm:size-8">
        <rect x="3" y="5" width="26" height="24" rx="5" className="fill-action" />
        <rect x="8" y="11" width="16" height="13" rx="2" className="fill-card" />
        <path
          d="m12 17.5 3 3 5.5-6"
          fill="none"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-action"
        />
        <circle cx="16" cy="6" r="4" strokeWidth="1.5" className="fill-points stroke-paper" />
      </svg>
      <span className="font-bold font-display text-lg tracking-tight sm:text-xl">Questboard</span>
      <span className="-rotate-3 rounded border-2 border-points px-1 font-bold font-display text-[0.6875rem] leading-4">
        BETA
      </span>
    </Link>
  );
}
