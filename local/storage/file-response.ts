import type { StoredObject } from './database.ts';
import type { Files } from './files.ts';
import { notFound } from './storage-error.ts';

/** Types that a browser would run, served as plain text. The platform does that with text/html alone. */
const ACTIVE_TYPES =
  /^(text\/html|application\/xhtml\+xml|image\/svg\+xml|text\/xml|application\/xml|text\/javascript)/i;

/**
 * Answers with an object's bytes. Whatever was uploaded, it cannot run as a page of this origin: no sniffing, no
 * scripts, active types as text. `?download=name` makes it an attachment.
 */
export async function fileResponse(request: Request, object: StoredObject, files: Files): Promise<Response> {
  const { mimetype, cacheControl, eTag, lastModified } = object.metadata;
  const headers = new Headers({
    'cache-control': cacheControl,
    'content-security-policy': "default-src 'none'; sandbox",
    'content-type': ACTIVE_TYPES.test(mimetype) ? 'text/plain; charset=utf-8' : mimetype,
    'cross-origin-resource-policy': 'cross-origin',
    etag: eTag,
    'last-modified': new Date(lastModified).toUTCString(),
    'x-content-type-options': 'nosniff',
  });
  const download = new URL(request.url).searchParams.get('download');
  if (download !== null) headers.set('content-disposition', attachment(download || fileName(object.name)));
  if (request.headers.get('if-none-match') === eTag) return new Response(null, { status: 304, headers });

  const file = await files.read(object.version);
  if (!file) throw notFound();
  headers.set('content-length', String(file.size));
  if (request.method !== 'HEAD') return new Response(file.stream, { headers });
  await file.stream.cancel();
  return new Response(null, { headers });
}

const fileName = (name: string): string => name.slice(name.lastIndexOf('/') + 1);

const attachment = (name: string): string => `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;
