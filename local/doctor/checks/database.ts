import { ask, field } from '../../process/ask.ts';
import { expectedReport, type Report, reportSchema } from '../expected-report.ts';
import { type Finding, fine, problem, skipped, warning } from '../finding.ts';
import type { SettingsWith } from '../settings.ts';

/** The largest number of rows in one API response; the app pages by it. */
const ROW_CEILING = 1_000;
const NAMED_OBJECTS = 5;

const OUTBOX_PATIENCE_SECONDS = 600;

/** The database matches supabase/migrations, and everything that only an installation can set is set. */
export async function checkDatabase(settings: SettingsWith<'VITE_SUPABASE_URL'>): Promise<Finding[]> {
  const { VITE_SUPABASE_URL, SUPABASE_SECRET_KEY, CLERK_ISSUER } = settings;
  if (!SUPABASE_SECRET_KEY)
    return [skipped('Database', 'set SUPABASE_SECRET_KEY to have tables, policies, buckets and workers looked at')];
  const rest = `${VITE_SUPABASE_URL}/rest/v1`;
  const headers = { apikey: SUPABASE_SECRET_KEY, authorization: `Bearer ${SUPABASE_SECRET_KEY}` };
  const { status, body } = await ask(`${rest}/rpc/get_deployment_report`, { headers });
  if (status === 401 || status === 403)
    return [problem('SUPABASE_SECRET_KEY', 'is not the secret key of this project')];
  if (status === 404) return [problem('Database', 'lacks the newest migrations: run npx supabase db push --remote')];
  const report = reportSchema.safeParse(body);
  if (!report.success)
    return [problem('Database', `its report is not that of this checkout (${status} ${field(body, 'message') ?? ''})`)];
  return [
    ...compare(report.data, await expectedReport(), CLERK_ISSUER),
    rowCeiling(await ask(`${rest}/rpc/probe_row_ceiling`, { headers })),
  ];
}

/** Exported for tests. `issuer` if the settings contain one. */
export function compare(report: Report, expected: Report, issuer?: string): Finding[] {
  const isCurrent = migrationsMissing(report, expected).length === 0;
  return [
    migrations(report, expected),
    ...(isCurrent
      ? [policies(report, expected), schema(report, expected)]
      : [skipped('Policies', 'are compared when the migrations are there')]),
    ...buckets(report, expected),
    report.has_owner_email
      ? fine('Owner', 'has an address in the settings')
      : problem('Owner', 'nobody can become admin: set app_settings.owner_email (docs/deploy.md)'),
    tokenIssuer(report, issuer),
    report.sees_client_address
      ? fine('Client address', 'the database sees where a request comes from')
      : problem(
          'Client address',
          'the database does not see where a request comes from, so all visitors share their limits: set ' +
            'private.deployment.address_header (docs/deploy.md)',
        ),
    ...report.workers.map((worker) => schedule(worker, report.schedules)),
    ...scheduleLog(report.schedules),
    outbox(report),
  ];
}

const migrationsMissing = ({ migrations: applied }: Report, { migrations: wanted }: Report): string[] =>
  applied ? (wanted ?? []).filter((version) => !applied.includes(version)) : [];

function migrations(report: Report, expected: Report): Finding {
  const subject = 'Migrations';
  const [applied, wanted] = [report.migrations, expected.migrations ?? []];
  if (!applied)
    return problem(subject, 'were not applied by the official CLI, so later ones cannot be: docs/deploy.md');
  const missing = migrationsMissing(report, expected);
  if (missing.length > 0) return problem(subject, `${missing.join(', ')} missing: run npx supabase db push --remote`);
  const unknown = applied.filter((version) => !wanted.includes(version));
  if (unknown.length > 0)
    return problem(subject, `the database has ${unknown.join(', ')}, which this checkout has not: use the newer one`);
  return fine(subject, `all ${wanted.length} applied`);
}

const isPolicy = (object: string) => object.startsWith('policy ');

function policies(report: Report, expected: Report): Finding {
  const subject = 'Policies';
  const open = report.tables_without_rls;
  if (open.length > 0)
    return problem(subject, `row level security is off for ${open.join(', ')}: everybody may read them`);
  const { missing, changed, foreign } = difference(report, expected, isPolicy);
  const wrong = [...missing, ...changed];
  if (wrong.length > 0) return problem(subject, `not as the migrations make them: ${named(wrong)}`);
  if (foreign.length > 0) return problem(subject, `not ours, and may open what should be closed: ${named(foreign)}`);
  return fine(subject, 'exactly those of the migrations');
}

function schema(report: Report, expected: Report): Finding {
  const subject = 'Schema';
  const { missing, changed, foreign } = difference(report, expected, (object) => !isPolicy(object));
  const wrong = [...missing.map((object) => `${object} (missing)`), ...changed];
  if (wrong.length > 0) {
    const how = 'A migration was edited after it had been applied, or the database was changed by hand';
    return problem(subject, `${wrong.length} not as the migrations make them: ${named(wrong)}. ${how}`);
  }
  if (foreign.length > 0) return warning(subject, `not ours: ${named(foreign)}`);
  return fine(subject, 'every schema, sequence, function, table, index and trigger is as the migrations make it');
}

