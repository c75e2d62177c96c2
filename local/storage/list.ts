import { z } from 'zod';
import type { Caller } from '../gateway/caller.ts';
import type { StorageDatabase, StoredObject } from './database.ts';
import { StorageError } from './storage-error.ts';

const listSchema = z.object({
  prefix: z.string().default(''),
  search: z.string().default(''),
  limit: z.int().min(1).max(1000).default(100),
  offset: z.int().min(0).default(0),
  sortBy: z
    .object({
      column: z.enum(['name', 'created_at', 'updated_at', 'last_accessed_at']).default('name'),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .default({ column: 'name', order: 'asc' }),
});

/**
 * Files and folders directly below a folder, among the objects that the caller may see. A folder is a name without an
 * id. `search` keeps names that begin with it.
 */
export async function listObjects(database: StorageDatabase, caller: Caller, bucket: string, body: unknown) {
  const parsed = listSchema.safeParse(body);
  if (!parsed.success) throw new StorageError(400, 'InvalidRequest', z.prettifyError(parsed.error));
  const { prefix, search, limit, offset, sortBy } = parsed.data;
  const folder = prefix.replace(/^\/+|\/+$/g, '');
  const start = folder === '' ? '' : `${folder}/`;

  const { rows } = await database.as(caller, (client) =>
    client.query<Partial<StoredObject> & { name: string }>(
      // Column and order come from the two closed lists above.
      `with below as (
         select *, split_part(substr(name, length($2) + 1), '/', 1) as entry,
           strpos(substr(name, length($2) + 1), '/') > 0 as is_folder
         from storage.objects
         where bucket_id = $1 and starts_with(name, $2)
       )
       select entry as name, id, updated_at, created_at, last_accessed_at, metadata
       from below where not is_folder and starts_with(lower(entry), lower($3))
       union all
       select distinct entry, null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb
       from below where is_folder and starts_with(lower(entry), lower($3))
       order by ${sortBy.column} ${sortBy.order}, name limit $4 offset $5`,
      [bucket, start, search, limit, offset],
    ),
  );
  return rows;
}
