import { Link } from 'react-router-dom';
import { PinnedNote } from '@/components/pinned-note';
import { Stamp } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { useDelayedRedirect } from './use-delayed-redirect';

type SignedInNoticeProps = { title: string; text: string; stamp: string; redirect: string };

/** Says how things stand, goes on by itself after 3 seconds and offers to go on at once (AUTH-05, AUTH-06). */
export function SignedInNotice({ title, text, stamp, redirect }: SignedInNoticeProps) {
  useDelayedRedirect(redirect);
  return (
    <PinnedNote>
      <Stamp tone="action" className="animate-stamp text-base">
        {stamp}
      </Stamp>
      <h1 className="text-3xl">{title}</h1>
      <p role="status" className="text-muted">
        {text}
      </p>
      <Button asChild>
        <Link to={redirect} replace>
          Continue now
        </Link>
      </Button>
    </PinnedNote>
  );
}
