import type { ReactNode } from 'react';

const radius = 42;
const circumference = 2 * Math.PI * radius;

type ProgressRingProps = { share: number; label: string; valueText: string; children: ReactNode };

/** A share from 0 to 1 as a ring, with what it leads to in the middle. */
export function ProgressRing({ share, label, valueText, children }: ProgressRingProps) {
  const percent = Math.round(Math.min(Math.max(share, 0), 1) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={valueText}
      className="relative grid size-24 shrink-0 sm:size-28 place-items-center"
    >
      <svg aria-hidden="true" viewBox="0 0 100 100" className="absolute inset-0 -rotate-90">
        <circle cx="50" cy="50" r={radius} fill="none" strokeWidth="9" className="stroke-sunken" />
        <circle
          cx="50"
          cy="50"
          r={radius}
          fill="none"
          strokeWidth="9"
          strokeLinecap="round"
          strokeDasharray={circumference}
          strokeDashoffset={circumference * (1 - percent / 100)}
          className="stroke-points transition-[stroke-dashoffset] duration-500"
          visibility={percent === 0 ? 'hidden' : undefined}
        />
      </svg>
      <div className="text-center">{children}</div>
    </div>
  );
}
