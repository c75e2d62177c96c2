import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useAlert } from '@/components/alert-provider';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Button } from '@/components/ui/button';
import { AppError, errorMessage } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { useDeleteCampaign } from '../mutations';
import type { Campaign } from '../queries';

type DeleteCampaignProps = { campaign: Campaign; onDeleted: () => void };

/** Deletes the quest after asking, and says so on the dashboard (QEDIT-15). */
export function DeleteCampaign({ campaign, onDeleted }: DeleteCampaignProps) {
  const [isAsking, setIsAsking] = useState(false);
  const deleteCampaign = useDeleteCampaign();
  const alert = useAlert();
  const navigate = useNavigate();

  const handleConfirm = async () => {
    try {
      await deleteCampaign.mutateAsync(campaign.id);
    } catch (error) {
      throw new AppError('DELETE_FAILED', `Failed to delete campaign: ${errorMessage(error)}`);
    }
    onDeleted();
    navigate(paths.startup);
    alert('Campaign deleted successfully!');
  };

  return (
    <>
      <Button variant="secondary" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete Campaign
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Delete “${campaign.title}”?`}
        consequence={`Are you sure you want to delete "${campaign.title}"? This action cannot be undone and will remove all associated tasks and submissions.`}
        confirmLabel="Delete campaign"
        onConfirm={handleConfirm}
      >
        <p className="mt-2 text-muted">Members keep what they earned. Unspent points come back to your wallet.</p>
      </ConfirmDialog>
    </>
  );
}
