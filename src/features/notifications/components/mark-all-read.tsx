import { CheckCheck } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { describeError } from '@/lib/errors';
import { useMarkAllRead } from '../mutations';
import type { Notification } from '../queries';

type MarkAllReadProps = {
  shown: readonly Notification[];
  unread: number;
  /** Called when it is done, before the button disappears. */
  onMarked?: () => void;
};

/** Marks everything up to the newest of these as read. Hidden when all are read. */
export function MarkAllRead({ shown, unread, onMarked }: MarkAllReadProps) {
  const markAll = useMarkAllRead();
  const newest = shown[0];
  if (!newest || unread === 0) return null;
  const handleClick = () => markAll.mutateAsync(newest.id).then(onMarked, (error) => toast.error(describeError(error)));
  return (
    <Button variant="ghost" isLoading={markAll.isPending} onClick={handleClick}>
      <CheckCheck aria-hidden="true" />
      Mark all read
    </Button>
  );
}
