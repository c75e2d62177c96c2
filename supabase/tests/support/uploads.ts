import { createHash, randomUUID } from 'node:crypto';
import { asService, sql } from '../../../local/testing/clients.ts';
import { picture } from '../../../local/testing/pictures.ts';
import { type Member, unwrap } from './factories.ts';

type Bucket = 'proofs' | 'project-logos';

/** The refusal of a file that the server has not checked. */
export const NOT_CHECKED = {
  status: 409,
  code: 'UPLOAD_NOT_CHECKED',
  message: 'This file has not been checked yet. Please upload it again.',
};

/** Uploads a picture as its owner, by default to a new path, and returns the path. The server has not checked it. */
export async function upload(
  { id, client }: Member,
  bucket: Bucket,
  { bytes, name = `${randomUUID()}.png` }: { bytes?: Uint8Array<ArrayBuffer>; name?: string } = {},
): Promise<string> {
  const path = `${id}/${name}`;
  const body = new Blob([bytes ?? (await picture(Date.now()))], { type: 'image/png' });
  const { error } = await client.storage.from(bucket).upload(path, body);
  if (error) throw new Error(`upload refused: ${JSON.stringify(error)}`);
  return path;
}

/** The storage API's id and version of a file: overwriting it makes a new version. */
export async function storedFile(bucket: Bucket, path: string): Promise<{ id: string; version: string }> {
  const { rows } = await sql().query<{ id: string; version: string }>(
    'select id, version from storage.objects where bucket_id = $1 and name = $2',
    [bucket, path],
  );
  const [file] = rows;
  if (!file) throw new Error(`no file ${path}`);
  return file;
}

/** Records what the function verify-upload would have found in a file with this content, in an earlier version of it, or in another file. */
export async function markVerified(
  bucket: Bucket,
  path: string,
  {
    bytes = new Uint8Array([1]),
    dhash = '00ff00ff00ff00ff',
    mime = 'image/png',
    version,
    id,
  }: { bytes?: Uint8Array; dhash?: string; mime?: string; version?: string; id?: string } = {},
) {
  const file = await storedFile(bucket, path);
  return asService().rpc('record_verified_upload', {
    p_bucket: bucket,
    p_path: path,
    p_object_id: id ?? file.id,
    p_version: version ?? file.version,
    p_sha256: createHash('sha256').update(bytes).digest('hex'),
    p_dhash: dhash,
    p_bytes: bytes.byteLength,
    p_mime: mime,
  });
}

/** Uploads a picture that procedures accept, and returns its path. */
export async function uploadVerified(member: Member, bucket: Bucket, name?: string): Promise<string> {
  const path = await upload(member, bucket, { name });
  await unwrap(markVerified(bucket, path));
  return path;
}
