import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT_ROOT } from '../../local/paths.ts';
import { asService, sql, testEnv, tokenFor } from '../../local/testing/clients.ts';
import { type Member, newMember, newOwner, newQuest, type Owner, type Quest } from './support/factories.ts';
import { untilWaiting } from './support/locks.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** Sends a request to PostgREST over HTTP, as a visitor, as a member, or as the server. */
async function ask(path: string, { as, ...init }: RequestInit & { as?: Member | 'server' } = {}) {
  const { SUPABASE_URL, SUPABASE_ANON_KEY, SUPABASE_SECRET_KEY } = testEnv();
  const headers = new Headers(init.headers);
  headers.set('apikey', as === 'server' ? SUPABASE_SECRET_KEY : SUPABASE_ANON_KEY);
  headers.set('content-type', 'application/json');
  if (as && as !== 'server') headers.set('authorization', `Bearer ${await tokenFor(as)}`);
  const response = await fetch(`${SUPABASE_URL}/rest/v1/${path}`, { ...init, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

let made: Promise<{ owner: Owner; quests: Quest[] }> | undefined;

/** Three quests, each of its own project; `owner` has the first. Created once: nothing here changes them. */
function world() {
  const make = async () => {
    const owners = [await newOwner(), await newOwner(), await newOwner()] as const;
    return { owner: owners[0], quests: await Promise.all(owners.map((owner) => newQuest(owner))) };
  };
  made ??= make();
  return made;
}

const idsOf = (quests: Quest[]) => quests.map(({ campaign }) => campaign.id).sort();
const inIds = (quests: Quest[]) => `id=in.(${idsOf(quests).join()})`;
const ids = (body: { id: string }[]) => body.map(({ id }) => id).sort();
const object = { accept: 'application/vnd.pgrst.object+json' };

/** Each row of docs/postgrest.md, checked by requests and responses alone. */
const FEATURES: Record<string, () => Promise<void>> = {
  'procedures by POST': async () => {
    const member = await newMember();
    const answer = await ask('rpc/current_user_id', { method: 'POST', body: '{}', as: member });
    expect([answer.status, answer.body]).toEqual([200, member.id]);
  },
  'procedures by GET': async () => {
    expect((await ask('rpc/get_site_stats')).status).toBe(200);
    // A procedure that changes something is refused as read-only.
    const refused = await ask('rpc/sync_current_user', { as: await newMember() });
    expect([refused.status, refused.body.code]).toEqual([405, '25006']);
  },
  'rows of a procedure': async () => {
    const { owner } = await world();
    const path = 'rpc/list_published_quests?select=id,title&order=id&limit=2';
    const { body } = await ask(path, { as: owner });
    expect(body).toHaveLength(2);
    expect(Object.keys(body[0])).toEqual(['id', 'title']);
  },
  'filters and casts of answers': async () => {
    const as = await newMember();
    const body = JSON.stringify({ p_redemption_id: crypto.randomUUID() });
    const hint = async (query: string, headers = {}) =>
      (await ask(`rpc/get_redemption_code${query}`, { method: 'POST', body, as, headers })).body.hint;
    expect([await hint(''), await hint('', object)]).toEqual(['CODE_NOT_FOUND', 'CODE_NOT_FOUND']);
    for (const query of ['?pgrst_scalar=not.is.null', '?select=pgrst_scalar::int4'])
      expect([query, await hint(query)]).toEqual([query, 'PLAIN_CALL_REQUIRED']);
  },
  'a single value': async () => {
    const ofNoRows = { method: 'POST', body: '{}', as: await newMember(), headers: object };
    expect((await ask('rpc/current_user_id?offset=1', ofNoRows)).status).toBe(200);
    expect((await ask('rpc/list_saved_quests?offset=1', ofNoRows)).status).toBe(406);
  },
  'columns and renamed columns': async () => {
    const { owner, quests } = await world();
    const { body } = await ask(`campaigns?select=key:id,title&${inIds(quests)}`, { as: owner });
    expect(Object.keys(body[0])).toEqual(['key', 'title']);
  },
  'embedded rows': async () => {
    const { owner, quests } = await world();
    const { body } = await ask(`campaigns?select=id,startup_profiles(id)&${inIds(quests.slice(0, 1))}`, { as: owner });
    expect(body).toEqual([{ id: quests[0]?.campaign.id, startup_profiles: { id: owner.startup.id } }]);
  },
  'embedded rows that must be there': async () => {
    const { owner, quests } = await world();
    const of = (id: string) =>
      `campaigns?select=id,startup_profiles!inner(id)&startup_profiles.id=eq.${id}&${inIds(quests)}`;
    expect((await ask(of(owner.startup.id), { as: owner })).body).toHaveLength(1);
    expect((await ask(of(crypto.randomUUID()), { as: owner })).body).toEqual([]);
  },
  comparisons: async () => {
    const { owner, quests } = await world();
    const [first, second, third] = idsOf(quests);
    for (const [filter, expected] of [
      [`id=eq.${second}`, [second]],
      [`id=neq.${second}`, [first, third]],
      [`id=gt.${second}`, [third]],
      [`id=gte.${second}`, [second, third]],
      [`id=lt.${second}`, [first]],
      [`id=lte.${second}`, [first, second]],
      ['ends_at=is.null', [first, second, third]],
    ] as const) {
      const { body } = await ask(`campaigns?select=id&${inIds(quests)}&${filter}`, { as: owner });
      expect([filter, ids(body)]).toEqual([filter, expected]);
    }
  },
  'a part of a text': async () => {
    const { owner } = await world();
    const found = async (part: string) => {
      const filter = `name=ilike.${encodeURIComponent(`%${part}%`)}`;
      return (await ask(`startup_profiles?select=id&id=eq.${owner.startup.id}&${filter}`, { as: owner })).body.length;
    };
    const part = owner.startup.name.slice(1, -1);
    expect([await found(part.toUpperCase()), await found(`${part}%`), await found(`${part}\\%`)]).toEqual([1, 1, 0]);
  },
  alternatives: async () => {
    const { owner, quests } = await world();
    const [first, second, third] = idsOf(quests);
    const filter = `or=(id.lt."${second}",and(id.eq."${third}",title.ilike."%"))`;
    const { body } = await ask(`campaigns?select=id&${inIds(quests)}&${filter}`, { as: owner });
    expect(ids(body)).toEqual([first, third]);
  },
  order: async () => {
    const { owner, quests } = await world();
    const { body } = await ask(`campaigns?select=id&${inIds(quests)}&order=status.asc,id.desc`, { as: owner });
    expect(body.map(({ id }: { id: string }) => id)).toEqual(idsOf(quests).reverse());
  },
  pages: async () => {
    const { owner, quests } = await world();
    const { body } = await ask(`campaigns?select=id&${inIds(quests)}&order=id&offset=1&limit=1`, { as: owner });
    expect(body).toEqual([{ id: idsOf(quests)[1] }]);
  },
  'one row': async () => {
    const { owner, quests } = await world();
    const one = await ask(`campaigns?select=id&${inIds(quests.slice(0, 1))}`, { as: owner, headers: object });
    expect(one.body).toEqual({ id: quests[0]?.campaign.id });
    for (const filter of [inIds(quests), `id=eq.${crypto.randomUUID()}`]) {
      const other = await ask(`campaigns?select=id&${filter}`, { as: owner, headers: object });
      expect([other.status, other.body.code]).toEqual([406, 'PGRST116']);
    }
  },
  'row counts': async () => {
    const { owner, quests } = await world();
    const options = { as: owner, method: 'HEAD', headers: { prefer: 'count=exact' } };
    const { headers, body } = await ask(`campaigns?select=id&${inIds(quests)}`, options);
    expect([headers.get('content-range'), body]).toEqual(['0-2/3', null]);
  },
  'insert without an answer': async () => {
    const init = { method: 'POST', headers: { prefer: 'return=minimal' }, body: '{"type":"postgrest_test","data":{}}' };
    expect(await ask('metrics_events', init)).toMatchObject({ status: 201, body: null });
  },
  'row ceiling': async () => {
    expect((await ask('rpc/probe_row_ceiling', { method: 'POST', body: '{}', as: 'server' })).body).toHaveLength(1_000);
  },
  'status and code of a refusal': async () => {
    const answer = await ask('rpc/switch_role', { method: 'POST', body: '{"p_role":"king"}', as: await newMember() });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'PT400', hint: 'INVALID_ROLE', message: 'Unknown role' },
    });
  },
  'headers set in SQL': async () => {
    expect((await ask('rpc/get_og_slots')).headers.get('cache-control')).toBe('public, max-age=0, s-maxage=15');
  },
  "the caller's claims and headers": async () => {
    await sql().query(`
      create function public.test_request() returns json language sql stable as $$
        select json_build_object('sub', current_setting('request.jwt.claims', true)::json ->> 'sub',
          'mark', current_setting('request.headers', true)::json ->> 'x-mark') $$;
      grant execute on function public.test_request() to authenticated`);
    const member = await newMember();
    const marked = { as: member, headers: { 'x-mark': 'seen' } };
    // The schema cache takes a moment to learn of the new function (pgrst_ddl_watch).
    await expect
      .poll(async () => (await ask('rpc/test_request', marked)).body)
      .toEqual({ sub: member.id, mark: 'seen' });
  },
  'time limit of a procedure': async () => {
    // Without a limit of its own, a visitor's call may take 3 s.
    await sql().query(`
      create function public.test_limit() returns text language plpgsql stable set statement_timeout = '100ms' as $$
        begin perform pg_sleep(1); return 'ended'; end $$;
      grant execute on function public.test_limit() to anon`);
    await expect.poll(async () => (await ask('rpc/test_limit')).body).toMatchObject({ code: '57014' });
  },
  'an unknown procedure': async () => {
    const answer = await ask('rpc/no_such_procedure', { method: 'POST', body: '{}' });
    expect([answer.status, answer.body.code]).toEqual([404, 'PGRST202']);
  },
  'a request that is given up': async () => {
    const leaving = new AbortController();
    const client = await sql().connect();
    try {
      await client.query('begin');
      await client.query('lock table private.site_stats_cache');
      const gone = expect(ask('rpc/get_site_stats', { signal: leaving.signal })).rejects.toThrow(/abort/i);
      await untilWaiting();
      leaving.abort();
      await gone;
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect((await ask('rpc/get_site_stats')).status).toBe(200);
  },
};

const rows = [
  ...readFileSync(join(PROJECT_ROOT, 'docs/postgrest.md'), 'utf8').matchAll(
    /^\| (?!feature|-)([^|]+?) +\| ([^|]*)\|/gm,
  ),
];
const listed = new Set(
  rows.flatMap(([, , words = '']) => [...words.matchAll(/`(\w+)`/g)].map(([, word = '']) => word)),
);

describe('every PostgREST feature that the product uses', () => {
  test.each(rows.map(([, name = '']) => name))('%s', async (name) => {
    expect(FEATURES).toHaveProperty([name]);
    await FEATURES[name]?.();
  });

  test('is listed in docs/postgrest.md and has a test', () => {
    expect(rows.map(([, name]) => name)).toEqual(Object.keys(FEATURES));
    expect(usedWords().filter((word) => !listed.has(word))).toEqual([]);
  });
});

/** Client methods that request nothing from the database. */
const OTHER_WORDS = new Set(['from', 'then', 'catch', 'overrideTypes', 'returns']);

/** Methods called on the client's requests, and options given to them, anywhere in the app and the functions. */
function usedWords(): string[] {
  const builder = asService().from('campaigns').select();
  const methods = new Set<string>(['rpc', 'insert', 'update', 'upsert', 'delete', 'select', 'schema']);
  for (let type = Object.getPrototypeOf(builder); type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    for (const name of Object.getOwnPropertyNames(type)) methods.add(name);
  }
  const used = new Set<string>();
  for (const file of globSync(
    ['src/**/*queries.ts', 'src/**/mutations.ts', 'src/lib/*.ts', 'supabase/functions/_shared/database.ts'],
    { cwd: PROJECT_ROOT },
  )) {
    const text = readFileSync(join(PROJECT_ROOT, file), 'utf8');
    if (!/\b(supabase|keepaliveClient|PostgrestClient)\b/.test(text)) continue;
    // Arrays have some methods of the same name; those take a function.
    for (const [, word = ''] of text.matchAll(/\.(\w+)\((?!\(|\w+ =>|is[A-Z]|Boolean\b)/g))
      if (methods.has(word)) used.add(word);
    for (const [, word = 'count'] of text.matchAll(/\b(get|head): true|\bcount: '/g)) used.add(word);
    for (const [, embedded = ''] of text.matchAll(/\.select\(\s*'([^']*)'/g)) {
      if (/\.\.\.|->|::|\.(sum|avg|count|max|min)\(/.test(embedded)) used.add(`select of ${embedded}`);
    }
  }
  return [...used].filter((word) => !OTHER_WORDS.has(word));
}
