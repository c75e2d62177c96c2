import { beforeAll, describe, expect, it } from 'vitest';
import { testEnv } from '../../testing/clients.ts';
import { problems } from '../../testing/deployment.ts';
import { expectedReport, type Report } from '../expected-report.ts';
import { compare } from './database.ts';

const env = testEnv();

describe('with a database', () => {
  let expected: Report;
  let right: Report;
  beforeAll(async () => {
    expected = await expectedReport();
    right = {
      ...expected,
      has_owner_email: true,
      token_issuer: env.IDENTITY_ISSUER,
      sees_client_address: true,
      schedules: [
        ...expected.workers.map(({ worker, schedule }) => ({ name: worker, schedule, active: true })),
        { name: 'trim-schedule-log', schedule: '0 4 * * *', active: true },
      ],
      workers: expected.workers.map((worker) => ({ ...worker, is_late: false, seconds_since_success: 40 })),
    };
  });
  const without = (objects: Report['objects'], name: string) =>
    Object.fromEntries(Object.entries(objects).filter(([object]) => object !== name));
  /** deliver-events with failing runs. */
  const delivery =
    (state: Partial<Report['workers'][number]>, changes: Partial<Report> = {}) =>
    (report: Report) => ({
      ...changes,
      workers: report.workers.map((worker) => (worker.worker === 'deliver-events' ? { ...worker, ...state } : worker)),
    });
  const silent = { seconds_since_success: 3_600, is_late: true };
  /** The jobs, with one changed or (null) omitted. */
  const jobs = (changed: string, changes: object | null) => (report: Report) =>
    report.schedules?.flatMap((job) => {
      if (job.name !== changed) return [job];
      return changes ? [{ ...job, ...changes }] : [];
    }) ?? null;

  // TRUST-29, TRUST-24: what only the installation can set is checked as well.
  it.each<[string, (report: Report) => Partial<Report>, string, RegExp]>([
    ['without the last migration', () => ({ migrations: [] }), 'Migrations', /db push --remote/],
    ['with unrecorded migrations', () => ({ migrations: null }), 'Migrations', /official CLI/],
    [
      'of a newer checkout',
      ({ migrations }) => ({ migrations: [...(migrations ?? []), '2999'] }),
      'Migrations',
      /2999/,
    ],
    [
      'without a policy',
      ({ objects }) => ({ objects: without(objects, 'policy storage.objects.proofs_insert') }),
      'Policies',
      /proofs_insert/,
    ],
    [
      'with a widened policy',
      ({ objects }) => ({ objects: { ...objects, 'policy storage.objects.proofs_read': 'other' } }),
      'Policies',
      /proofs_read/,
    ],
    [
      'with a foreign policy',
      ({ objects }) => ({ objects: { ...objects, 'policy public.wallets.anyone': 'x' } }),
      'Policies',
      /wallets.anyone/,
    ],
    ['with an open table', () => ({ tables_without_rls: ['public.wallets'] }), 'Policies', /public\.wallets/],
    [
      'with an edited procedure',
      ({ objects }) => ({ objects: { ...objects, 'function public.get_site_stats()': 'edited' } }),
      'Schema',
      /get_site_stats/,
    ],
    [
      'without an index',
      ({ objects }) => ({ objects: without(objects, 'index public.outbox_events_due') }),
      'Schema',
      /outbox_events_due \(missing\)/,
    ],
    [
      'without a bucket',
      ({ buckets }) => ({ buckets: buckets.filter(({ id }) => id !== 'proofs') }),
      'Bucket proofs',
      /missing/,
    ],
    [
      'without the bucket of the sitemap',
      ({ buckets }) => ({ buckets: buckets.filter(({ id }) => id !== 'site') }),
      'Bucket site',
      /missing/,
    ],
    [
      'with publicly readable proofs',
      ({ buckets }) => ({
        buckets: buckets.map((bucket) => (bucket.id === 'proofs' ? { ...bucket, public: true } : bucket)),
      }),
      'Bucket proofs',
      /public/,
    ],
    [
      'with a bucket that accepts more',
      ({ buckets }) => ({
        buckets: buckets.map((bucket) => (bucket.id === 'site' ? { ...bucket, file_size_limit: null } : bucket)),
      }),
      'Bucket site',
      /bytes/,
    ],
    [
      'with a bucket that accepts everything',
      ({ buckets }) => ({
        buckets: buckets.map((bucket) => (bucket.id === 'site' ? { ...bucket, allowed_mime_types: null } : bucket)),
      }),
      'Bucket site',
      /everything/,
    ],
    ['without an owner', () => ({ has_owner_email: false }), 'Owner', /owner_email/],
    ['that trusts every issuer', () => ({ token_issuer: null }), 'Token issuer', /every issuer/],
    [
      'that trusts another issuer',
      () => ({ token_issuer: 'https://clerk.other.example' }),
      'Token issuer',
      /clerk.other/,
    ],
    ['that sees no client addresses', () => ({ sees_client_address: false }), 'Client address', /address_header/],
    ['without pg_cron', delivery(silent, { schedules: null }), 'Schedule deliver-events', /pg_cron is not installed/],
    [
      'without a job',
      (report) => ({ ...delivery(silent)(report), schedules: jobs('deliver-events', null)(report) }),
      'Schedule deliver-events',
      /no job of that name/,
    ],
    [
      'with a disabled job',
      (report) => ({ ...delivery(silent)(report), schedules: jobs('deliver-events', { active: false })(report) }),
      'Schedule deliver-events',
      /switched off/,
    ],
    ['with a job that calls a wrong address', delivery(silent), 'Schedule deliver-events', /although the job is there/],
    [
      'with a failing worker',
      delivery({ ...silent, last_problem: 'FORBIDDEN' }),
      'Schedule deliver-events',
      /FORBIDDEN/,
    ],
    [
      'with a worker that has never run',
      delivery({ seconds_since_success: null, is_late: true }),
      'Schedule deliver-events',
      /has never ended well/,
    ],
    [
      'with a growing schedule log',
      (report) => ({ schedules: jobs('trim-schedule-log', null)(report) }),
      'Schedule trim-schedule-log',
      /grows for ever/,
    ],
    [
      'with pending mails',
      () => ({ outbox: { waiting_seconds: 3_600, failed: 0, last_error: 'down' } }),
      'Outbox',
      /60 minutes: down/,
    ],
    [
      'with failing mails',
      () => ({ outbox: { waiting_seconds: null, failed: 9, last_error: 'invalid key' } }),
      'Outbox',
      /9 mails were given up.*invalid key/,
    ],
  ])('%s, says so', (_what, change, subject, detail) => {
    expect(problems(compare(right, expected, env.IDENTITY_ISSUER))).toEqual([]);
    const found = problems(compare({ ...right, ...change(right) }, expected, env.IDENTITY_ISSUER));
    expect(found).toEqual([{ state: 'problem', subject, detail: expect.stringMatching(detail) }]);
  });
});
