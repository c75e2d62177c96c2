import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { PictureField, usePreviewUrl } from '@/components/picture-field';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { FieldError } from '@/components/ui/field';
import { toAppError } from '@/lib/errors';
import { notAPicture } from '@/lib/picture';
import { usePictureChoice } from '@/lib/use-picture-choice';
import {
  acceptedLogoTypes,
  type Crop,
  clampCrop,
  cropImage,
  cropRect,
  dragCrop,
  initialCrop,
  type LoadedImage,
  loadImage,
  logoFileProblem,
  maxZoom,
} from '../logo-image';
import { ProjectLogo } from './project-logo';

type LogoFieldProps = {
  upload: ReturnType<typeof useLogo>;
  name: string;
  /** The current logo, shown until another is chosen. */
  currentUrl: string;
  /** Leaves the project without the current logo. */
  onClear: () => void;
};

/** Picks a logo file and shows a preview (SPROF-04). */
export function LogoField({ upload, name, currentUrl, onClear }: LogoFieldProps) {
  const handleRemove = () => {
    if (upload.logo) upload.remove();
    else onClear();
  };
  return (
    <>
      <PictureField
        label="Logo"
        hint="PNG, JPG, WebP or SVG, max 5MB"
        types={acceptedLogoTypes}
        preview={
          <ProjectLogo
            key={upload.previewUrl ?? currentUrl}
            name={name || '?'}
            logoUrl={upload.previewUrl ?? (currentUrl || null)}
            className="size-20 text-2xl"
          />
        }
        hasPicture={upload.logo !== null || currentUrl !== ''}
        problem={upload.problem}
        onChoose={(file) => void upload.choose(file)}
        onRemove={handleRemove}
      />
      {upload.image && <CropDialog image={upload.image} onDone={upload.finish} onCancel={upload.cancel} />}
    </>
  );
}

type CropDialogProps = { image: LoadedImage; onDone: (logo: Blob) => void; onCancel: () => void };

/** Crops a picture to the square that becomes the logo. */
function CropDialog({ image, onDone, onCancel }: CropDialogProps) {
  const [crop, setCrop] = useState(initialCrop);
  const [failure, setFailure] = useState<string | null>(null);
  const [isDrawing, setIsDrawing] = useState(false);

  const handleUse = async () => {
    setIsDrawing(true);
    try {
      onDone(await cropImage(image, crop));
    } catch (error) {
      setFailure(toAppError(error).message);
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

/** Step of an arrow key, as a fraction of the window. */
const keyStep = 0.04;
const arrows: Readonly<Record<string, { dx: number; dy: number }>> = {
  ArrowLeft: { dx: -keyStep, dy: 0 },
  ArrowRight: { dx: keyStep, dy: 0 },
  ArrowUp: { dx: 0, dy: -keyStep },
  ArrowDown: { dx: 0, dy: keyStep },
};

type CropWindowProps = { image: LoadedImage; crop: Crop; onChange: (crop: Crop) => void };

/** The crop window; the picture is moved below it by dragging or with arrow keys, and can be zoomed. */
function CropWindow({ image, crop, onChange }: CropWindowProps) {
  const last = useRef<{ x: number; y: number } | null>(null);
  const { x, y, side } = cropRect(image.size, crop);
  const percent = (pixels: number) => `${(pixels / side) * 100}%`;

  const handleMove = (event: PointerEvent<HTMLElement>) => {
    if (!last.current) return;
    const move = { dx: event.clientX - last.current.x, dy: event.clientY - last.current.y };
    last.current = { x: event.clientX, y: event.clientY };
    onChange(dragCrop(image.size, crop, move, event.currentTarget.clientWidth));
  };

  return (
    <div className="grid justify-items-center gap-4">
      <button
        type="button"
        aria-label="Picture under the crop window. Drag it, or move it with the arrow keys."
        className="relative size-64 cursor-grab touch-none overflow-hidden rounded-card border-2 border-field border-dashed bg-sunken active:cursor-grabbing"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          last.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={handleMove}
        // Also when a gesture of the system or a context menu takes the pointer, without a pointerup.
        onLostPointerCapture={() => {
          last.current = null;
        }}
        onKeyDown={(event) => {
          const move = arrows[event.key];
          if (!move) return;
          event.preventDefault();
          onChange(dragCrop(image.size, crop, move, 1));
        }}
      >
        <img
          src={image.url}
          alt=""
          draggable={false}
          className="pointer-events-none absolute max-w-none"
          style={{
            width: percent(image.size.width),
            height: percent(image.size.height),
            left: percent(-x),
            top: percent(-y),
          }}
        />
      </button>
      <label className="grid w-64 gap-1">
        <span className="font-semibold text-[0.95rem]">Zoom</span>
        <input
          type="range"
          min={1}
          max={maxZoom}
          step={0.05}
          value={crop.zoom}
          onChange={(event) => onChange(clampCrop(image.size, { ...crop, zoom: Number(event.target.value) }))}
          className="min-h-11 accent-action"
        />
      </label>
    </div>
  );
}

/** State of a new logo: the chosen file, then its crop. Nothing is uploaded before the form is submitted. */
export function useLogo() {
  const [image, setImage] = useState<LoadedImage | null>(null);
  const [logo, setLogo] = useState<Blob | null>(null);
  const { isReading, problem, choose, forget } = usePictureChoice({
    read: async (file: File) => {
      const refusal = logoFileProblem(file);
      if (refusal) throw notAPicture(refusal);
      return loadImage(file);
    },
    onRead: setImage,
    onLate: (late) => late.release(),
  });

  useEffect(() => () => image?.release(), [image]);
  const previewUrl = usePreviewUrl(logo);

  const finish = (cropped: Blob) => {
    setLogo(cropped);
    setImage(null);
  };
  return {
    image,
    logo,
    previewUrl,
    problem,
    isReading,
    choose,
    finish,
    cancel: () => setImage(null),
    remove: () => {
      forget();
      setLogo(null);
    },
  };
}
