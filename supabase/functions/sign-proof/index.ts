/**
 * Signs a URL of a screenshot for those who may see it (its member, the quest's owner, admins), valid for five minutes.
 * The lifetime is fixed here, because nobody else can sign URLs of others' files (C-59). Takes `{ path }`, answers `{
 * ok: true, url }`.
 */
import { z } from 'zod';
import { requireUser } from '../_shared/auth.ts';
import { readJson } from '../_shared/body.ts';
import { databaseVariables, identityVariables, lazyConfig, siteVariables } from '../_shared/config.ts';
import { callAsCaller } from '../_shared/database.ts';
import { serveFunction } from '../_shared/serve.ts';
import { signLink } from '../_shared/storage.ts';

const MAX_BODY_BYTES = 4 * 1024;
const LINK_SECONDS = 300;

const variables = databaseVariables.extend(siteVariables.shape).extend(identityVariables.shape);
type Config = z.infer<typeof variables>;

const input = z.object({ path: z.string().min(3).max(1024) });

serveFunction({ name: 'sign-proof', config: lazyConfig(variables), post: signProof });

async function signProof(request: Request, config: Config): Promise<Response> {
  await requireUser(request, config);
  const { path } = await readJson(request, input, MAX_BODY_BYTES);
  const allowed = await callAsCaller(config, request, 'authorize_proof_link', { p_path: path }, z.string());
  // A path without host: the caller knows the project's public URL, this function may only know an internal one.
  return Response.json({ ok: true, url: await signLink(config, 'proofs', allowed, LINK_SECONDS) });
}
