import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { FieldError } from '@/components/ui/field';
import { centred } from '../crop';
import { cropImage, type LoadedImage } from '../image';
import { CropWindow } from './crop-window';

type CropDialogProps = { image: LoadedImage; onDone: (logo: Blob) => void; onCancel: () => void };

/** Chooses the square of a picture that becomes the logo; what stands in the window is what members will see. */
export function CropDialog({ image, onDone, onCancel }: CropDialogProps) {
  const [crop, setCrop] = useState(centred);
  const [failure, setFailure] = useState<string | null>(null);
  const [isDrawing, setIsDrawing] = useState(false);

  const handleUse = async () => {
    setIsDrawing(true);
    try {
      onDone(await cropImage(image, crop));
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'We could not read this image.');
      setIsDrawing(false);
    }
  };

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onCancel()}
      title="Crop your logo"
      description="Members see this square beside your quests."
    >
      <CropWindow image={image} crop={crop} onChange={setCrop} />
      {failure && <FieldError>{failure}</FieldError>}
      <DialogActions>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button isLoading={isDrawing} onClick={handleUse}>
          Use this crop
        </Button>
      </DialogActions>
    </Dialog>
  );
}