function difference({ objects: present }: Report, { objects: wanted }: Report, isMeant: (object: string) => boolean) {
  const names = Object.keys(wanted).filter(isMeant);
  return {
    missing: names.filter((object) => !(object in present)),
    changed: names.filter((object) => object in present && present[object] !== wanted[object]),
    foreign: Object.keys(present).filter((object) => isMeant(object) && !(object in wanted)),
  };
}

function named(objects: string[]): string {
  const rest = objects.length - NAMED_OBJECTS;
  return objects.slice(0, NAMED_OBJECTS).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function tokenIssuer({ token_issuer: believed }: Report, issuer?: string): Finding {
  const subject = 'Token issuer';
  const how = 'set private.deployment.token_issuer (docs/deploy.md)';
  if (!believed) return problem(subject, `the database believes tokens of every issuer: ${how}`);
  if (!issuer) return skipped(subject, `the database believes ${believed}; set CLERK_ISSUER to have it compared`);
  if (believed !== issuer)
    return problem(subject, `the database believes ${believed} and not CLERK_ISSUER, so nobody can sign in: ${how}`);
  return fine(subject, 'the database believes the identity provider and nobody else');
}

function buckets({ buckets: present }: Report, expected: Report): Finding[] {
  return expected.buckets.map((wanted) => {
    const subject = `Bucket ${wanted.id}`;
    const bucket = present.find(({ id }) => id === wanted.id);
    if (!bucket) return problem(subject, 'is missing');
    if (bucket.public !== wanted.public) return problem(subject, `must ${wanted.public ? '' : 'not '}be public`);
    if (bucket.file_size_limit !== wanted.file_size_limit)
      return problem(subject, `must take files up to ${wanted.file_size_limit} bytes`);
    const [types, wantedTypes] = [bucket, wanted].map(({ allowed_mime_types: list }) => list?.toSorted().join(', '));
    if (types !== wantedTypes) return problem(subject, `must take ${wantedTypes} and takes ${types ?? 'everything'}`);
    return fine(subject, wanted.public ? 'public' : 'private');
  });
}

/** That a job exists proves nothing: it may call a wrong URL or use an old secret. A recent success does. */
function schedule(worker: Report['workers'][number], schedules: Report['schedules']): Finding {
  const subject = `Schedule ${worker.worker}`;
  const job = schedules?.find(({ name }) => name === worker.worker);
  const { seconds_since_success: age, last_problem: trouble } = worker;
  if (!worker.is_late) {
    if (trouble) return problem(subject, `its last run found or had trouble: ${trouble}`);
    if (job && job.schedule !== worker.schedule)
      return warning(subject, `ran ${age} s ago, by "${job.schedule}"; docs/deploy.md has "${worker.schedule}"`);
    return fine(subject, `ran ${age} s ago`);
  }
  const since = age === null ? 'has never ended well' : `has not ended well for ${Math.round(age / 60)} minutes`;
  if (trouble) return problem(subject, `${since}: ${trouble}`);
  if (!schedules) return problem(subject, `${since}, and pg_cron is not installed (docs/deploy.md)`);
  if (!job) return problem(subject, `${since}, and there is no job of that name (docs/deploy.md)`);
  if (!job.active) return problem(subject, `${since}, and the job is switched off`);
  return problem(subject, `${since}, although the job is there: look at net._http_response (docs/deploy.md)`);
}

/** pg_cron writes a row for each run and deletes none: 3,000 a day. Where it is not installed there is nothing to trim. */
function scheduleLog(schedules: Report['schedules']): Finding[] {
  const name = 'trim-schedule-log';
  if (!schedules) return [];
  return schedules.some((job) => job.name === name && job.active)
    ? [fine(`Schedule ${name}`, 'keeps the log of the schedule short')]
    : [problem(`Schedule ${name}`, 'the log of the schedule grows for ever: make the job of docs/deploy.md')];
}

function outbox({ outbox: { waiting_seconds: waiting, failed, last_error: error } }: Report): Finding {
  const subject = 'Outbox';
  const why = error ? `: ${error}` : '';
  if (failed > 0) return problem(subject, `${failed} mails were given up (admin > Mail)${why}`);
  if ((waiting ?? 0) > OUTBOX_PATIENCE_SECONDS)
    return problem(subject, `a mail has been waiting for ${Math.round((waiting ?? 0) / 60)} minutes${why}`);
  return fine(subject, 'no mail waits for long, and none was given up');
}

function rowCeiling({ status, body }: { status: number; body: unknown }): Finding {
  const subject = 'Row ceiling';
  if (!Array.isArray(body)) return problem(subject, `could not be read: the API answers ${status}`);
  return body.length === ROW_CEILING
    ? fine(subject, `${ROW_CEILING} rows in one answer`)
    : problem(
        subject,
        `the API hands out ${body.length} rows at once and must hand out ${ROW_CEILING} (Project Settings > Data API)`,
      );
}
