import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { asService, testEnv } from '../../local/testing/clients.ts';
import { FORBIDDEN, type Member, newAdmin, newMember, refusal, unwrap } from './support/factories.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

let admin: Member;
beforeAll(async () => {
  admin = await newAdmin();
});

/** Changes the database as the schema's owner, runs the query, and rolls back. */
async function afterChange<T>(statements: string[], ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('set local role postgres');
    for (const statement of statements) await client.query(statement);
    return await ask(client);
  } finally {
    await client.query('rollback');
    await client.end();
  }
}

/** The answer of a procedure in the open transaction, as PostgREST would give it to this admin; null is the service role. */
async function call<T>(client: pg.Client, userId: string | null, procedure: string): Promise<T[]> {
  const role = userId === null ? 'service_role' : 'authenticated';
  const claims = { iss: testEnv().IDENTITY_ISSUER, role, sub: userId, public_metadata: { role: 'admin' } };
  await client.query("select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)", [
    role,
    JSON.stringify(claims),
  ]);
  const { rows } = await client.query<{ answer: T }>(`select to_jsonb(x) as answer from public.${procedure}() x`);
  return rows.map(({ answer }) => answer);
}

interface Finding {
  severity: string;
  finding: string;
  object: string;
}

/** The scan's findings after these statements, in short form: `error: what (where)`. */
const scanAfter = (...statements: string[]): Promise<string[]> =>
  afterChange(statements, async (client) => {
    const findings = await call<Finding>(client, admin.id, 'run_security_scan');
    return findings.map(({ severity, finding, object }) => `${severity}: ${finding} (${object})`).sort();
  });

const TABLE = 'create table public.probe (id integer, note text)';
const PROTECTED = [TABLE, 'alter table public.probe enable row level security'];
const POLICY = 'create policy probe_read on public.probe for select to authenticated using (true)';
const FUNCTION = "returns integer language sql set search_path = '' as 'select 1'";
const REVOKED = 'revoke all on function public.probe() from public';

