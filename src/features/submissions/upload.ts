import { getToken } from '@/lib/auth';
import { getEnv } from '@/lib/env';
import { AppError, toAppError } from '@/lib/errors';
import { verifyUpload } from '@/lib/picture';
import { proofBucket } from './proof';
import { uploadCodes } from './proof-errors';

type UploadOptions = {
  file: File;
  /** Key in the bucket, see proofObjectName. */
  objectName: string;
  /** Called with whole percents, 0 to 100. */
  onProgress: (percent: number) => void;
  /** Aborting rejects with the signal's reason. */
  signal: AbortSignal;
};

/** Storage has an error format of its own; the HTTP status can be 400 with the real one in the body. */
type StorageRefusal = { statusCode?: string | number; error?: string; message?: string };

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refusal(httpStatus: number, body: unknown): AppError {
  const { statusCode, error = '', message = '' } = (body ?? {}) as StorageRefusal;
  const status = Number(statusCode ?? httpStatus) || httpStatus;
  if (error === 'InvalidKey' || /invalid key/i.test(message)) {
    return new AppError(uploadCodes.invalidKey, `Upload failed: ${message}`, status, body);
  }
  if (status === 413 || status === 401) return toAppError({ message }, status);
  return new AppError(uploadCodes.failed, `Upload failed: ${message || `status ${status}`}`, status, body);
}

/**
 * Uploads a screenshot to the private bucket, has the server verify it and resolves to its object name. Uses
 * XMLHttpRequest on the storage endpoint instead of supabase-js, because fetch cannot report upload progress. Throws
 * AppError: NETWORK, SESSION_EXPIRED, TOO_LARGE or a code of uploadCodes ('Upload failed: ...', ERR-02).
 */
export async function uploadScreenshot({ file, objectName, onProgress, signal }: UploadOptions): Promise<string> {
  const env = getEnv();
  const token = await getToken();
  signal.throwIfAborted();
  const address = `${env.VITE_SUPABASE_URL}/storage/v1/object/${proofBucket}/${objectName.split('/').map(encodeURIComponent).join('/')}`;

  const body = new FormData();
  body.append('cacheControl', '3600');
  body.append('', file, file.name);

  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress(Math.floor((loaded / total) * 100));
    };
    request.onabort = () => reject(signal.reason);
    request.onerror = () => reject(toAppError(new TypeError('Failed to fetch')));
    request.onload = () => {
      const answer = readJson(request.responseText);
      if (request.status < 200 || request.status > 299) return reject(refusal(request.status, answer));
      if (!answer) return reject(new AppError(uploadCodes.failed, 'Upload failed: No data returned', request.status));
      resolve();
    };
    request.onloadend = () => signal.removeEventListener('abort', abort);

    request.open('POST', address);
    request.setRequestHeader('apikey', env.VITE_SUPABASE_ANON_KEY);
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('x-upsert', 'false');
    request.send(body);
  });
  await verifyUpload(proofBucket, objectName, signal);
  return objectName;
}
