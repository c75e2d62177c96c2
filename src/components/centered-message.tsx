import type { ReactNode } from 'react';

/** A centered message, for pages that consist of nothing else. */
export function CenteredMessage({ children }: { children: ReactNode }) {
  return (
    <div className="board-grain px-4 py-14 sm:py-20">
      <div className="relative mx-auto grid max-w-xl justify-items-center gap-4 rounded-card border bg-card px-5 pt-12 pb-8 text-center shadow-card sm:px-10">
        <span
          aria-hidden="true"
          className="absolute -top-2.5 size-5 rounded-full border-2 border-card bg-points shadow-card"
        />
        {children}
      </div>
    </div>
  );
}
