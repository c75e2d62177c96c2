import { Lock, Megaphone, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useAlert } from '@/components/alert-provider';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { errorMessage } from '@/lib/errors';
import { useCloseCampaign, usePublishCampaign, useUnpublishCampaign } from '../mutations';
import type { Campaign } from '../queries';

/** Publishes a draft, or opens a closed quest again; not while it is on hold (SDASH-07, C-25). */
export function PublishCampaign({ campaign }: { campaign: Campaign }) {
  const publish = usePublishCampaign();
  const alert = useAlert();
  const handleClick = async () => {
    try {
      // Awaited, and not told by a callback of mutate(): this button is gone once the quest is read again.
      await publish.mutateAsync(campaign.id);
      toast.success(`“${campaign.title}” is live`);
    } catch (error) {
      alert(`Failed to publish campaign: ${errorMessage(error)}`);
    }
  };
  return (
    <Button isLoading={publish.isPending} disabled={campaign.held_at !== null} onClick={handleClick}>
      <Megaphone aria-hidden="true" />
      {campaign.status === 'closed' ? 'Publish again' : 'Publish'}
    </Button>
  );
}

/** Takes a live quest off the board for now: members stop seeing it, its points stay reserved. */
export function UnpublishCampaign({ campaign }: { campaign: Campaign }) {
  const unpublish = useUnpublishCampaign();
  const handleClick = async () => {
    try {
      await unpublish.mutateAsync(campaign.id);
      toast.success(`“${campaign.title}” is a draft again`);
    } catch (error) {
      toast.error(errorMessage(error));
    }
  };
  return (
    <Button variant="secondary" isLoading={unpublish.isPending} onClick={handleClick}>
      <Undo2 aria-hidden="true" />
      Unpublish
    </Button>
  );
}

/** Ends a quest after asking; what nobody was promised comes back to the wallet. */
export function CloseCampaign({ campaign }: { campaign: Campaign }) {
  const [isAsking, setIsAsking] = useState(false);
  const close = useCloseCampaign();
  return (
    <>
      <Button variant="secondary" onClick={() => setIsAsking(true)}>
        <Lock aria-hidden="true" />
        Close
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Close “${campaign.title}”?`}
        consequence="Members can no longer take part. Points that nobody was promised come back to your wallet; pending submissions can still be reviewed."
        confirmLabel="Close quest"
        isDangerous={false}
        onConfirm={() => close.mutateAsync(campaign.id)}
      />
    </>
  );
}
