import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type Caller, CallerRefused } from '../gateway/caller.ts';
import { findObject, SERVICE, type StorageDatabase, type StoredObject } from './database.ts';
import { fileResponse } from './file-response.ts';
import type { Files } from './files.ts';
import { listObjects } from './list.ts';
import { checkObjectName } from './object-name.ts';
import type { UrlSigner } from './signed-url.ts';
import { bucketNotFound, notFound, StorageError, toStorageError } from './storage-error.ts';
import { copyObject, moveObject, rehearseUpload, storeUpload, writeObject } from './write.ts';

export interface StorageOptions {
  database: StorageDatabase;
  files: Files;
  signer: UrlSigner;
  identify(headers: Headers): Promise<Caller>;
}

const removeSchema = z.object({ prefixes: z.array(z.string()).max(1000) });
const signSchema = z.object({ expiresIn: z.number() });
const signManySchema = signSchema.extend({ paths: z.array(z.string()).max(500) });
const relocationSchema = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationBucket: z.string().optional(),
  destinationKey: z.string(),
});
const copySchema = relocationSchema.extend({
  metadata: z.object({ mimetype: z.string(), cacheControl: z.string() }).partial().default({}),
});

/** The part of the hosted storage API that supabase-js calls for objects: all that somebody with a session token may try. */
export function createStorage({ database, files, signer, identify }: StorageOptions): Hono {
  const storage = new Hono();
  const identifyCaller = ({ req }: Context) => identify(req.raw.headers);

  storage.on(['GET', 'HEAD'], '/object/public/:bucket/:name{.+}', async (context) => {
    const { bucket, name } = target(context);
    const found = await database.bucket(bucket);
    if (!found?.public) throw bucketNotFound();
    const object = await database.asService((client) => findObject(client, bucket, name));
    if (!object) throw notFound();
    return fileResponse(context.req.raw, object, files);
  });

  storage.on(['GET', 'HEAD'], '/object/sign/:bucket/:name{.+}', async (context) => {
    const { bucket, name } = target(context);
    await signer.verify(context.req.query('token') ?? null, `${bucket}/${name}`);
    const object = await database.asService((client) => findObject(client, bucket, name));
    if (!object) throw notFound();
    return fileResponse(context.req.raw, object, files);
  });

  storage.post('/object/sign/:bucket/:name{.+}', async (context) => {
    const { bucket, name } = target(context);
    const { expiresIn } = await readJson(context, signSchema);
    await visibleObject(await identifyCaller(context), bucket, name);
    return context.json({ signedURL: await signer.sign(`${bucket}/${name}`, expiresIn) });
  });

  storage.post('/object/sign/:bucket', async (context) => {
    const caller = await identifyCaller(context);
    const bucket = context.req.param('bucket');
    const { expiresIn, paths } = await readJson(context, signManySchema);
    const signOne = async (path: string) => {
      const object = await database.as(caller, (client) => findObject(client, bucket, path));
      if (!object)
        return { error: 'Either the object does not exist or you do not have access to it', path, signedURL: null };
      return { error: null, path, signedURL: await signer.sign(`${bucket}/${path}`, expiresIn) };
    };
    return context.json(await Promise.all(paths.map(signOne)));
  });

  storage.post('/object/list/:bucket', async (context) => {
    const body = await readJson(context, z.unknown());
    return context.json(await listObjects(database, await identifyCaller(context), context.req.param('bucket'), body));
  });

  storage.get('/object/info/:bucket/:name{.+}', async (context) => {
    const { bucket, name } = target(context);
    const object = await visibleObject(await identifyCaller(context), bucket, name);
    const { size, mimetype, cacheControl, eTag, lastModified } = object.metadata;
    const { id, version, created_at, user_metadata } = object;
    return context.json({
      id,
      name,
      version,
      bucket_id: bucket,
      size,
      content_type: mimetype,
      cache_control: cacheControl,
      etag: eTag,
      metadata: user_metadata,
      last_modified: lastModified,
      created_at,
    });
  });

  storage.post('/object/copy', async (context) => {
    const { metadata, ...relocation } = await readJson(context, copySchema);
    const options = { isUpsert: context.req.header('x-upsert') === 'true', metadata };
    return context.json(await copyObject(database, files, await identifyCaller(context), relocation, options));
  });
  storage.post('/object/move', async (context) => {
    await moveObject(database, await identifyCaller(context), await readJson(context, relocationSchema));
    return context.json({ message: 'Successfully moved' });
  });

  // The policies are checked when the URL is signed, and not again when it is used.
  storage.post('/object/upload/sign/:bucket/:name{.+}', async (context) => {
    const caller = await identifyCaller(context);
    const { bucket, name } = target(context);
    const isUpsert = context.req.header('x-upsert') === 'true';
    const type = context.req.header('content-type');
    const metadata = type === undefined ? null : { mimetype: type };
    await rehearseUpload(database, caller, { bucket, name, isUpsert }, 'sign_upload_url', metadata);
    return context.json(await signer.signUpload(`${bucket}/${name}`, { owner: caller.claims.sub ?? null, isUpsert }));
  });
  storage.put('/object/upload/sign/:bucket/:name{.+}', async (context) => {
    const { bucket, name } = target(context);
    const { owner, isUpsert } = await signer.verifyUpload(context.req.query('token') ?? null, `${bucket}/${name}`);
    await rehearseUpload(database, SERVICE, { bucket, name, isUpsert }, 'upload_signed');
    const { Key } = await storeUpload(database, files, owner, { bucket, name, isUpsert, request: context.req.raw });
    return context.json({ Key });
  });

  const upload = async (context: Context, isUpsert: boolean) => {
    const caller = await identifyCaller(context);
    const request = context.req.raw;
    return context.json(await writeObject(database, files, caller, { ...target(context), isUpsert, request }));
  };
  storage.post('/object/:bucket/:name{.+}', (context) => upload(context, context.req.header('x-upsert') === 'true'));
  storage.put('/object/:bucket/:name{.+}', (context) => upload(context, true));

  const download = async (context: Context) => {
    const { bucket, name } = target(context);
    return fileResponse(context.req.raw, await visibleObject(await identifyCaller(context), bucket, name), files);
  };
  storage.on(['GET', 'HEAD'], '/object/authenticated/:bucket/:name{.+}', download);
  storage.on(['GET', 'HEAD'], '/object/:bucket/:name{.+}', download);

  storage.delete('/object/:bucket', async (context) => {
    const caller = await identifyCaller(context);
    const { prefixes } = await readJson(context, removeSchema);
    const removed = await database.as(caller, async (client) => {
      await client.query("select set_config('storage.allow_delete_query', 'true', true)");
      const { rows } = await client.query<StoredObject>(
        'delete from storage.objects where bucket_id = $1 and name = any ($2) returning *',
        [context.req.param('bucket'), prefixes],
      );
      return rows;
    });
    await files.remove(removed.map(({ version }) => version));
    return context.json(removed);
  });

  storage.onError((error) => {
    if (error instanceof CallerRefused) return new StorageError(403, 'Unauthorized', error.message).toResponse();
    const answer = toStorageError(error);
    if (answer.statusCode === 500) console.error('Storage:', error);
    return answer.toResponse();
  });
  return storage;

  async function visibleObject(caller: Caller, bucket: string, name: string): Promise<StoredObject> {
    const object = await database.as(caller, (client) => findObject(client, bucket, name));
    if (!object) throw notFound();
    return object;
  }
}

/** Bucket and object name of a request. The name is everything after the bucket, decoded once and checked. */
function target({ req }: Context): { bucket: string; name: string } {
  return { bucket: req.param('bucket') ?? '', name: checkObjectName(req.param('name') ?? '') };
}

async function readJson<T>({ req }: Context, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await req.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw new StorageError(400, 'InvalidRequest', z.prettifyError(parsed.error));
}
