import { lazy } from 'react';
import { LatePart } from '@/components/lazy';
import { Dialog } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';

const ReferralQr = lazy(() => import('./referral-qr'));

export type QrDialogProps = { link: string; isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

export default function QrDialogContent({ link, isOpen, onOpenChange }: QrDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Scan to join"
      description="Ask someone next to you to point their camera here."
    >
      <LatePart pending={<Skeleton className="mx-auto size-64" />}>
        <ReferralQr link={link} />
      </LatePart>
      <p className="mt-3 text-center text-muted text-sm [overflow-wrap:anywhere]">{link}</p>
    </Dialog>
  );
}
