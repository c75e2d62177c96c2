import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeSql, sql, testEnv } from '../../../local/testing/clients.ts';
import { type CallExample, curlExample, typescriptExample } from '../../../src/features/projects/call-examples.ts';
import { type SignedIn, signIn } from '../_testing/stack.ts';

afterAll(closeSql);

const { SUPABASE_URL } = testEnv();
const LINK = 'https://shop.example/welcome';

interface Project {
  owner: SignedIn;
  id: string;
  secret: string;
}

async function call<T>(who: SignedIn, procedure: string, args: object): Promise<T> {
  const response = await who.post(`/rest/v1/rpc/${procedure}`, args);
  const body = await response.json();
  if (!response.ok) throw new Error(`${procedure}: ${JSON.stringify(body)}`);
  return body;
}

async function newProject(): Promise<Project> {
  const owner = await signIn();
  const profile = { p_name: `Project of ${owner.id}`, p_industry: 'SaaS' };
  const { id } = await call<{ id: string }>(owner, 'create_startup_profile', profile);
  return { owner, id, secret: await call(owner, 'create_signing_secret', { p_startup_id: id }) };
}

/** A quest whose task a call verifies. */
async function newTask({ owner, id }: Project): Promise<string> {
  const quest = await call<{ id: string }>(owner, 'create_quest', {
    p_startup_id: id,
    p_campaign: { title: 'Open an account' },
    p_task: { verification: 'call', link_url: LINK, instructions_md: 'Sign up', reward_points: 30, max_completions: 5 },
  });
  const { rows } = await sql().query<{ id: string }>('select id from public.tasks where campaign_id = $1', [quest.id]);
  return rows[0]?.id ?? '';
}

/** Follows the member's link, and returns what the project finds in it. */
async function followLink(member: SignedIn, taskId: string): Promise<string> {
  const [started] = await call<{ link: string }[]>(member, 'start_task', { p_task_id: taskId });
  return new URL(started?.link ?? '').searchParams.get('questboard_token') ?? '';
}

interface Signing {
  id?: string;
  secret?: string;
  at?: Date;
  /** What is sent instead of what was signed. */
  sent?: string;
}

