import { Camera, ImageUp, X } from 'lucide-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { FieldError, Label } from '@/components/ui/field';
import { Progress } from '@/components/ui/progress';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { cn } from '@/lib/cn';
import type { Screenshot } from '../use-screenshot';
import { ScreenshotImage } from './screenshot-image';

type ScreenshotFieldProps = { screenshot: Screenshot; isOptional: boolean };

/** Picks, photographs, drops or removes a screenshot, and shows the upload progress (QUEST-16). */
export function ScreenshotField({ screenshot, isOptional }: ScreenshotFieldProps) {
  const { state } = screenshot;
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <Label htmlFor={id}>Screenshot</Label>
        {isOptional && <span className="text-muted text-sm">Optional</span>}
      </div>
      {state.status === 'none' || state.status === 'refused' ? (
        <Chooser id={id} isCompact={isOptional} onChoose={screenshot.choose} />
      ) : (
        <Chosen screenshot={screenshot} state={state} />
      )}
      {state.status === 'refused' && <FieldError>{state.message}</FieldError>}
    </div>
  );
}

/** A drop zone with a button for each way to pick a file; phones also offer the camera. */
function Chooser({ id, isCompact, onChoose }: { id: string; isCompact: boolean; onChoose: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false);
  const handleDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onChoose(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the mouse only; the buttons inside do the same
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={handleDrop}
      className={cn(
        'flex flex-wrap items-center gap-3 rounded-card border border-dashed p-3',
        !isCompact && 'flex-col py-6 text-center',
        isOver ? 'border-action bg-action-soft' : 'border-field',
      )}
    >
      <div className="flex flex-wrap justify-center gap-3">
        <FileButton id={id} onChoose={onChoose} isFirst={!isCompact}>
          <ImageUp aria-hidden="true" />
          Choose image
        </FileButton>
        <span className="hidden pointer-coarse:contents">
          <FileButton onChoose={onChoose} isCamera>
            <Camera aria-hidden="true" />
            Take photo
          </FileButton>
        </span>
      </div>
      <p className="text-muted text-sm">PNG, JPG, GIF, WebP or a photo of your phone, up to 10 MB</p>
    </div>
  );
}

type FileButtonProps = {
  id?: string;
  isCamera?: boolean;
  isFirst?: boolean;
  onChoose: (file: File) => void;
  children: React.ReactNode;
};

/** Visually hides the native file input behind a button that keeps the focus. */
function FileButton({ id, isCamera = false, isFirst = false, onChoose, children }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        tabIndex={-1}
        aria-label={isCamera ? 'Take a photo as screenshot' : undefined}
        accept="image/*,.heic,.heif"
        capture={isCamera ? 'environment' : undefined}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Choosing the same file again must count as a change.
          event.target.value = '';
          if (file) onChoose(file);
        }}
      />
      <Button variant="secondary" onClick={() => input.current?.click()} {...(isFirst && { 'data-autofocus': true })}>
        {children}
      </Button>
    </>
  );
}

type ChosenState = Exclude<Screenshot['state'], { status: 'none' | 'refused' }>;

function Chosen({ screenshot, state }: { screenshot: Screenshot; state: ChosenState }) {
  return (
    <div className="grid gap-3 rounded-card border p-3">
      <div className="flex items-center gap-3">
        {state.preview ? (
          <img src={state.preview} alt="" className="size-16 shrink-0 rounded-control border object-cover" />
        ) : (
          state.status === 'uploaded' && (
            <ScreenshotImage objectName={state.objectName} alt="" className="size-16 shrink-0 rounded-control" />
          )
        )}
        <div className="min-w-0 grow">
          <p className="truncate font-medium">{state.name}</p>
          <p className="text-muted text-sm" role="status">
            {state.status === 'uploading' && (
              <>
                <VisuallyHidden>Uploading</VisuallyHidden>
                <span aria-hidden="true" className="tabular-nums">
                  Uploading, {state.percent}%
                </span>
              </>
            )}
            {state.status === 'uploaded' && 'Uploaded'}
            {state.status === 'failed' && 'Not uploaded'}
          </p>
        </div>
        <Button
          variant="ghost"
          size="icon"
          aria-label={state.status === 'uploading' ? 'Cancel upload' : 'Remove screenshot'}
          onClick={screenshot.remove}
        >
          <X aria-hidden="true" />
        </Button>
      </div>
      {state.status === 'uploading' && <Progress label="Upload" value={state.percent} />}
      {state.status === 'failed' && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <FieldError>{state.message}</FieldError>
          <Button variant="secondary" onClick={screenshot.retry}>
            Retry upload
          </Button>
        </div>
      )}
    </div>
  );
}
