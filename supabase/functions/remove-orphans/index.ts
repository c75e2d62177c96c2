/** Removes unreferenced files and files of erased people (TRUST-26). Answers `{ ok: true, removed }`. */
import { z } from 'zod';
import { lazyConfig } from '../_shared/config.ts';
import { callProcedure } from '../_shared/database.ts';
import { removeFiles } from '../_shared/storage.ts';
import { serveWorker, workerVariables } from '../_shared/worker.ts';

const PAGE = 1_000;

type Config = z.infer<typeof workerVariables>;

const page = z.array(z.object({ bucket: z.string(), path: z.string(), is_orphan: z.boolean() }));
type Row = z.infer<typeof page>[number];

serveWorker({ name: 'remove-orphans', config: lazyConfig(workerVariables), run: removeOrphans });

async function removeOrphans(config: Config) {
  let removed = 0;
  let last: Row | undefined;
  do {
    const args = { p_after_bucket: last?.bucket ?? '', p_after_path: last?.path ?? '', p_limit: PAGE };
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
    last = rows.at(-1);
  } while (last);
  return { removed };
}
