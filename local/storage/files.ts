import { createReadStream } from 'node:fs';
import { copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toWebStream } from '../process/web-stream.ts';

/**
 * The bytes of the objects, one file for each version of each object. A file's name is the version, a random id, and
 * never anything that a caller chose; which object it belongs to, storage.objects knows.
 */
export class Files {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async write(version: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    await writeFile(this.#path(version), bytes);
  }

  async copy(version: string, copied: string): Promise<void> {
    await copyFile(this.#path(version), this.#path(copied));
  }

  /** The file as a stream with its size in bytes; undefined when it is gone. */
  async read(version: string): Promise<{ stream: ReadableStream; size: number } | undefined> {
    try {
      const { size } = await stat(this.#path(version));
      return { stream: toWebStream(createReadStream(this.#path(version))), size };
    } catch {
      return undefined;
    }
  }

  async remove(versions: string[]): Promise<void> {
    await Promise.all(versions.map((version) => rm(this.#path(version), { force: true })));
  }

  #path(version: string): string {
    return join(this.#directory, version);
  }
}
