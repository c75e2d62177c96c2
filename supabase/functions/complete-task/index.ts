/**
 * Takes a signed call of a project's own system: the member with this token has done the task (BEY-13). `POST
 * /complete-task/{project id}` with `{ token }`, signed with one of the project's secrets as Standard Webhooks say. A call counts
 * once by its `webhook-id`. Answers `{ ok: true, status, message }`.
 */
import { z } from 'zod';
import { parseJson, readText } from '../_shared/body.ts';
import { databaseVariables, lazyConfig, siteVariables } from '../_shared/config.ts';
import { callProcedure, limitRate } from '../_shared/database.ts';
import { DatabaseError, FunctionError } from '../_shared/errors.ts';
import { serveFunction } from '../_shared/serve.ts';
import { isFresh, verifySignature } from '../_shared/signature.ts';

const MAX_BODY_BYTES = 16 * 1024;
const CALLS_PER_MINUTE = 600;

const variables = databaseVariables.extend(siteVariables.shape);
type Config = z.infer<typeof variables>;

const projectId = z.uuid();
const signatureHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const callId = z.string().min(1).max(256);
const input = z.object({ token: z.string().min(1).max(64) });
const secrets = z.array(z.string());
const completions = z.tuple([z.object({ status: z.number(), code: z.string(), message: z.string() })]);

serveFunction({ name: 'complete-task', config: lazyConfig(variables), post: receive });

async function receive(request: Request, config: Config): Promise<Response> {
  const body = await readText(request, MAX_BODY_BYTES);
  const project = projectId.safeParse(new URL(request.url).pathname.split('/').at(-1));
  const id = callId.safeParse(request.headers.get('webhook-id'));
  const missing = signatureHeaders.filter((name) => !request.headers.get(name));
  if (!project.success || !id.success || missing.length > 0) {
    throw new FunctionError(
      'INVALID_SIGNATURE',
      missing.map((name) => `${name}: missing`),
    );
  }
  if (!isFresh(request.headers)) throw new FunctionError('STALE_SIGNATURE');
  const known = await callProcedure(config, 'get_signing_secrets', { p_startup_id: project.data }, secrets);
  verifySignature(request.headers, 'webhook', body, known);

  await limitRate(config, `project:${project.data}`, 'signed_call', CALLS_PER_MINUTE, 60);
  const call = input.safeParse(parseJson(body));
  if (!call.success) throw new FunctionError('INVALID_INPUT', ['token: the token from the member’s link']);
  const args = { p_startup_id: project.data, p_call_id: id.data, p_token: call.data.token };
  const [{ status, code, message }] = await callProcedure(config, 'complete_task_by_call', args, completions);
  if (status !== 200) throw new DatabaseError(code, message, status);
  return Response.json({ ok: true, status: code, message });
}
