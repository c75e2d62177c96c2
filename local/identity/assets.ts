import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pacote from 'pacote';

/** A package whose `dist` files the browser loads, pinned by content. */
export interface ClerkPackage {
  /** As in `/npm/@clerk/{name}@{version}/dist/…`. */
  name: string;
  version: string;
  /** Subresource integrity of the packed tarball, as the registry publishes it. */
  integrity: string;
  /** Where to get it when not from the registry: a tarball's path or URL. */
  source?: string;
}

/** What `@clerk/react` 6.17.2 asks for. Not dependencies, because installing them pulls in some 970 packages. */
export const clerkPackages: readonly ClerkPackage[] = [
  {
    name: 'clerk-js',
    version: '6.34.1',
    integrity: 'sha512-PcM/x9lzmDU5bQ8jaJjkWYncJbAYL5hlxHG3jkO4SLG39apLqfBuFCaRw27ptIkwRCTJnY+a6Nvml3gk8G1CZA==',
  },
  {
    name: 'ui',
    version: '1.34.0',
    integrity: 'sha512-EP6Wcf+iqV5hJRMjfmVSOb7wWEgt2DuUOnR3Yv/ULPdmGgGWa64oc4tB4VfD66z8nXgtXqHEXNNnGURAOfQ7vQ==',
  },
];

export interface PrepareOptions {
  packages?: readonly ClerkPackage[];
  /** Called before each download, with a line for the terminal. */
  onProgress?: (line: string) => void;
  /** How often a failed download is retried; twice by default. */
  retries?: number;
}

export function packageDirectory(cacheDir: string, { name, version }: ClerkPackage): string {
  return join(cacheDir, `${name}-${version}`);
}

/**
 * Makes sure that Clerk's browser files are unpacked under `cacheDir`, downloading what is missing. A package is
 * complete or absent, even when two starts run at once. Throws one sentence when the registry cannot be reached or
 * returns something else than what is pinned.
 */
export async function prepareClerkAssets(cacheDir: string, options: PrepareOptions = {}): Promise<void> {
  for (const clerkPackage of options.packages ?? clerkPackages) {
    const target = packageDirectory(cacheDir, clerkPackage);
    if (await exists(target)) continue;
    options.onProgress?.(`Fetching @clerk/${clerkPackage.name} ${clerkPackage.version}`);
    await unpack(clerkPackage, cacheDir, target, options.retries ?? 2);
  }
}

async function unpack(clerkPackage: ClerkPackage, cacheDir: string, target: string, retries: number): Promise<void> {
  const { name, version, integrity, source } = clerkPackage;
  await mkdir(cacheDir, { recursive: true });
  const draft = await mkdtemp(join(cacheDir, '.unpacking-'));
  try {
    await pacote.extract(source ?? `@clerk/${name}@${version}`, join(draft, 'package'), {
      integrity,
      // npm passes its settings to the scripts it runs, so a company's mirror is respected.
      ...(process.env.npm_config_registry ? { registry: process.env.npm_config_registry } : {}),
      cache: join(draft, 'downloads'),
      fetchRetries: retries,
    });
    await rename(join(draft, 'package'), target).catch(async (error: unknown) => {
      // Another start was faster.
      if (!(await exists(target))) throw error;
    });
  } catch (cause) {
    throw new Error(explain(clerkPackage, cause), { cause });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function explain({ name, version }: ClerkPackage, cause: unknown): string {
  const what = `@clerk/${name} ${version}`;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'EINTEGRITY') return `${what} was refused: its content is not the one that is pinned.`;
  if (code === 'EACCES' || code === 'EROFS') return `${what} could not be unpacked: no permission to write.`;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return `${what} could not be fetched from the npm registry, which the first start needs (${reason}).`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
