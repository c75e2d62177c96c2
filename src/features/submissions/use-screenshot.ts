import { useCallback, useEffect, useReducer, useRef } from 'react';
import { AppError, describeError } from '@/lib/errors';
import { deleteScreenshot } from './mutations';
import { submitProofErrors } from './proof-errors';
import { prepareScreenshot, proofObjectName, screenshotProblem } from './proof-file';
import { uploadScreenshot } from './upload';

/** State of a screenshot. `percent` is an integer from 0 to 100; `preview` is a URL for an <img>. */
export type ScreenshotState =
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
type Chosen = { file: File; preview: string };

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
  const chosen = useRef<Chosen | null>(null);
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

  const upload = async ({ file, preview }: Chosen, signal: AbortSignal): Promise<string> => {
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
  const prepare = async (file: File, signal: AbortSignal): Promise<Chosen> => {
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
