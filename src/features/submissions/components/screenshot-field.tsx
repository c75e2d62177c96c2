import { Camera, ImageUp, X } from 'lucide-react';
import { type DragEvent, useCallback, useEffect, useId, useReducer, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { FieldError, Label } from '@/components/ui/field';
import { Progress } from '@/components/ui/progress';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { cn } from '@/lib/cn';
import { AppError, describeError } from '@/lib/errors';
import { deleteScreenshot } from '../mutations';
import { prepareScreenshot, proofObjectName, screenshotProblem } from '../proof';
import { submitProofErrors } from '../proof-errors';
import { uploadScreenshot } from '../upload';
import { ScreenshotImage } from './screenshot-image';

type ScreenshotFieldProps = { screenshot: Screenshot; isOptional: boolean };

/** Picks, photographs, drops or removes a screenshot, and shows the upload progress (QUEST-16). */
export function ScreenshotField({ screenshot, isOptional }: ScreenshotFieldProps) {
  const { state } = screenshot;
  const id = useId();
  const isChosen = state.status !== 'none' && state.status !== 'refused';
  const field = useRef<HTMLDivElement>(null);
  const wasChosen = useRef(isChosen);
  useEffect(() => {
    if (wasChosen.current === isChosen) return;
    wasChosen.current = isChosen;
    // The pressed button has unmounted, and the focus is lost unless the member is already typing elsewhere.
    if (document.activeElement?.matches('body, [role="dialog"]')) field.current?.querySelector('button')?.focus();
  }, [isChosen]);
  // The browser opens a file that is dropped beside the zone, in place of the page and what was typed there.
  useEffect(() => {
    const ignore = (event: Event) => event.preventDefault();
    for (const name of ['dragover', 'drop']) window.addEventListener(name, ignore);
    return () => {
      for (const name of ['dragover', 'drop']) window.removeEventListener(name, ignore);
    };
  }, []);
  return (
    <div ref={field} className="grid gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <Label htmlFor={id}>Screenshot</Label>
        {isOptional && <span className="text-muted text-sm">Optional</span>}
      </div>
      {state.status === 'none' || state.status === 'refused' ? (
        <Chooser id={id} isCompact={isOptional} onChoose={screenshot.choose} />
      ) : (
        <ChosenScreenshot screenshot={screenshot} state={state} />
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
      <p className="text-muted text-sm">PNG, JPG, GIF, WebP or a photo from your phone, up to 10 MB</p>
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
        aria-label={isCamera ? 'Take a photo instead' : undefined}
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

function ChosenScreenshot({ screenshot, state }: { screenshot: Screenshot; state: ChosenState }) {
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

/** State of a screenshot. `percent` is an integer from 0 to 100; `preview` is a URL for an <img>. */
type ScreenshotState =
  | { status: 'none' }
  | { status: 'refused'; message: string }
  | { status: 'uploading'; name: string; preview: string | null; percent: number }
  | { status: 'failed'; name: string; preview: string; message: string }
  | { status: 'uploaded'; name: string; preview: string | null; objectName: string };

type Action = ScreenshotState | { status: 'progress'; percent: number };

function reduce(state: ScreenshotState, action: Action): ScreenshotState {
  if (action.status !== 'progress') return action;
  return state.status === 'uploading' ? { ...state, percent: action.percent } : state;
}

/** `file`: as uploaded; `preview`: its object URL. */
type PreparedFile = { file: File; preview: string };

/** Name shown for a screenshot after a reload, when only its key in the bucket is known. */
function nameOf(objectName: string): string {
  return objectName.slice(objectName.lastIndexOf('/') + 1).replace(/^proof_\d+_/, '');
}

/**
 * Uploads a chosen screenshot immediately, while the member fills in the rest; `finish` waits for it and retries after
 * a failure. `uploadedName` is the screenshot of a draft or, when it equals `sentName`, of the submitted proof, which
 * is not deleted when replaced. `onChange` is called with the object name, null while there is none.
 */
export function useScreenshot(
  userId: string,
  uploadedName: string | null,
  sentName: string | null,
  onChange: (objectName: string | null) => void,
) {
  const [state, dispatch] = useReducer(
    reduce,
    uploadedName,
    (objectName): ScreenshotState =>
      objectName ? { status: 'uploaded', name: nameOf(objectName), preview: null, objectName } : { status: 'none' },
  );
  const chosen = useRef<PreparedFile | null>(null);
  const controller = useRef<AbortController | null>(null);
  const running = useRef<Promise<string> | null>(null);

  const forget = useCallback(() => {
    controller.current?.abort();
    running.current = null;
    if (chosen.current) URL.revokeObjectURL(chosen.current.preview);
    chosen.current = null;
  }, []);
  // Closing the dialog aborts the upload.
  useEffect(() => forget, [forget]);

  const upload = async ({ file, preview }: PreparedFile, signal: AbortSignal): Promise<string> => {
    dispatch({ status: 'uploading', name: file.name, preview, percent: 0 });
    try {
      const objectName = await uploadScreenshot({
        file,
        objectName: proofObjectName(userId, file.name, Date.now()),
        onProgress: (percent) => dispatch({ status: 'progress', percent }),
        signal,
      });
      dispatch({ status: 'uploaded', name: file.name, preview, objectName });
      onChange(objectName);
      return objectName;
    } catch (error) {
      if (!signal.aborted) {
        dispatch({ status: 'failed', name: file.name, preview, message: describeError(error, submitProofErrors) });
      }
      throw error;
    }
  };

  /** A photo of a phone takes seconds to convert, which count as part of its upload. */
  const prepare = async (file: File, signal: AbortSignal): Promise<PreparedFile> => {
    dispatch({ status: 'uploading', name: file.name, preview: null, percent: 0 });
    const checked = await prepareScreenshot(file);
    signal.throwIfAborted();
    if (!checked.ok) {
      dispatch({ status: 'refused', message: checked.message });
      throw new AppError('INVALID_INPUT', checked.message);
    }
    return { file: checked.picture, preview: URL.createObjectURL(checked.picture) };
  };

  const run = (send: (signal: AbortSignal) => Promise<string>) => {
    controller.current = new AbortController();
    running.current = send(controller.current.signal);
    // The failure is in the state, and finish() rejects with it.
    running.current.catch(() => undefined);
    return running.current;
  };

  const choose = (file: File) => {
    const problem = screenshotProblem(file);
    if (problem !== null) return dispatch({ status: 'refused', message: problem });
    run(async (signal) => {
      const next = await prepare(file, signal);
      chosen.current = next;
      return upload(next, signal);
    });
  };

  const retry = () => {
    const { current } = chosen;
    return current && run((signal) => upload(current, signal));
  };

  const remove = () => {
    // Nothing refers to the file yet; if deleting fails, the server's clean-up removes it later.
    if (state.status === 'uploaded' && state.objectName !== sentName) {
      deleteScreenshot(state.objectName).catch(() => undefined);
    }
    forget();
    onChange(null);
    dispatch({ status: 'none' });
  };

  /** Resolves to the object name of the screenshot, null without one. Rejects when the upload fails. */
  const finish = async (): Promise<string | null> => {
    if (state.status === 'uploaded') return state.objectName;
    if (state.status === 'failed') return retry();
    return state.status === 'uploading' ? running.current : null;
  };

  const hasFile = state.status === 'uploading' || state.status === 'failed' || state.status === 'uploaded';
  return { state, hasFile, choose, retry, remove, finish };
}

export type Screenshot = ReturnType<typeof useScreenshot>;