describe('C-54 run_security_scan', () => {
  test('finds nothing in this database, and is for admins only', async () => {
    expect(await scanAfter()).toEqual([]);
    const member = await newMember();
    expect(await refusal(member.client.rpc('run_security_scan'))).toEqual(FORBIDDEN);
    expect(await unwrap(admin.client.rpc('run_security_scan'))).toEqual([]);
  });

  test('finds tables without row level security, also partitioned ones, in exposed schemas only', async () => {
    const finding = 'error: Table without row level security (public.probe)';
    expect(await scanAfter(TABLE)).toEqual([finding]);
    expect(await scanAfter(`${TABLE} partition by list (id)`)).toEqual([finding]);
    expect(await scanAfter(...PROTECTED, POLICY)).toEqual([]);
    expect(await scanAfter('create table private.probe (id integer)')).toEqual([]);
    expect(await scanAfter('create sequence public.probe')).toEqual([]);
  });

  test('warns of protected tables without a policy', async () => {
    const finding = 'warning: Table with row level security but no policy (public.probe)';
    expect(await scanAfter(...PROTECTED)).toEqual([finding]);
    expect(
      await scanAfter(`${TABLE} partition by list (id)`, 'alter table public.probe enable row level security'),
    ).toEqual([finding]);
    expect(
      await scanAfter('create table private.probe (id integer)', 'alter table private.probe enable row level security'),
    ).toEqual([]);
  });

  test("finds views that run with their owner's rights", async () => {
    const finding = "error: View runs with its owner's rights (public.probe)";
    expect(await scanAfter('create view public.probe as select 1 as id')).toEqual([finding]);
    expect(await scanAfter('create view public.probe with (security_invoker = false) as select 1 as id')).toEqual([
      finding,
    ]);
    expect(await scanAfter('create view public.probe with (security_invoker = true) as select 1 as id')).toEqual([]);
    expect(await scanAfter('create view private.probe as select 1 as id')).toEqual([]);
  });

  test('finds security definer functions whose search path a caller may set', async () => {
    const body = "returns integer language sql security definer as 'select 1'";
    const finding = (name: string) => [`error: Privileged function without a fixed search_path (${name}())`];
    expect(await scanAfter(`create function public.probe() ${body}`, REVOKED)).toEqual(finding('public.probe'));
    expect(
      await scanAfter(
        `create function public.probe() ${body}`,
        'alter function public.probe() set search_path = public',
        REVOKED,
      ),
    ).toEqual(finding('public.probe'));
    expect(
      await scanAfter(`create function private.probe() ${body}`, 'revoke all on function private.probe() from public'),
    ).toEqual(finding('private.probe'));
    expect(
      await scanAfter(
        `create function public.probe() ${body}`,
        "alter function public.probe() set search_path = ''",
        REVOKED,
      ),
    ).toEqual([]);
    const invoker = "returns integer language sql as 'select 1'";
    expect(await scanAfter(`create function public.probe() ${invoker}`, REVOKED)).toEqual([]);
    expect(
      await scanAfter(
        'create schema probes',
        `create function probes.probe() ${body}`,
        'revoke all on function probes.probe() from public',
      ),
    ).toEqual([]);
  });

  test('finds functions that everybody may execute, by a grant or by default, except those of extensions', async () => {
    const finding = (name: string) => [`error: Function that everybody may execute (${name}())`];
    for (const schema of ['public', 'private']) {
      const name = `${schema}.probe`;
      const create = `create function ${schema}.probe() ${FUNCTION}`;
      const grant = `grant execute on function ${schema}.probe() to public`;
      expect(await scanAfter(create, grant)).toEqual(finding(name));
      expect(
        await scanAfter(create, grant, 'reset role', `alter extension plpgsql add function ${schema}.probe()`),
      ).toEqual([]);
    }
    // With another owner, for whom no default privileges are set, it has no grants of its own.
    expect(await scanAfter('reset role', `create function private.probe() ${FUNCTION}`)).toEqual(
      finding('private.probe'),
    );
    const toVisitors = 'grant execute on function public.probe() to anon';
    expect(await scanAfter(`create function public.probe() ${FUNCTION}`, REVOKED, toVisitors)).toEqual([]);
    expect(
      await scanAfter(
        'create schema probes',
        `create function probes.probe() ${FUNCTION}`,
        'grant execute on function probes.probe() to public',
      ),
    ).toEqual([]);
  });

  test.each(['insert', 'update', 'delete', 'truncate'])('finds %s granted to visitors or members', async (verb) => {
    for (const role of ['anon', 'authenticated']) {
      const finding = [`error: ${role} may ${verb} rows (public.probe)`];
      const grant = `grant ${verb} on public.probe to ${role}`;
      expect(await scanAfter(...PROTECTED, POLICY, grant)).toEqual(finding);
      expect(
        await scanAfter(
          `${TABLE} partition by list (id)`,
          'alter table public.probe enable row level security',
          POLICY,
          grant,
        ),
      ).toEqual(finding);
    }
    const toService = `grant ${verb} on public.probe to service_role`;
    expect(await scanAfter(...PROTECTED, POLICY, toService)).toEqual([]);
    expect(
      await scanAfter('create table private.probe (id integer)', `grant ${verb} on private.probe to anon`),
    ).toEqual([]);
  });

  test.each(['insert', 'update'])('finds %s granted on one column', async (verb) => {
    expect(await scanAfter(...PROTECTED, POLICY, `grant ${verb} (note) on public.probe to anon`)).toEqual([
      `error: anon may ${verb} rows (public.probe)`,
    ]);
  });

  test('allows inserting usage events and nothing else on them; reading is no finding', async () => {
    expect(await scanAfter('grant insert on public.metrics_events to anon')).toEqual([]);
    expect(await scanAfter('grant update on public.metrics_events to anon')).toEqual([
      'error: anon may update rows (public.metrics_events)',
    ]);
    expect(await scanAfter(...PROTECTED, POLICY, 'grant select on public.probe to anon')).toEqual([]);
    expect(
      await scanAfter(
        'create view public.probe with (security_invoker = true) as select id from public.rewards',
        'grant update on public.probe to anon',
      ),
    ).toEqual([]);
  });
});

const OUTBOX = `
  insert into public.outbox_events (type, created_at, next_attempt_at, processed_at, failed_at, last_error) values
    ('Waiting', now() - interval '50 minutes', now() - interval '1 minute', null, null, null),
    ('Waiting', now() - interval '20 minutes', now() - interval '2 minutes', null, null, 'newer'),
    ('Waiting', now() - interval '10 minutes', now() - interval '4 minutes', null, null, 'older'),
    ('Failed', now() - interval '90 minutes', now() - interval '5 minutes', null, now(), 'given up'),
    ('Done', now() - interval '200 minutes', now(), now(), null, 'before it was done'),
    ('DoneLater', now() - interval '300 minutes', now(), now(), now(), 'given up before')`;

const EMPTY_OUTBOX = 'delete from public.outbox_events';

