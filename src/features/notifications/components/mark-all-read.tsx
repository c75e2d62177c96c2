import { CheckCheck } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { describeError } from '@/lib/errors';
import { useMarkAllRead } from '../mutations';
import type { Notification } from '../queries';

type MarkAllReadProps = {
  shown: readonly Notification[];
  unread: number;
};

/** Marks everything up to the newest of these as read. Hidden when all are read. */
export function MarkAllRead({ shown, unread }: MarkAllReadProps) {
  const markAll = useMarkAllRead();
  const newest = shown[0];
  if (!newest || unread === 0) return null;
  const handleClick = ({ currentTarget: button }: MouseEvent<HTMLButtonElement>) => {
    // The panel or page that the button is in: the button disappears, and the focus with it.
    const place = button.closest<HTMLElement>('[role="dialog"], #main');
    const keepFocus = () => {
      if ([button, document.body].includes(document.activeElement as HTMLElement))
        place?.focus({ preventScroll: true });
    };
    return markAll.mutateAsync(newest.id).then(keepFocus, (error) => toast.error(describeError(error)));
  };
  return (
    <Button variant="ghost" isLoading={markAll.isPending} onClick={handleClick}>
      <CheckCheck aria-hidden="true" />
      Mark all read
    </Button>
  );
}
