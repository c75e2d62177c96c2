/**
 * Verifies an uploaded picture, which every procedure requires (C-89, TRUST-26): records its type and hashes, and
 * deletes anything that is not a picture. Called with `{ bucket, path }` by the file's owner. Answers `{ ok: true,
 * sha256 }`.
 */
import { z } from 'zod';
import { requireUser } from '../_shared/auth.ts';
import { readJson } from '../_shared/body.ts';
import { databaseVariables, identityVariables, lazyConfig, siteVariables } from '../_shared/config.ts';
import { callAsCaller, callProcedure } from '../_shared/database.ts';
import { DatabaseError, FunctionError } from '../_shared/errors.ts';
import { inspectPicture, type Picture } from '../_shared/picture.ts';
import { serveFunction } from '../_shared/serve.ts';
import { download, removeFiles } from '../_shared/storage.ts';

const MAX_BODY_BYTES = 4 * 1024;

const variables = databaseVariables.extend(siteVariables.shape).extend(identityVariables.shape);
type Config = z.infer<typeof variables>;

const input = z.object({ bucket: z.enum(['proofs', 'project-logos']), path: z.string().min(3).max(1024) });
type File = z.infer<typeof input>;

const found = z.object({ id: z.string(), version: z.string().nullable(), etag: z.string().nullish() });

serveFunction({ name: 'verify-upload', config: lazyConfig(variables), post: verifyUpload });

async function verifyUpload(request: Request, config: Config): Promise<Response> {
  await requireUser(request, config);
  const file = await readJson(request, input, MAX_BODY_BYTES);
  const args = { p_bucket: file.bucket, p_path: file.path };
  // Read before the bytes: a file that replaces it meanwhile has another version and is not recorded.
  const { id, version, etag } = await callAsCaller(config, request, 'start_upload_check', args, found);
  const bytes = await download(config, file.bucket, file.path, etag);
  const picture = await orRemove(config, file, () => inspectPicture(bytes));
  await orRemove(config, file, () => record(config, file, id, version, picture));
  return Response.json({ ok: true, sha256: picture.sha256 });
}

async function record(config: Config, file: File, id: string, version: string | null, picture: Picture): Promise<void> {
  const args = {
    p_bucket: file.bucket,
    p_path: file.path,
    p_object_id: id,
    p_version: version,
    p_sha256: picture.sha256,
    p_dhash: picture.dhash,
    p_bytes: picture.bytes,
    p_mime: picture.mime,
  };
  await callProcedure(config, 'record_verified_upload', args, z.unknown());
}

/** Deletes files that were refused for their content or the quota, but not those that could not be checked. */
async function orRemove<T>(config: Config, { bucket, path }: File, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    const isNoPicture = error instanceof FunctionError && error.status < 500;
    const isTooMany = error instanceof DatabaseError && error.code === 'UPLOAD_LIMIT';
    if (isNoPicture || isTooMany) await removeFiles(config, bucket, [path]);
    throw error;
  }
}