describe('C-54 get_system_health', () => {
  const healthAfter = (...statements: string[]) =>
    afterChange(
      statements,
      async (client) => (await call<Record<string, unknown>>(client, admin.id, 'get_system_health'))[0],
    );

  test('is for admins only, and measures the database', async () => {
    const member = await newMember();
    expect(await refusal(member.client.rpc('get_system_health'))).toEqual(FORBIDDEN);
    const before = Date.now();
    const health = await healthAfter();
    const workers = ['deliver-events', 'import-logos', 'remove-orphans', 'self-check'];
    expect(health?.workers).toMatchObject(workers.map((worker) => ({ worker })));
    expect(health?.server_version).toMatch(/^\d+\.\d+/);
    expect(Number(health?.database_bytes)).toBeGreaterThan(1_000_000);
    expect(Math.abs(Date.parse(String(health?.database_time)) - before)).toBeLessThan(60_000);
  });

  test('knows when points last moved and when the last event was recorded', async () => {
    const last = await healthAfter(
      // Transfers cannot be changed, not even by the schema's owner.
      'reset role',
      'set local session_replication_role = replica',
      "update public.transfers set created_at = '2020-05-01T00:00:00Z' where id = (select max(id) from public.transfers)",
      'delete from public.metrics_events',
      `insert into public.metrics_events (type, created_at) values
         ('page_view', '2020-01-01T00:00:00Z'), ('page_view', '2020-03-01T00:00:00Z'), ('page_view', '2020-02-01T00:00:00Z')`,
    );
    expect(last).toMatchObject({
      last_transfer_at: '2020-05-01T00:00:00+00:00',
      last_event_at: '2020-03-01T00:00:00+00:00',
    });
  });

  test('counts pending and dead mails, and knows the age of the oldest pending one', async () => {
    const health = await afterChange([EMPTY_OUTBOX, OUTBOX], async (client) => {
      const { rows } = await client.query("select to_jsonb(now() - interval '50 minutes') #>> '{}' as oldest");
      const [answer] = await call<{ outbox: object }>(client, admin.id, 'get_system_health');
      return { outbox: answer?.outbox, oldest: rows[0].oldest };
    });
    expect(health.outbox).toEqual({ waiting: 3, failed: 1, oldest_waiting_at: health.oldest });
    expect((await healthAfter(EMPTY_OUTBOX))?.outbox).toEqual({ waiting: 0, failed: 0, oldest_waiting_at: null });
  });
});

