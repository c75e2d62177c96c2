/**
 * Fetches external logos of projects, verifies them like uploads and stores them in our bucket (C-101). Answers `{ ok:
 * true, imported, failed }`.
 */
import { z } from 'zod';
import { lazyConfig } from '../_shared/config.ts';
import { callProcedure } from '../_shared/database.ts';
import { FunctionError, reasonOf } from '../_shared/errors.ts';
import { fetchPublic } from '../_shared/fetch-public.ts';
import { log } from '../_shared/log.ts';
import { denoNetwork } from '../_shared/network.ts';
import { inspectPicture } from '../_shared/picture.ts';
import { upload } from '../_shared/storage.ts';
import { serveWorker, workerVariables } from '../_shared/worker.ts';

const BUCKET = 'project-logos';
const LIMITS = { maxBytes: 5 * 1024 * 1024, timeoutMs: 10_000, maxRedirects: 3, accept: 'image/*' };

/** No further logo is claimed after this time: the platform ends functions after 150 s, and a slow host and a slow database take 50 s. */
const CLAIMING_MS = 90_000;

type Config = z.infer<typeof workerVariables>;

const claimed = z.array(z.object({ startup_id: z.string(), owner_user_id: z.string(), url: z.string() }));
type Claim = z.infer<typeof claimed>[number];

const stored = z.object({ id: z.string(), version: z.string().nullable() });

serveWorker({ name: 'import-logos', config: lazyConfig(workerVariables), run: importLogos });

async function importLogos(config: Config) {
  const deadline = performance.now() + CLAIMING_MS;
  const counts = { imported: 0, failed: 0 };
  do {
    // One at a time, because each claim is one of few tries: a file that ends this function must not take those of other projects along.
    const [claim] = await callProcedure(config, 'claim_logo_imports', { p_limit: 1 }, claimed);
    if (!claim) break;
    try {
      await importLogo(config, claim);
      counts.imported += 1;
    } catch (error) {
      // Retried later; until then the project shows its initials.
      counts.failed += 1;
      log('warn', 'logo_import_failed', { startupId: claim.startup_id, reason: reasonOf(error) });
    }
  } while (performance.now() < deadline);
  return counts;
}

async function importLogo(config: Config, { startup_id, owner_user_id, url }: Claim): Promise<void> {
  const bytes = await fetchPublic(url, LIMITS, denoNetwork);
  const picture = await inspectPicture(bytes);
  if (picture.mime === 'image/gif') throw new FunctionError('NOT_A_PICTURE');
  const path = `${owner_user_id}/${owner_user_id}_${picture.sha256.slice(0, 16)}.${picture.mime.slice('image/'.length)}`;
  await upload(config, BUCKET, path, bytes, picture.mime);
  const { id, version } = await callProcedure(config, 'get_stored_file', { p_bucket: BUCKET, p_path: path }, stored);
  const found = {
    p_bucket: BUCKET,
    p_path: path,
    p_object_id: id,
    p_version: version,
    p_sha256: picture.sha256,
    p_dhash: picture.dhash,
    p_bytes: picture.bytes,
    p_mime: picture.mime,
  };
  await callProcedure(config, 'record_verified_upload', found, z.unknown());
  const done = { p_startup_id: startup_id, p_url: url, p_path: path };
  await callProcedure(config, 'complete_logo_import', done, z.boolean());
}
