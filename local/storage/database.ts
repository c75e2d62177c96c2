import pg from 'pg';
import type { Caller } from '../gateway/caller.ts';

export interface Bucket {
  id: string;
  public: boolean;
  /** Bytes; null = only the platform's own limit. */
  file_size_limit: string | null;
  /** Exact types or `image/*`; null = any. */
  allowed_mime_types: string[] | null;
}

/** A row of storage.objects. `version` names the file that holds the bytes. */
export interface StoredObject {
  id: string;
  name: string;
  bucket_id: string;
  owner_id: string | null;
  version: string;
  metadata: ObjectMetadata;
  user_metadata: unknown;
  created_at: Date;
  updated_at: Date;
  last_accessed_at: Date;
}

export interface ObjectMetadata {
  size: number;
  mimetype: string;
  cacheControl: string;
  /** Quoted, as in the HTTP header. */
  eTag: string;
  lastModified: string;
  contentLength: number;
  httpStatusCode: 200;
}

/** The platform itself, which no policy binds. */
export const SERVICE: Caller = { role: 'service_role', claims: { role: 'service_role' } };

/** Accesses the database as the caller, so that the policies on storage.objects decide, exactly as on the platform. */
export class StorageDatabase {
  readonly #pool: pg.Pool;

  /** `url` is that of the role authenticator, who may become any API role and nothing else. */
  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url, max: 5 });
    // A server that stops closes idle connections; the supervisor reports that, not the pool.
    this.#pool.on('error', () => undefined);
  }

  /** Runs `work` in one transaction with the caller's role and claims. */
  async as<T>(
    { role, claims }: Pick<Caller, 'role' | 'claims'>,
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      await client.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
        role,
        JSON.stringify(claims),
      ]);
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  /** Runs `work` as the caller and rolls back: whether the policies would allow it. */
  async rehearse(
    caller: Pick<Caller, 'role' | 'claims'>,
    work: (client: pg.PoolClient) => Promise<void>,
  ): Promise<void> {
    const undo = new Error('rolled back');
    const run = this.as(caller, async (client) => {
      await work(client);
      throw undo;
    });
    await run.catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  }

  /** For what every caller may know regardless of the policies, such as a bucket's limits. */
  asService<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.as(SERVICE, work);
  }

  async bucket(id: string): Promise<Bucket | undefined> {
    const { rows } = await this.asService((client) =>
      client.query<Bucket>(
        'select id, public, file_size_limit, allowed_mime_types from storage.buckets where id = $1',
        [id],
      ),
    );
    return rows[0];
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** One object that the caller may see. */
export async function findObject(
  client: pg.PoolClient,
  bucket: string,
  name: string,
): Promise<StoredObject | undefined> {
  const { rows } = await client.query<StoredObject>(
    'select * from storage.objects where bucket_id = $1 and name = $2',
    [bucket, name],
  );
  return rows[0];
}
