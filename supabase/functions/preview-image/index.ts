/**
 * The link preview image of a quest, project, public profile or invitation (BEY-17): `GET
 * ?kind=quest&key=<id>&preview=<name>`. Rendered on first request and stored under a content hash. Anything missing or
 * not public gets the site's image.
 */
import { z } from 'zod';
import { databaseVariables, lazyConfig, siteVariables } from '../_shared/config.ts';
import { callProcedure } from '../_shared/database.ts';
import { DatabaseError, FunctionError } from '../_shared/errors.ts';
import { serveFunction } from '../_shared/serve.ts';
import { download, upload } from '../_shared/storage.ts';
import { drawPreview, type PreviewKind, previewOf } from './drawing.ts';
import { logoOf } from './logo.ts';
import { renderPng } from './render.ts';

const BUCKET = 'previews';
const HOUR = 3_600;
/** Drawings an hour: of one page, whose words may change as often, and of all pages together. */
const LIMITS = { page: 10, everything: 600 };

const variables = databaseVariables.extend(siteVariables.shape);
type Config = z.infer<typeof variables>;

const input = z.object({
  kind: z.enum(['quest', 'project', 'member', 'invitation']),
  key: z.string().max(100).default(''),
  preview: z.string().max(100).default(''),
});

const facts = z.object({
  state: z.string(),
  key: z.string().nullable(),
  title: z.string().nullable(),
  project_name: z.string().nullable(),
  logo_url: z.string().nullable(),
  reward_points: z.number().nullable(),
  reward_title: z.string().nullable(),
  open_quests: z.number().nullable(),
  level: z.number().nullable(),
  preview: z.string().nullable(),
});
type Facts = z.infer<typeof facts>;

serveFunction({ name: 'preview-image', config: lazyConfig(variables), get: answerPicture });

async function answerPicture(request: Request, config: Config): Promise<Response> {
  const asked = input.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!asked.success) throw new FunctionError('INVALID_INPUT', ['kind, key or preview: wrong']);
  const { kind, key, preview } = asked.data;
  const [page] = await callProcedure(config, 'get_page_facts', { p_kind: kind, p_key: key }, z.array(facts));
  if (page?.state !== 'shown' || page.preview === null) return sitePicture(config);
  const path = `${kind}/${page.key ?? 'all'}/${page.preview}.png`;
  const png = (await stored(config, path)) ?? (await draw(config, kind, page, path));
  if (png === null) return sitePicture(config);
  // Immutable under its own name; under an outdated one the current image is served.
  const age = preview === page.preview ? 'max-age=31536000, immutable' : 'max-age=60';
  return new Response(png, { headers: { 'content-type': 'image/png', 'cache-control': `public, ${age}` } });
}

const sitePicture = ({ SITE_URL }: Config) =>
  new Response(null, {
    status: 302,
    headers: { location: `${SITE_URL}/preview.png`, 'cache-control': 'public, max-age=60' },
  });

/** Null when there is none, or only its row, as after a restore without the files: then it is drawn again. */
async function stored(config: Config, path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await callProcedure(config, 'get_stored_file', { p_bucket: BUCKET, p_path: path }, z.unknown());
  if (row === null) return null;
  return await download(config, BUCKET, path).catch((error: unknown) => {
    if (error instanceof DatabaseError && error.code === 'FILE_NOT_FOUND') return null;
    throw error;
  });
}

/** Null when the rate limit is reached. Concurrent requests render the same image and store it under the same name. */
async function draw(
  config: Config,
  kind: PreviewKind,
  page: Facts,
  path: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const isAllowed =
    (await take(config, `preview:${kind}:${page.key}`, LIMITS.page)) &&
    (await take(config, 'everybody', LIMITS.everything));
  if (!isAllowed) return null;
  const logo = await logoOf(config, page.logo_url);
  const png = await renderPng(drawPreview(previewOf(kind, page, logo)), readModule);
  await upload(config, BUCKET, path, png, 'image/png');
  return png;
}

const take = (config: Config, subject: string, limit: number) =>
  callProcedure(
    config,
    'take_rate_limit',
    { p_subject: subject, p_action: 'preview_image', p_limit: limit, p_window_seconds: HOUR },
    z.boolean(),
  );

const readModule = () => Deno.readFile(new URL(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm')));