function send(project: Project, token: string, { id = `msg_${randomUUID()}`, secret, at, sent }: Signing = {}) {
  const body = JSON.stringify({ token });
  const time = at ?? new Date();
  return fetch(`${SUPABASE_URL}/functions/v1/complete-task/${project.id}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
      'webhook-signature': new Webhook(secret ?? project.secret).sign(id, time, body),
    },
    body: sent ?? body,
  });
}

const outcome = async (response: Response) => ({ status: response.status, ...(await response.json()) });

const rowsOf = async (taskId: string) =>
  (await sql().query('select status, reviewed_by from public.submissions where task_id = $1', [taskId])).rows;
const pointsOf = async (member: SignedIn) =>
  Number((await sql().query('select points from public.wallets where user_id = $1', [member.id])).rows[0]?.points);

describe('the examples on the developers page', () => {
  const run = promisify(execFile);

  it.each<[string, (example: CallExample) => Promise<unknown>]>([
    ['curl', (example) => run('bash', ['-euc', curlExample(example)])],
    [
      'TypeScript',
      (example) =>
        run(process.execPath, ['--input-type=module-typescript', '--eval', typescriptExample(example)], {
          cwd: import.meta.dirname,
        }),
    ],
  ])('BEY-13 %s completes the task exactly as documented', async (_language, send) => {
    const project = await newProject();
    const [taskId, member] = [await newTask(project), await signIn()];
    const address = `${SUPABASE_URL}/functions/v1/complete-task/${project.id}`;
    await send({ address, secret: project.secret, token: await followLink(member, taskId) });
    expect(await pointsOf(member)).toBe(30);
  });
});

describe('a signed call', () => {
  let project: Project;
  let taskId: string;
  let member: SignedIn;
  let token: string;

  beforeAll(async () => {
    project = await newProject();
    taskId = await newTask(project);
    member = await signIn();
    token = await followLink(member, taskId);
  });

  it.each<[string, () => Signing, string, string]>([
    [
      'signed with another secret',
      () => ({ secret: `whsec_${btoa('another secret of 24 bytes')}` }),
      'INVALID_SIGNATURE',
      'The webhook signature does not match.',
    ],
    [
      'with another body than the signed one',
      () => ({ sent: JSON.stringify({ token, more: true }) }),
      'INVALID_SIGNATURE',
      'The webhook signature does not match.',
    ],
    [
      'signed six minutes ago',
      () => ({ at: new Date(Date.now() - 360_000) }),
      'STALE_SIGNATURE',
      'The timestamp is more than five minutes away from now. Please sign the call again.',
    ],
    [
      'signed in six minutes',
      () => ({ at: new Date(Date.now() + 360_000) }),
      'STALE_SIGNATURE',
      'The timestamp is more than five minutes away from now. Please sign the call again.',
    ],
  ])('BEY-13 %s is refused and submits nothing', async (_what, signing, code, message) => {
    expect(await outcome(await send(project, token, signing()))).toMatchObject({
      status: 400,
      ok: false,
      code,
      message,
    });
    expect([await rowsOf(taskId), await pointsOf(member)]).toEqual([[], 0]);
  });

  it('BEY-13 one of another project, or with an unknown token, is refused with its own sentence and submits nothing', async () => {
    const other = await newProject();
    expect(await outcome(await send(other, token))).toMatchObject({ status: 403, code: 'TOKEN_OF_ANOTHER_PROJECT' });
    expect(await outcome(await send(other, token, { secret: project.secret }))).toMatchObject({
      code: 'INVALID_SIGNATURE',
    });
    expect(await outcome(await send(project, 'no such token'))).toMatchObject({ status: 404, code: 'TOKEN_UNKNOWN' });
    const unsigned = await fetch(`${SUPABASE_URL}/functions/v1/complete-task/${project.id}`, {
      method: 'POST',
      body: '{}',
    });
    expect(await outcome(unsigned)).toMatchObject({
      status: 400,
      code: 'INVALID_SIGNATURE',
      details: ['webhook-id: missing', 'webhook-timestamp: missing', 'webhook-signature: missing'],
    });
    expect([await rowsOf(taskId), await pointsOf(member)]).toEqual([[], 0]);
  });

  it('BEY-13 TRUST-02 a hundred concurrent copies pay once, and a replay changes nothing', async () => {
    const id = `msg_${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => outcome(await send(project, token, index % 2 ? { id } : {}))),
    );
    // This many at once may overload the database; a refused copy is retried, as senders do.
    expect(answers.filter(({ ok, code }) => !ok && code !== 'DATABASE_UNAVAILABLE')).toEqual([]);
    expect(answers.some(({ ok }) => ok)).toBe(true);
    expect(await rowsOf(taskId)).toEqual([{ status: 'approved', reviewed_by: 'call' }]);
    expect(await pointsOf(member)).toBe(30);
    const replay = await outcome(await send(project, token, { id }));
    expect(replay).toMatchObject({ status: expect.stringMatching(/^(ALREADY_)?COMPLETED$/), ok: true });
    expect(await pointsOf(member)).toBe(30);
  }, 120_000);

  it('BEY-13 during rotation both secrets are valid; a revoked one is refused', async () => {
    const second = await call<string>(project.owner, 'create_signing_secret', { p_startup_id: project.id });
    for (const secret of [project.secret, second]) {
      expect(await outcome(await send(project, token, { secret }))).toMatchObject({ ok: true });
    }
    const [old] = await call<{ id: string }[]>(project.owner, 'list_signing_secrets', { p_startup_id: project.id });
    await project.owner.post('/rest/v1/rpc/revoke_signing_secret', { p_startup_id: project.id, p_secret_id: old?.id });
    expect(await outcome(await send(project, token))).toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(await outcome(await send(project, token, { secret: second }))).toMatchObject({ ok: true });
  });
});
