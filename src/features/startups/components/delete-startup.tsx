import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { Button } from '@/components/ui/button';
import { AppError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { useDeleteStartup } from '../mutations';
import { deleteFailure } from '../profile-errors';
import type { Startup } from '../queries';

/** Deletes the profile after asking, then leads to creating another (SPROF-07, SPROF-08). */
export function DeleteStartup({ startup }: { startup: Startup }) {
  const [isAsking, setIsAsking] = useState(false);
  const deleteStartup = useDeleteStartup();
  const navigate = useNavigate();

  const handleConfirm = async () => {
    try {
      await deleteStartup.mutateAsync(startup);
    } catch (error) {
      throw new AppError('DELETE_FAILED', deleteFailure(error));
    }
    navigate(paths.startupCreate);
  };

  return (
    <>
      <Button variant="ghost" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden="true" />
        Delete
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Delete “${startup.name}”?`}
        consequence="The profile is removed from the board and cannot be brought back. Its points wait in your wallet for a new profile."
        confirmLabel="Delete profile"
        onConfirm={handleConfirm}
      />
    </>
  );
}
