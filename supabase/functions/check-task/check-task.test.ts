import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Functions, startFunctions } from '../../../local/functions/start-functions.ts';
import { functionsEnv } from '../../../local/stack-env.ts';
import { closeSql, sql, testEnv, tokenFor } from '../../../local/testing/clients.ts';
import { type SignedIn, signIn } from '../_testing/stack.ts';

const ENDPOINT = 'https://project.questboard.test/completed';
const REPOSITORY = 'questboard/example';
const GITHUB_TOKEN = 'github_pat_of_this_test';

/** The project's own system: its current answer, and the requests it received. */
let behave: (asked: URL) => { status?: number; headers?: Record<string, string>; body?: string | Buffer } | 'hang';
let asked: URL[];
/** The authorization header of each request. */
let shown: (string | undefined)[];
let project: Server;
let functions: Functions;

beforeAll(async () => {
  project = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://fixture');
    asked.push(url);
    shown.push(request.headers.authorization);
    const answer = behave(url);
    if (answer === 'hang') return;
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(answer.body ?? '');
  });
  await new Promise<void>((resolve) => project.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(project.address() as AddressInfo).port}`;
  functions = await startFunctions({
    env: { ...functionsEnv(testEnv()), DEMO_PROJECT_URL: url, GITHUB_API_URL: `${url}/github`, GITHUB_TOKEN },
  });
});
afterAll(async () => {
  project.closeAllConnections();
  project.close();
  await Promise.all([functions.close(), closeSql()]);
});
beforeEach(() => {
  asked = [];
  shown = [];
  behave = () => ({ body: '{"completed":true}' });
});

async function ask(who: SignedIn, body: object): Promise<Record<string, unknown> & { status: unknown; ok: boolean }> {
  const { APP_URL, SUPABASE_ANON_KEY } = testEnv();
  const response = await fetch(`${functions.url}/check-task`, {
    method: 'POST',
    headers: {
      apikey: SUPABASE_ANON_KEY,
      authorization: `Bearer ${await tokenFor(who)}`,
      'content-type': 'application/json',
      origin: APP_URL,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...(await response.json()) };
}

async function newTask(
  check: object = { check_target: ENDPOINT },
  campaign: object = {},
): Promise<{ owner: SignedIn; taskId: string }> {
  const owner = await signIn();
  const post = async <T>(procedure: string, args: object): Promise<T> =>
    (await owner.post(`/rest/v1/rpc/${procedure}`, args)).json();
  const startup = await post<{ id: string }>('create_startup_profile', {
    p_name: `Project of ${owner.id}`,
    p_industry: 'SaaS',
  });
  expect(await ask(owner, { testUrl: ENDPOINT })).toMatchObject({ ok: true });
  const quest = await post<{ id: string }>('create_quest', {
    p_startup_id: startup.id,
    p_campaign: { title: 'Finish the tour', ...campaign },
    p_task: {
      verification: 'check',
      link_url: 'https://project.questboard.test/tour',
      instructions_md: 'Finish it',
      reward_points: 30,
      max_completions: 5,
      ...check,
    },
  });
  const { rows } = await sql().query<{ id: string }>('select id from public.tasks where campaign_id = $1', [quest.id]);
  asked = [];
  return { owner, taskId: rows[0]?.id ?? '' };
}

/** GitHub's answer to a search that finds a pull request which has counted for nobody. */
const newPullRequest = () => JSON.stringify({ items: [{ id: Math.trunc(Math.random() * 1e12) }] });
const pointsOf = async (member: SignedIn) =>
  Number((await sql().query('select points from public.wallets where user_id = $1', [member.id])).rows[0]?.points);

describe("the founder's test", () => {
  let founder: SignedIn;
  beforeAll(async () => {
    founder = await signIn();
    const profile = { p_name: `Project of ${founder.id}`, p_industry: 'SaaS' };
    expect((await founder.post('/rest/v1/rpc/create_startup_profile', profile)).status).toBe(200);
  });
  beforeEach(() => sql().query("delete from private.rate_limits where action = 'endpoint_test'"));

  it('BEY-13 calls the address with a test token and reports how it understood the answer', async () => {
    behave = () => ({ body: '{"completed":false}' });
    expect(await ask(founder, { testUrl: `${ENDPOINT}?key=1` })).toMatchObject({ ok: true, completed: false });
    expect(asked.map(({ pathname, search }) => pathname + search)).toEqual(['/completed?key=1&token=test']);
  });

  it.each([
    'http://project.questboard.test/',
    'https://project.questboard.test:8443/',
    'https://user:secret@project.questboard.test/',
    'ftp://project.questboard.test/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'javascript:alert(1)',
    'not an address',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[fe80::1]/',
    'https://[fd00::1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://localhost/',
    'https://metadata.google.internal/',
  ])('BEY-13 refuses %s', async (testUrl) => {
    expect(await ask(founder, { testUrl })).toMatchObject({
      status: 422,
      code: 'CHECK_ADDRESS_REFUSED',
      message: 'This address cannot be checked. Use an https address of the public internet that does not redirect.',
      details: [expect.stringMatching(/^The cause: [a-z ]+\.$/)],
    });
    expect(asked).toEqual([]);
  });

  it('BEY-13 is for signed-in founders only', async () => {
    expect(await ask(await signIn(), { testUrl: ENDPOINT })).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    const answer = await fetch(`${functions.url}/check-task`, {
      method: 'POST',
      body: JSON.stringify({ testUrl: ENDPOINT }),
    });
    expect([answer.status, asked]).toEqual([401, []]);
  });
});

describe("the member's check", () => {
  it('BEY-13 calls with the member\'s token, pays once on "completed", and not again', async () => {
    const { taskId } = await newTask();
    const member = await signIn();
    behave = () => ({ body: '{"completed":false}' });
    expect(await ask(member, { taskId })).toMatchObject({
      status: 409,
      code: 'CHECK_NOT_COMPLETED',
      message: 'This is not done yet. Finish it at the project, then verify again.',
    });
    expect(await pointsOf(member)).toBe(0);

    behave = () => ({ body: '{"completed":true}' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(member, { taskId })));
    expect(answers.filter(({ status }) => status === 'COMPLETED')).toHaveLength(1);
    expect(await pointsOf(member)).toBe(30);
    const { rows } = await sql().query('select token from private.task_tokens where user_id = $1', [member.id]);
    expect(new Set(asked.map(({ search }) => search))).toEqual(new Set([`?token=${rows[0]?.token}`]));
    expect(JSON.stringify(asked.map(String))).not.toContain(member.id);
  });

  it('is not made for more points than the database can count: that is a wrong field, and no busy service', async () => {
    const taskId = crypto.randomUUID();
    const answer = await ask(await signIn(), { taskId, expectedReward: 3_000_000_000 });
    expect(answer).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
    expect(asked).toEqual([]);
  });

  it('BEY-10 is not made for an address whose sharing was agreed to in other words', async () => {
    const { taskId } = await newTask(undefined, { collect_emails: true });
    const member = await signIn();
    const shared = { taskId, email: member.email, consent: 'I agree to something else.' };
    expect(await ask(member, shared)).toMatchObject({ status: 409, code: 'CONSENT_CHANGED' });
    expect(asked).toEqual([]);
  });

  it.each<[string, typeof behave, string]>([
    ['hangs', () => 'hang', 'CHECK_TOO_SLOW'],
    ['answers 5 MB', () => ({ body: Buffer.alloc(5_000_000, 32) }), 'CHECK_NOT_UNDERSTOOD'],
    ['answers 6 KB of valid JSON', () => ({ body: `${' '.repeat(6_000)}{"completed":true}` }), 'CHECK_NOT_UNDERSTOOD'],
    ['answers 500', () => ({ status: 500, body: '{"completed":true}' }), 'CHECK_NOT_UNDERSTOOD'],
    ['answers nonsense', () => ({ body: 'completed!' }), 'CHECK_NOT_UNDERSTOOD'],
    ['answers "true" as a string', () => ({ body: '{"completed":"true"}' }), 'CHECK_NOT_UNDERSTOOD'],
    ['answers nothing', () => ({}), 'CHECK_NOT_UNDERSTOOD'],
    [
      'redirects to loopback',
      () => ({ status: 302, headers: { location: 'https://127.0.0.1/' } }),
      'CHECK_NOT_UNDERSTOOD',
    ],
    [
      'redirects to itself',
      () => ({ status: 302, headers: { location: `${ENDPOINT}?again` }, body: '{"completed":true}' }),
      'CHECK_NOT_UNDERSTOOD',
    ],
  ])(
    'BEY-13 a project that %s gets a sentence within 11 s, pays nothing, and the check can be repeated',
    async (_what, behaviour, code) => {
      const { owner, taskId } = await newTask();
      const member = await signIn();
      // From when the project is asked: how busy the database was before is no matter of the project.
      let askedAt = 0;
      behave = (url) => {
        askedAt = performance.now();
        return behaviour(url);
      };
      const answer = await ask(member, { taskId });
      expect(performance.now() - askedAt).toBeLessThan(11_000);
      expect(answer).toMatchObject({ ok: false, code, message: expect.stringMatching(/^The project .*\.$/) });
      expect(asked).toHaveLength(1);
      expect(await pointsOf(member)).toBe(0);
      const log = await owner.post('/rest/v1/rpc/list_verification_calls', {
        p_startup_id: (await sql().query('select id from public.startup_profiles where owner_user_id = $1', [owner.id]))
          .rows[0]?.id,
      });
      expect(await log.json()).toMatchObject([{ kind: 'check', code: 'NOT_COMPLETED' }]);
      behave = () => ({ body: '{"completed":true}' });
      expect(await ask(member, { taskId })).toMatchObject({ ok: true, status: 'COMPLETED' });
      expect(await pointsOf(member)).toBe(30);
    },
    30_000,
  );

  it('BEY-13 a founder gets the available check targets', async () => {
    expect(await ask(await signIn(), { listSources: true })).toEqual({
      status: 200,
      ok: true,
      sources: ['endpoint', 'github_pull_request'],
    });
  });

  it("BEY-13 finds a merged pull request by the member's token, through GitHub's public search", async () => {
    const { taskId } = await newTask({ check_source: 'github_pull_request', check_target: REPOSITORY });
    const member = await signIn();
    behave = () => ({ body: '{"items":[]}' });
    expect(await ask(member, { taskId })).toMatchObject({ code: 'CHECK_NOT_COMPLETED' });
    const { rows } = await sql().query('select token from private.task_tokens where user_id = $1', [member.id]);
    expect([asked[0]?.pathname, asked[0]?.searchParams.get('q')]).toEqual([
      '/github/search/issues',
      `repo:${REPOSITORY} is:pr is:merged in:body "${rows[0]?.token}"`,
    ]);
    const found = newPullRequest();
    behave = () => ({ body: found });
    expect(await ask(member, { taskId })).toMatchObject({ ok: true, status: 'COMPLETED' });
    expect(await pointsOf(member)).toBe(30);

    // The same one carries the token of another account, too.
    const other = await signIn();
    expect(await ask(other, { taskId })).toMatchObject({ ok: false, code: 'ACTION_COUNTED' });
    expect(await pointsOf(other)).toBe(0);
  });

  it('BEY-13 shows its token to GitHub and to no project', async () => {
    const pull = await newTask({ check_source: 'github_pull_request', check_target: REPOSITORY });
    const endpoint = await newTask();
    const member = await signIn();
    shown = [];
    behave = ({ pathname }) => ({ body: pathname.startsWith('/github') ? newPullRequest() : '{"completed":true}' });
    for (const { taskId } of [pull, endpoint]) expect(await ask(member, { taskId })).toMatchObject({ ok: true });
    expect(asked.map(({ pathname }) => pathname)).toEqual(['/github/search/issues', '/completed']);
    expect(shown).toEqual([`Bearer ${GITHUB_TOKEN}`, undefined]);
  });

  it.each([403, 429])(
    'BEY-13 says "later" and not "not done" when GitHub answers %s, its limit of searches',
    async (status) => {
      const { taskId } = await newTask({ check_source: 'github_pull_request', check_target: REPOSITORY });
      const member = await signIn();
      behave = () => ({ status, body: '{"message":"API rate limit exceeded"}' });
      expect(await ask(member, { taskId })).toMatchObject({
        status: 424,
        code: 'CHECK_BUSY',
        message: 'GitHub’s limit is reached. Please try again in a minute.',
      });
      behave = () => ({ body: newPullRequest() });
      expect(await ask(member, { taskId })).toMatchObject({ ok: true, status: 'COMPLETED' });
    },
  );
});
