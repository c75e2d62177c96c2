import type { Bucket } from './database.ts';
import { StorageError, tooLarge } from './storage-error.ts';

/** The platform's own limit for buckets without one, in bytes. */
const DEFAULT_LIMIT = 50 * 1024 * 1024;
/** Room for the multipart framing around a file, in bytes. */
const FRAMING = 64 * 1024;

export interface Upload {
  bytes: Uint8Array;
  mimetype: string;
  cacheControl: string;
  userMetadata: unknown;
}

/**
 * Reads an upload as supabase-js sends it: a form with the file under an empty name (Blob, File), or the bare bytes
 * with the type in the headers. Refuses what the bucket refuses, and stops reading at its size limit.
 */
export async function readUpload(request: Request, bucket: Bucket): Promise<Upload> {
  const limit = bucket.file_size_limit === null ? DEFAULT_LIMIT : Number(bucket.file_size_limit);
  const contentType = request.headers.get('content-type') ?? 'application/octet-stream';
  const body = await readAtMost(request, limit + FRAMING);
  const upload = contentType.startsWith('multipart/form-data')
    ? await fromForm(body, contentType)
    : {
        bytes: body,
        mimetype: contentType,
        cacheControl: request.headers.get('cache-control') ?? 'no-cache',
        userMetadata: parseMetadata(fromBase64(request.headers.get('x-metadata'))),
      };
  if (upload.bytes.byteLength > limit) throw tooLarge();
  if (!isAllowed(upload.mimetype, bucket.allowed_mime_types)) {
    throw new StorageError(415, 'invalid_mime_type', `mime type ${upload.mimetype} is not supported`);
  }
  return upload;
}

async function readAtMost(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length')) > limit) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

async function fromForm(body: Uint8Array<ArrayBuffer>, contentType: string): Promise<Upload> {
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData().catch(() => {
    throw new StorageError(400, 'invalid_request', 'The form could not be read');
  });
  const file = [...form.values()].find((value) => typeof value !== 'string');
  if (!file) throw new StorageError(400, 'invalid_request', 'The form has no file');
  const seconds = form.get('cacheControl');
  return {
    bytes: new Uint8Array(await file.arrayBuffer()),
    mimetype: file.type || 'application/octet-stream',
    cacheControl: typeof seconds === 'string' ? `max-age=${seconds}` : 'no-cache',
    userMetadata: parseMetadata(form.get('metadata')),
  };
}

const fromBase64 = (value: string | null): string | null =>
  value === null ? null : Buffer.from(value, 'base64').toString('utf8');

function parseMetadata(value: FormDataEntryValue | null): unknown {
  if (typeof value !== 'string') return null;
  try {
    return JSON.parse(value);
  } catch {
    throw new StorageError(400, 'invalid_request', 'The metadata is not JSON');
  }
}

/** Whether the declared type is on the bucket's list, which may hold `image/*`. Parameters such as charset are ignored. */
function isAllowed(mimetype: string, allowed: string[] | null): boolean {
  if (!allowed || allowed.length === 0) return true;
  const type = mimetype.split(';')[0]?.trim().toLowerCase() ?? '';
  return allowed.some((rule) => rule === type || (rule.endsWith('/*') && type.startsWith(rule.slice(0, -1))));
}
