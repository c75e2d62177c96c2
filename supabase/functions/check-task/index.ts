/**
 * Asks a project whether a member has done a task (BEY-13). The member's page sends `{ taskId }`, with `expectedReward`, the points that
 * were shown, and `email`, `subscribes` and `consent` where the quest collects addresses, and gets `{ ok: true, status, message }`. The
 * founder's form sends `{ testUrl }` before it saves an address, and gets `{ ok: true, completed }`; with `{ listSources: true }` it
 * learns whom a check can ask here: `{ ok: true, sources }`.
 */
import { z } from 'zod';
import { requireUser } from '../_shared/auth.ts';
import { readJson } from '../_shared/body.ts';
import { callAsCaller, callProcedure, limitRate } from '../_shared/database.ts';
import { DatabaseError, FunctionError } from '../_shared/errors.ts';
import { serveFunction } from '../_shared/serve.ts';
import { type CheckConfig, checkConfig } from './config.ts';
import { connectors, type Finding, sourcesOf } from './connectors.ts';

const MAX_BODY_BYTES = 8 * 1024;
const TESTS_PER_MINUTE = 10;
/** Token for testing an endpoint; no member has it. */
const TEST_TOKEN = 'test';

const check = z.object({
  taskId: z.uuid(),
  email: z.string().max(254).nullish(),
  subscribes: z.boolean().nullish(),
  consent: z.string().max(2000).nullish(),
  expectedReward: z.int32().min(0).nullish(),
});
const input = z.union([
  check,
  z.object({ testUrl: z.string().min(1).max(2048) }),
  z.object({ listSources: z.literal(true) }),
]);
const questions = z.array(
  z.object({ source: z.enum(['endpoint', 'github_pull_request']), target: z.string(), token: z.string() }),
);
const completions = z.tuple([z.object({ status: z.number(), code: z.string(), message: z.string() })]);

serveFunction({ name: 'check-task', config: checkConfig, post: answer });

async function answer(request: Request, config: CheckConfig): Promise<Response> {
  const userId = await requireUser(request, config);
  const asked = await readJson(request, input, MAX_BODY_BYTES);
  if ('listSources' in asked) return Response.json({ ok: true, sources: sourcesOf(config) });
  if ('testUrl' in asked) return await test(request, userId, asked.testUrl, config);
  return await verify(request, userId, asked, config);
}

async function verify(
  request: Request,
  userId: string,
  { taskId, email, subscribes, consent, expectedReward }: z.infer<typeof check>,
  config: CheckConfig,
): Promise<Response> {
  const start = {
    p_task_id: taskId,
    p_email: email ?? null,
    p_subscribe: subscribes ?? false,
    p_expected_reward: expectedReward ?? null,
    p_consent: consent ?? null,
  };
  await callAsCaller(config, request, 'start_task', start, z.unknown());
  const member = { p_user_id: userId, p_task_id: taskId };
  const [question] = await callProcedure(config, 'begin_check', member, questions);
  if (!question) throw new FunctionError('CHECK_SWITCHED_OFF');
  const finish = (problem: string | null, actions: string[] | null) =>
    callProcedure(config, 'finish_check', { ...member, p_problem: problem, p_actions: actions }, completions);
  let finding: Finding;
  try {
    finding = await connectors[question.source](question.target, question.token, config);
    if (!finding.completed) throw new FunctionError('CHECK_NOT_COMPLETED');
  } catch (error) {
    if (error instanceof FunctionError) {
      await finish([error.message, ...error.details].join(' '), null);
      // The project's exact response is shown to its founder only.
      throw new FunctionError(error.code);
    }
    throw error;
  }
  const [{ status, code, message }] = await finish(null, finding.actions ?? null);
  if (status !== 200) throw new DatabaseError(code, message, status);
  return Response.json({ ok: true, status: code, message });
}

async function test(request: Request, userId: string, url: string, config: CheckConfig): Promise<Response> {
  const own = await callAsCaller(config, request, 'get_own_startup', {}, z.array(z.unknown()));
  if (own.length === 0) throw new FunctionError('FORBIDDEN');
  await limitRate(config, `user:${userId}`, 'endpoint_test', TESTS_PER_MINUTE, 60);
  const { completed } = await connectors.endpoint(url, TEST_TOKEN, config);
  await callProcedure(config, 'record_endpoint_test', { p_user_id: userId, p_url: url }, z.unknown());
  return Response.json({ ok: true, completed });
}
