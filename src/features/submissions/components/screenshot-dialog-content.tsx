import { useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { cn } from '@/lib/cn';
import { ScreenshotImage } from './screenshot-image';

export type ScreenshotDialogProps = {
  objectName: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

export default function ScreenshotDialogContent({ objectName, isOpen, onOpenChange }: ScreenshotDialogProps) {
  const [isFullSize, setIsFullSize] = useState(false);
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Screenshot" size="screen">
      <div className="max-h-[75dvh] overflow-auto">
        <button
          type="button"
          aria-label={isFullSize ? 'Fit to screen' : 'Show actual size'}
          className={cn('mx-auto block', isFullSize ? 'cursor-zoom-out' : 'cursor-zoom-in')}
          onClick={() => setIsFullSize(!isFullSize)}
        >
          <ScreenshotImage
            objectName={objectName}
            alt="Screenshot sent as proof"
            className={isFullSize ? 'max-w-none' : 'max-h-[70dvh] max-w-full'}
          />
        </button>
      </div>
    </Dialog>
  );
}