describe('get_deployment_report, which npm run doctor compares', () => {
  const reportAfter = (...statements: string[]) =>
    afterChange(
      statements,
      async (client) => (await call<Record<string, unknown>>(client, null, 'get_deployment_report'))[0],
    );

  test('names tables without row level security, also partitioned ones, in the exposed schema only, and that of the files', async () => {
    expect((await reportAfter())?.tables_without_rls).toEqual([]);
    expect((await reportAfter(TABLE, 'create table private.other (id integer)'))?.tables_without_rls).toEqual([
      'public.probe',
    ]);
    const partitioned = await reportAfter(
      `${TABLE} partition by list (id)`,
      'create view public.aaa as select 1 as id',
    );
    expect(partitioned?.tables_without_rls).toEqual(['public.probe']);
    const open = await reportAfter('alter table storage.objects disable row level security');
    expect(open?.tables_without_rls).toEqual(['storage.objects']);
  });

  test("describes every kind of object in the product's schemas, and among the platform's files only the policies", async () => {
    const parts = [
      'create table SCHEMA.sample (id integer constraint sample_positive check (id > 0))',
      'create index sample_id on SCHEMA.sample (id)',
      "create function SCHEMA.sample() returns trigger language plpgsql set search_path = '' as 'begin return null; end'",
      'create trigger sample_touch before update on SCHEMA.sample for each row execute function SCHEMA.sample()',
      'create policy sample_read on SCHEMA.sample using (true)',
    ];
    const described = async (schema: string) => {
      const statements = parts.map((part) => part.replaceAll('SCHEMA', schema));
      const report = await reportAfter('reset role', `create schema if not exists ${schema}`, ...statements);
      return Object.keys(report?.objects ?? {}).filter((name) => name.includes('sample'));
    };
    for (const schema of ['public', 'private'])
      expect((await described(schema)).sort()).toEqual([
        `constraint ${schema}.sample.sample_positive`,
        `function ${schema}.sample()`,
        `index ${schema}.sample_id`,
        `policy ${schema}.sample.sample_read`,
        `table ${schema}.sample`,
        `trigger ${schema}.sample.sample_touch`,
      ]);
    expect(await described('storage')).toEqual(['policy storage.sample.sample_read']);
    expect(await described('elsewhere')).toEqual([]);
  });

  test('describes privileges alike in whatever order they were granted', async () => {
    const described = async (...roles: string[]) => {
      const grants = roles.map((role) => `grant select on public.probe to ${role}`);
      const report = await reportAfter(TABLE, ...grants);
      return Object.entries(report?.objects ?? {}).find(([name]) => name === 'table public.probe');
    };
    expect(await described('authenticated', 'anon')).toEqual(await described('anon', 'authenticated'));
    expect(await described('anon')).not.toEqual(await described('authenticated'));
  });

  test('leaves out what changes nothing: a column that was dropped, and the functions of an extension', async () => {
    const objectsAfter = async (...statements: string[]) => (await reportAfter(TABLE, ...statements))?.objects;
    const dropped = ['alter table public.probe add former text', 'alter table public.probe drop former'];
    const extension = ['reset role', 'create extension citext schema public'];
    expect(await objectsAfter(...dropped, ...extension)).toEqual(await objectsAfter());
  });

  test('reports the buckets with their limits, the token issuer and whether the owner has an address', async () => {
    const report = await reportAfter("update public.app_settings set owner_email = 'owner@example.com'");
    const { rows } = await afterChange([], (client) =>
      client.query(`select id, public, file_size_limit::integer, allowed_mime_types from storage.buckets order by id`),
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(report).toMatchObject({
      buckets: rows,
      has_owner_email: true,
      token_issuer: testEnv().IDENTITY_ISSUER,
    });
    expect((await reportAfter('update public.app_settings set owner_email = null'))?.has_owner_email).toBe(false);
  });

  test("sees the client's address only where the platform passes it on", async () => {
    expect((await reportAfter("select set_config('request.headers', '', true)"))?.sees_client_address).toBe(false);
    const { data } = await asService().rpc('get_deployment_report').throwOnError();
    expect(data).toMatchObject({ sees_client_address: true });
  });

  test('reports the age of the oldest pending mail, the number of dead ones, and the latest error', async () => {
    expect((await reportAfter(EMPTY_OUTBOX, OUTBOX))?.outbox).toEqual({
      waiting_seconds: 3000,
      failed: 1,
      last_error: 'newer',
    });
    expect((await reportAfter(EMPTY_OUTBOX))?.outbox).toEqual({ waiting_seconds: null, failed: 0, last_error: null });
  });

  test('lists the applied migrations in order, or says that none are recorded', async () => {
    const record = [
      'create schema supabase_migrations',
      'create table supabase_migrations.schema_migrations (version text)',
      "insert into supabase_migrations.schema_migrations values ('20260202000000'), ('20260101000000')",
    ];
    expect((await reportAfter('drop schema if exists supabase_migrations cascade'))?.migrations).toBeNull();
    const locked = [
      'drop schema if exists supabase_migrations cascade',
      ...record,
      'reset role',
      'alter function private.applied_migrations() owner to service_role',
    ];
    expect((await reportAfter(...locked))?.migrations).toBeNull();
    expect((await reportAfter('drop schema if exists supabase_migrations cascade', ...record))?.migrations).toEqual([
      '20260101000000',
      '20260202000000',
    ]);
  });

  test('lists the scheduled jobs by name, or says that there is no schedule', async () => {
    expect((await reportAfter('drop schema if exists cron cascade'))?.schedules).toBeNull();
    const locked = [
      'reset role',
      'create schema cron',
      'create table cron.job (jobname text, schedule text, active boolean)',
      'alter function private.schedules() owner to service_role',
    ];
    expect((await reportAfter('drop schema if exists cron cascade', ...locked))?.schedules).toBeNull();
    const jobs = [
      'reset role',
      'drop schema if exists cron cascade',
      'create schema cron authorization postgres',
      'set local role postgres',
      'create table cron.job (jobname text, schedule text, active boolean)',
    ];
    expect((await reportAfter(...jobs))?.schedules).toEqual([]);
    expect(
      (
        await reportAfter(
          ...jobs,
          "insert into cron.job values ('second', '@daily', false), ('first', '* * * * *', true)",
        )
      )?.schedules,
    ).toEqual([
      { name: 'first', schedule: '* * * * *', active: true },
      { name: 'second', schedule: '@daily', active: false },
    ]);
  });
});
