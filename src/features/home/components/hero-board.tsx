import { CoinMark } from '@/components/points';
import { StatusStamp, type StatusWord } from '@/components/status-stamp';
import { cn } from '@/lib/cn';

type Note = { title: string; points: number; status?: StatusWord; left?: number; className: string };

const notes: Note[] = [
  { title: 'Try the sign-up and tell us where you stopped', points: 50, status: 'Completed', className: '-rotate-2' },
  { title: 'Write an honest review', points: 75, left: 4, className: 'rotate-1 translate-y-6' },
  { title: 'Watch the demo, name three questions', points: 40, left: 12, className: 'rotate-2' },
  { title: 'Share your screenshot', points: 30, status: 'Processing', className: '-rotate-1 translate-y-6' },
];

/** The board as a picture: what quests look like before one has seen any. Decorative. */
export function HeroBoard({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={cn('rounded-card border-8 border-sunken bg-action-soft px-6 pt-8 pb-14 shadow-card', className)}
    >
      <div className="grid grid-cols-2 gap-5">
        {notes.map((note) => (
          <PinnedQuest key={note.title} {...note} />
        ))}
      </div>
    </div>
  );
}

function PinnedQuest({ title, points, status, left, className }: Note) {
  return (
    <div className={cn('relative grid content-between gap-4 rounded-md bg-card p-4 pt-6 shadow-card', className)}>
      <span className="absolute -top-2 left-1/2 size-4 -translate-x-1/2 rounded-full border-2 border-card bg-points shadow-card" />
      <p className="font-bold font-display leading-snug">{title}</p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="inline-flex items-center gap-1.5 font-semibold tabular-nums">
          <CoinMark />
          {points}
        </span>
        {status ? <StatusStamp status={status} /> : <span className="text-muted text-sm">{left} spots left</span>}
      </div>
    </div>
  );
}
