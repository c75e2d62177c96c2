/** Removes unreferenced files and files of erased people (TRUST-26). Answers `{ ok: true, removed }`. */
import { z } from 'zod';
import { lazyConfig } from '../_shared/config.ts';
import { callProcedure } from '../_shared/database.ts';
import { removeFiles } from '../_shared/storage.ts';
import { serveWorker, workerVariables } from '../_shared/worker.ts';

const PAGE = 1_000;
/** No further page is claimed after this time: the platform ends functions after 150 s. The next run goes on where this one ended. */
const CLAIMING_MS = 100_000;

type Config = z.infer<typeof workerVariables>;

const page = z.array(z.object({ bucket: z.string(), path: z.string(), is_orphan: z.boolean() }));

serveWorker({ name: 'remove-orphans', config: lazyConfig(workerVariables), run: removeOrphans });

async function removeOrphans(config: Config) {
  const deadline = performance.now() + CLAIMING_MS;
  let removed = 0;
  let looked = 0;
  do {
    const args = { p_after_bucket: null, p_after_path: null, p_limit: PAGE };
    const rows = await callProcedure(config, 'claim_orphaned_files', args, page);
    const orphans = Map.groupBy(
      rows.filter(({ is_orphan }) => is_orphan),
      ({ bucket }) => bucket,
    );
    for (const [bucket, files] of orphans) {
      removed += await removeFiles(
        config,
        bucket,
        files.map(({ path }) => path),
      );
    }
    looked = rows.length;
  } while (looked > 0 && performance.now() < deadline);
  return { removed };
}
