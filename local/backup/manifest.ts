import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../process/user-error.ts';

export const MANIFEST_FILE = 'manifest.json';

const table = z.object({
  /** "public"."wallets": quoted, as used in statements. */
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number(),
  /** Below the backup's directory, compressed, in COPY's text format. */
  file: z.string(),
  sha256: z.string(),
});

const storedFile = z.object({
  bucket: z.string(),
  name: z.string(),
  /** Of the row in storage.objects, to which private.verified_uploads refers. */
  id: z.string(),
  version: z.string().nullable(),
  owner_id: z.string().nullable(),
  created_at: z.string(),
  mime: z.string(),
  /** The header with which it is served; backups of earlier versions have neither this nor the metadata. */
  cache_control: z.string().nullable().default(null),
  /** What the uploader said about it. */
  user_metadata: z.record(z.string(), z.unknown()).nullable().default(null),
  /** Hash of the bytes, which is their name in the folder files. */
  sha256: z.string(),
});

const FORMAT = 1;

const manifest = z.object({
  format: z.literal(FORMAT),
  /** When the snapshot was taken, ISO 8601. */
  takenAt: z.string(),
  /** The applied migrations. */
  migrations: z.array(z.string()),
  tables: z.array(table),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
  files: z.array(storedFile),
});

export type Manifest = z.infer<typeof manifest>;
export type StoredFile = z.infer<typeof storedFile>;

/** Reads a backup's manifest. */
export function readManifest(directory: string): Manifest {
  let format: unknown;
  try {
    const content = JSON.parse(readFileSync(join(directory, MANIFEST_FILE), 'utf8'));
    format = content.format;
    return manifest.parse(content);
  } catch {
    if (typeof format === 'number' && format > FORMAT)
      throw new UserError(
        `A later version of Questboard wrote this backup (format ${format}). Check that version out.`,
      );
    throw new UserError(`${directory} holds no whole backup: ${MANIFEST_FILE} is missing or damaged.`);
  }
}

/** Throws unless every file is present and unchanged. */
export async function verifyBackup(directory: string, { tables, files }: Manifest): Promise<void> {
  const wanted = new Map(tables.map(({ file, sha256 }) => [file, sha256]));
  for (const { sha256 } of files) wanted.set(join('files', sha256), sha256);
  for (const [file, sha256] of wanted) {
    const actual = await hashOf(join(directory, file)).catch(() => 'missing');
    if (actual !== sha256) throw new UserError(`The backup is damaged: ${file} is not what was written.`);
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
