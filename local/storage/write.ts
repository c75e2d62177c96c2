import { createHash, randomUUID } from 'node:crypto';
import type { Caller } from '../gateway/caller.ts';
import { findObject, type ObjectMetadata, type StorageDatabase, type StoredObject } from './database.ts';
import type { Files } from './files.ts';
import { checkObjectName } from './object-name.ts';
import { bucketNotFound, notFound } from './storage-error.ts';
import { readUpload, type Upload } from './upload-body.ts';

/** What the platform calls a request in `storage.operation`, which policies may read. */
type Operation = 'upload' | 'upload_update' | 'upload_signed' | 'copy' | 'move' | 'sign_upload_url';

export interface UploadTarget {
  bucket: string;
  name: string;
  isUpsert: boolean;
}

/**
 * Stores an upload as the platform does: the caller's policies are checked with a row that is rolled back, before the
 * bytes arrive and without their size; the final row is written by the service. So two concurrent uploads may both pass a
 * count in a policy, and one may replace the other.
 */
export async function writeObject(
  database: StorageDatabase,
  files: Files,
  caller: Caller,
  target: UploadTarget & { request: Request },
): Promise<{ Id: string; Key: string }> {
  await rehearseUpload(database, caller, target, target.request.method === 'PUT' ? 'upload_update' : 'upload');
  return storeUpload(database, files, caller.claims.sub ?? null, target);
}

/** Throws unless the caller's policies allow this row. `metadata`: what is known of the file by now. */
export async function rehearseUpload(
  database: StorageDatabase,
  caller: Caller,
  { bucket, name, isUpsert }: UploadTarget,
  operation: Operation,
  metadata: Partial<ObjectMetadata> | null = null,
): Promise<void> {
  if (!(await database.bucket(bucket))) throw bucketNotFound();
  const owner = caller.claims.sub ?? null;
  await database.rehearse(caller, async (client) => {
    await nameOperation(client, operation);
    await (isUpsert ? upsert : insert)(client, {
      bucket,
      name,
      owner,
      version: randomUUID(),
      metadata,
      userMetadata: null,
    });
  });
}

/** Stores an upload that the policies have allowed. Bytes are written first under a new version: no row points to missing ones. */
export async function storeUpload(
  database: StorageDatabase,
  files: Files,
  owner: string | null,
  { bucket: bucketId, name, request }: UploadTarget & { request: Request },
): Promise<{ Id: string; Key: string }> {
  const bucket = await database.bucket(bucketId);
  if (!bucket) throw bucketNotFound();
  const upload = await readUpload(request, bucket);
  const version = randomUUID();
  await files.write(version, upload.bytes);
  return keepFile(database, files, {
    bucket: bucketId,
    name,
    owner,
    version,
    metadata: describeUpload(upload),
    userMetadata: upload.userMetadata,
  });
}

/** `POST /object/copy` and `POST /object/move`: addresses of the file as it is and as it shall be. */
export interface Relocation {
  bucketId: string;
  sourceKey: string;
  destinationBucket?: string | undefined;
  destinationKey: string;
}

/** Copies an object that the caller may see to where the policies let them upload. `metadata` replaces the copy's. */
export async function copyObject(
  database: StorageDatabase,
  files: Files,
  caller: Caller,
  { bucketId, sourceKey, destinationBucket: bucket = bucketId, destinationKey }: Relocation,
  { isUpsert, metadata: changed }: { isUpsert: boolean; metadata: Partial<ObjectMetadata> },
): Promise<{ Id: string; Key: string }> {
  const source = await database.as(caller, (client) => findObject(client, bucketId, sourceKey));
  if (!source) throw notFound();
  const name = checkObjectName(destinationKey);
  const metadata = { ...source.metadata, ...changed };
  await rehearseUpload(database, caller, { bucket, name, isUpsert }, 'copy', metadata);
  const version = randomUUID();
  await files.copy(source.version, version);
  const owner = caller.claims.sub ?? null;
  return keepFile(database, files, { bucket, name, owner, version, metadata, userMetadata: source.user_metadata });
}

/** Renames an object; select and update policies decide. */
export async function moveObject(
  database: StorageDatabase,
  caller: Caller,
  { bucketId, sourceKey, destinationBucket = bucketId, destinationKey }: Relocation,
): Promise<void> {
  const name = checkObjectName(destinationKey);
  const move = async (client: Write) => {
    await nameOperation(client, 'move');
    const { rowCount } = await client.query(
      'update storage.objects set bucket_id = $3, name = $4, updated_at = now() where bucket_id = $1 and name = $2',
      [bucketId, sourceKey, destinationBucket, name],
    );
    if (rowCount === 0) throw notFound();
  };
  await database.rehearse(caller, move);
  await database.asService(move);
}

/** Writes the row of a file that is there; the file that it replaces, or this one when that fails, is removed. */
async function keepFile(database: StorageDatabase, files: Files, row: NewRow): Promise<{ Id: string; Key: string }> {
  try {
    const { id, replaced } = await database.asService((client) => upsert(client, row));
    await files.remove(replaced);
    return { Id: id, Key: `${row.bucket}/${row.name}` };
  } catch (error) {
    await files.remove([row.version]);
    throw error;
  }
}

const nameOperation = (client: Write, operation: Operation) =>
  client.query("select set_config('storage.operation', $1, true)", [`storage.object.${operation}`]);

interface NewRow {
  bucket: string;
  name: string;
  owner: string | null;
  version: string;
  metadata: Partial<ObjectMetadata> | null;
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
