import { z } from 'zod';
import { ask, field } from '../ask.ts';
import { type Expected, expectedDatabase } from '../expected-database.ts';
import { type Finding, fine, problem, skipped, warning } from '../finding.ts';
import type { SettingsWith } from '../settings.ts';

/** The schedule of docs/deploy.md ticks every minute. */
const PATIENCE_SECONDS = 600;

const reportSchema = z.object({
  migrations: z.array(z.string()).nullable(),
  policies: z.array(z.string()),
  tables_without_rls: z.array(z.string()),
  buckets: z.array(z.object({ id: z.string(), public: z.boolean(), file_size_limit: z.number().nullable() })),
  has_owner_email: z.boolean(),
  token_issuer: z.string().nullable(),
  sees_client_address: z.boolean(),
  outbox_waiting_seconds: z.number().nullable(),
});

type Report = z.infer<typeof reportSchema>;

/** Migrations, policies, buckets and settings are as the files of supabase/migrations say. */
export async function checkDatabase(settings: SettingsWith<'VITE_SUPABASE_URL'>): Promise<Finding[]> {
  const { VITE_SUPABASE_URL, SUPABASE_SECRET_KEY, CLERK_ISSUER } = settings;
  if (!SUPABASE_SECRET_KEY)
    return [skipped('Database', 'set SUPABASE_SECRET_KEY to have policies and buckets checked')];
  const { status, body } = await ask(`${VITE_SUPABASE_URL.replace(/\/+$/, '')}/rest/v1/rpc/get_deployment_report`, {
    headers: { apikey: SUPABASE_SECRET_KEY, authorization: `Bearer ${SUPABASE_SECRET_KEY}` },
  });
  if (status === 401 || status === 403)
    return [problem('SUPABASE_SECRET_KEY', 'is not the secret key of this project')];
  if (status === 404) return [problem('Database', 'lacks the newest migrations: run npx supabase db push --remote')];
  const report = reportSchema.safeParse(body);
  if (!report.success) return [problem('Database', `answers ${status}: ${field(body, 'message')}`)];
  return compare(report.data, { ...expectedDatabase(), issuer: CLERK_ISSUER });
}

/** Exported for tests. `issuer` as far as the settings name one. */
export function compare(report: Report, expected: Expected & { issuer?: string }): Finding[] {
  return [
    migrations(report, expected),
    policies(report, expected),
    ...buckets(report, expected),
    report.has_owner_email
      ? fine('Owner', 'has an address in the settings')
      : problem('Owner', 'nobody can become admin: set app_settings.owner_email (docs/deploy.md)'),
    tokenIssuer(report, expected.issuer),
    report.sees_client_address
      ? fine('Client address', 'the database sees where a request comes from')
      : problem(
          'Client address',
          'the database does not see where a request comes from, so all visitors share their limits: set ' +
            'private.deployment.address_header (docs/deploy.md)',
        ),
    (report.outbox_waiting_seconds ?? 0) > PATIENCE_SECONDS
      ? problem('Outbox', 'events wait for more than ten minutes: nothing calls deliver-events (docs/deploy.md)')
      : fine('Outbox', 'no event waits for long'),
  ];
}

function migrations({ migrations: applied }: Report, expected: Expected): Finding {
  const subject = 'Migrations';
  if (!applied) return warning(subject, 'were not applied by the official CLI, so they cannot be counted');
  const missing = expected.migrations.filter((version) => !applied.includes(version));
  if (missing.length > 0) return problem(subject, `${missing.join(', ')} missing: run npx supabase db push --remote`);
  const unknown = applied.filter((version) => !expected.migrations.includes(version));
  if (unknown.length > 0)
    return warning(subject, `the database has ${unknown.join(', ')}, which this checkout has not`);
  return fine(subject, `all ${expected.migrations.length} applied`);
}

function tokenIssuer({ token_issuer: believed }: Report, issuer?: string): Finding {
  const subject = 'Token issuer';
  const how = 'set private.deployment.token_issuer (docs/deploy.md)';
  if (!believed) return problem(subject, `the database believes tokens of every issuer: ${how}`);
  const expected = issuer?.replace(/\/+$/, '');
  if (expected && believed !== expected)
    return problem(subject, `the database believes ${believed} and not CLERK_ISSUER, so nobody can sign in: ${how}`);
  return fine(subject, 'the database believes the identity provider and nobody else');
}

function policies({ policies: present, tables_without_rls }: Report, expected: Expected): Finding {
  const subject = 'Policies';
  const missing = expected.policies.filter((policy) => !present.includes(policy));
  if (tables_without_rls.length > 0) {
    return problem(subject, `row level security is off for ${tables_without_rls.join(', ')}: everybody may read them`);
  }
  if (missing.length > 0) return problem(subject, `missing: ${missing.join(', ')}`);
  const foreign = present.filter((policy) => policy.startsWith('public.') && !expected.policies.includes(policy));
  if (foreign.length > 0)
    return problem(subject, `not ours, and may open what should be closed: ${foreign.join(', ')}`);
  return fine(subject, `all ${expected.policies.length} present, and no other`);
}

function buckets({ buckets: present }: Report, expected: Expected): Finding[] {
  return expected.buckets.map(({ id, isPublic, limit }) => {
    const subject = `Bucket ${id}`;
    const bucket = present.find((candidate) => candidate.id === id);
    if (!bucket) return problem(subject, 'is missing');
    if (bucket.public !== isPublic) return problem(subject, `must ${isPublic ? '' : 'not '}be public`);
    if (bucket.file_size_limit !== limit) return problem(subject, `must take files up to ${limit} bytes`);
    return fine(subject, isPublic ? 'public' : 'private');
  });
}
