import { CircleCheckBig } from 'lucide-react';
import { Notice } from '@/components/notice';
import type { StatusWord } from '@/components/status-stamp';
import type { Startup } from '../queries';

const words = { pending: 'Pending', verified: 'Verified', rejected: 'Rejected' } as const satisfies Record<
  string,
  StatusWord
>;

/** The word on the stamp of a project's status. */
export function startupStatusWord(status: Startup['status']): StatusWord {
  return words[status];
}

/** What the project's status means for its owner (SDASH-05); quiet when there is nothing to do. */
export function StartupStatusBanner({ startup }: { startup: Startup }) {
  if (startup.status === 'pending') {
    return (
      <Notice tone="waiting" title="Your project is under review">
        You can create campaigns once it is verified.
      </Notice>
    );
  }
  if (startup.status === 'rejected') {
    return (
      <Notice tone="danger" title="Your project was not approved">
        {startup.review_note && <p>{startup.review_note}</p>}
        <p>Please contact support if you think that this is a mistake.</p>
      </Notice>
    );
  }
  return (
    <p className="-mt-3 flex flex-wrap items-center gap-x-2 px-1 text-muted text-sm">
      <CircleCheckBig aria-hidden="true" className="size-4 text-action" />
      <span className="font-medium text-ink">Your project is verified.</span>
      <span>Projects are verified automatically during the beta.</span>
    </p>
  );
}
