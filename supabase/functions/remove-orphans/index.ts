/**
 * Removes files to which nothing refers any more, and what erased people left (TRUST-26). A schedule calls it with the
 * secret key (docs/deploy.md). Answers `{ ok: true, removed }`.
 */
import { z } from 'zod';
import { isServiceCall } from '../_shared/auth.ts';
import { databaseVariables, lazyConfig, siteVariables } from '../_shared/config.ts';
import { callProcedure } from '../_shared/database.ts';
import { FunctionError } from '../_shared/errors.ts';
import { serveFunction } from '../_shared/serve.ts';
import { removeFiles } from '../_shared/storage.ts';

const PAGE = 1_000;

const variables = databaseVariables.extend(siteVariables.shape);
type Config = z.infer<typeof variables>;

const page = z.array(z.object({ bucket: z.string(), path: z.string(), is_orphan: z.boolean() }));
type Row = z.infer<typeof page>[number];

serveFunction({ name: 'remove-orphans', config: lazyConfig(variables), post: removeOrphans });

async function removeOrphans(request: Request, config: Config): Promise<Response> {
  if (!(await isServiceCall(request, config))) throw new FunctionError('FORBIDDEN');
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
  return Response.json({ ok: true, removed });
}
