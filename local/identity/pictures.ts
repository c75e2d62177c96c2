import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomId } from './ids.ts';

/** Clerk's limit, in bytes. */
export const largestPicture = 10 * 1024 * 1024;

const extensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};
const namePattern = /^img_[A-Za-z0-9]+\.(png|jpg|gif|webp)$/;

/** Profile pictures: one file per upload, because browsers keep what an address has shown. */
export class Pictures {
  readonly #directory: string;

  constructor(dataDir: string) {
    this.#directory = join(dataDir, 'pictures');
  }

  /** Stores a picture and returns its name; null when its type is none that Clerk accepts. */
  async add(picture: Blob): Promise<string | null> {
    const extension = extensions[picture.type];
    if (!extension) return null;
    const name = `${randomId('img')}.${extension}`;
    await mkdir(this.#directory, { recursive: true });
    await writeFile(join(this.#directory, name), new Uint8Array(await picture.arrayBuffer()));
    return name;
  }

  /** The picture of this name, undefined when there is none. */
  async read(name: string): Promise<{ type: string; bytes: Uint8Array<ArrayBuffer> } | undefined> {
    const [, extension] = namePattern.exec(name) ?? [];
    const type = Object.keys(extensions).find((known) => extensions[known] === extension);
    if (!type) return undefined;
    const bytes = await readFile(join(this.#directory, name)).catch(() => undefined);
    return bytes && { type, bytes: new Uint8Array(bytes) };
  }

  /** Removes the picture with this address, if there is one. */
  async remove(url: string | null | undefined): Promise<void> {
    const name = url?.slice(url.lastIndexOf('/') + 1) ?? '';
    if (namePattern.test(name)) await rm(join(this.#directory, name), { force: true });
  }
}
