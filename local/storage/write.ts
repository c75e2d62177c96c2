import { createHash, randomUUID } from 'node:crypto';
import type { Caller } from '../gateway/caller.ts';
import type { ObjectMetadata, StorageDatabase, StoredObject } from './database.ts';
import type { Files } from './files.ts';
import { bucketNotFound } from './storage-error.ts';
import { readUpload, type Upload } from './upload-body.ts';

/**
 * Stores an upload as the platform does: the caller's policies are checked with a row that is rolled back, before the
 * bytes arrive and without their size; the final row is written by the service. So two concurrent uploads may both pass a
 * count in a policy, and one may replace the other. Bytes are written first under a new version: no row points to
 * missing ones.
 */
export async function writeObject(
  database: StorageDatabase,
  files: Files,
  caller: Caller,
  target: { bucket: string; name: string; isUpsert: boolean; request: Request },
): Promise<{ Id: string; Key: string }> {
  const bucket = await database.bucket(target.bucket);
  if (!bucket) throw bucketNotFound();
  const { bucket: bucketId, name } = target;
  const candidate = { bucket: bucketId, name, owner: caller.claims.sub ?? null, version: randomUUID() };
  const asked: NewRow = { ...candidate, metadata: null, userMetadata: null };
  await database.rehearse(caller, async (client) => {
    await (target.isUpsert ? upsert : insert)(client, asked);
  });

  const upload = await readUpload(target.request, bucket);
  const row: NewRow = { ...candidate, metadata: describeUpload(upload), userMetadata: upload.userMetadata };
  await files.write(row.version, upload.bytes);
  try {
    const { id, replaced } = await database.asService((client) => upsert(client, row));
    await files.remove(replaced);
    return { Id: id, Key: `${target.bucket}/${target.name}` };
  } catch (error) {
    await files.remove([row.version]);
    throw error;
  }
}

interface NewRow {
  bucket: string;
  name: string;
  owner: string | null;
  version: string;
  metadata: ObjectMetadata | null;
  userMetadata: unknown;
}

type Write = Parameters<Parameters<StorageDatabase['as']>[1]>[0];

const values = (row: NewRow) => [
  row.bucket,
  row.name,
  row.owner,
  row.version,
  row.metadata === null ? null : JSON.stringify(row.metadata),
  row.userMetadata === null ? null : JSON.stringify(row.userMetadata),
];

/** Without "returning": that would require a select policy, which a plain upload on the platform does not. */
async function insert(client: Write, row: NewRow): Promise<void> {
  await client.query(
    `insert into storage.objects (bucket_id, name, owner_id, version, metadata, user_metadata)
     values ($1, $2, $3, $4, $5, $6)`,
    values(row),
  );
}

/** Needs insert, select and update policies, as on the platform. */
async function upsert(client: Write, row: NewRow): Promise<{ id: string; replaced: string[] }> {
  const before = await client.query<Pick<StoredObject, 'version'>>(
    'select version from storage.objects where bucket_id = $1 and name = $2 for update',
    [row.bucket, row.name],
  );
  const { rows } = await client.query<Pick<StoredObject, 'id'>>(
    `insert into storage.objects (bucket_id, name, owner_id, version, metadata, user_metadata)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (bucket_id, name) do update set
       owner_id = excluded.owner_id, version = excluded.version, metadata = excluded.metadata,
       user_metadata = excluded.user_metadata, updated_at = now()
     returning id`,
    values(row),
  );
  return { id: rows[0]?.id ?? '', replaced: before.rows.map(({ version }) => version) };
}

function describeUpload({ bytes, mimetype, cacheControl }: Upload): ObjectMetadata {
  return {
    size: bytes.byteLength,
    mimetype,
    cacheControl,
    eTag: `"${createHash('md5').update(bytes).digest('hex')}"`,
    lastModified: new Date().toISOString(),
    contentLength: bytes.byteLength,
    httpStatusCode: 200,
  };
}
