import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheckBig, CircleX } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { getToken } from '@/lib/auth';
import { getEnv } from '@/lib/env';
import { AppError, describeError } from '@/lib/errors';
import { formatAge, formatCount, formatNumber } from '@/lib/format';
import { Section } from '../components/section';
import { adminKeys } from '../keys';
import { readMailHealth, readSystemHealth, storageRoundTrip } from './queries';

const names = ['Database', 'Storage', 'Authentication', 'Email Service', 'Analytics'];

/** Live status of each part of the system (ADMIN-12, C-54). */
export function SystemStatus() {
  const checks = useQuery({ queryKey: adminKeys.systemStatus, queryFn: runSystemChecks, staleTime: 60_000 });
  const queryClient = useQueryClient();
  const handleMeasure = () => {
    void checks.refetch();
    void queryClient.refetchQueries({ queryKey: adminKeys.systemHealth });
  };
  return (
    <Section
      title="System Status"
      lead="Measured when this page opens."
      actions={
        <Button variant="secondary" isLoading={checks.isFetching} onClick={handleMeasure}>
          Measure again
        </Button>
      }
    >
      <ul aria-busy={checks.isFetching}>
        {names.map((name) => (
          <li key={name} className="grid gap-x-4 gap-y-1 border-b py-3 last:border-b-0 sm:grid-cols-[9rem_1fr_auto]">
            <span className="font-semibold">{name}</span>
            <Check result={checks.data?.find((check) => check.name === name)} />
          </li>
        ))}
      </ul>
      <RefusedSources />
    </Section>
  );
}

/** Recent CSP violations (TRUST-24): a provider's new host, or somebody probing. Renders nothing without any. */
function RefusedSources() {
  const health = useQuery({ queryKey: adminKeys.systemHealth, queryFn: readSystemHealth, staleTime: 60_000 });
  const refusals = health.data?.csp_reports ?? [];
  if (refusals.length === 0) return null;
  return (
    <>
      <h3 className="mt-2 text-base">Blocked by the security policy</h3>
      <p className="text-muted">
        What visitors’ browsers reported in the last seven days. If a provider’s host is listed, add it to the policy
        (docs/deploy.md, step 9).
      </p>
      <ul>
        {refusals.map(({ directive, blocked, page, reports, last_at }) => (
          <li key={`${directive} ${blocked}`} className="border-b py-2 [overflow-wrap:anywhere] last:border-b-0">
            <span className="font-semibold">{blocked}</span>
            <span className="text-muted">
              {' '}
              as {directive} on {page}: {formatCount(reports, 'time')}, last {formatAge(last_at)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Check({ result }: { result: CheckResult | undefined }) {
  if (!result) return <Skeleton className="h-5 sm:col-span-2" />;
  const { isWorking, words, ms } = result;
  return (
    <>
      <span className="text-muted [overflow-wrap:anywhere]">
        {words}
        <span className="tabular-nums"> · {formatNumber(ms)} ms</span>
      </span>
      <Badge tone={isWorking ? 'action' : 'danger'} className="justify-self-start">
        {isWorking ? <CircleCheckBig aria-hidden="true" /> : <CircleX aria-hidden="true" />}
        {isWorking ? 'Working' : 'Failing'}
      </Badge>
    </>
  );
}

/** Measurement of one part of the system; `ms`: response time. */
type CheckResult = { name: string; isWorking: boolean; words: string; ms: number };

async function measure(name: string, run: () => Promise<string>): Promise<CheckResult> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const words = await run();
    return { name, isWorking: true, words, ms: elapsed() };
  } catch (error) {
    return { name, isWorking: false, words: describeError(error), ms: elapsed() };
  }
}

/** Formats a database size in megabytes. */
const megabytes = (bytes: number) => `${formatNumber(bytes / 1_000_000)} MB`;

async function checkAnalytics(): Promise<CheckResult> {
  const script = getEnv().VITE_ANALYTICS_SRC;
  const events = await measure('Analytics', async () => {
    const { last_event_at } = await readSystemHealth();
    return last_event_at ? `Last event ${formatAge(last_event_at)}` : 'No events yet';
  });
  const outside = script ? `outside script from ${new URL(script).host}` : 'no outside script configured';
  return { ...events, words: `${events.words}; ${outside}` };
}

/** Measures every part independently (C-54), so that the slowest does not delay the others. */
function runSystemChecks(): Promise<CheckResult[]> {
  return Promise.all([
    measure('Database', async () => {
      const { server_version, database_bytes } = await readSystemHealth();
      return `PostgreSQL ${server_version.split(' ')[0]}, ${megabytes(database_bytes)}`;
    }),
    measure('Storage', async () => {
      await storageRoundTrip();
      return 'A file was written, read and removed';
    }),
    measure('Authentication', async () => {
      if (!(await getToken())) throw new AppError('UNAUTHENTICATED', 'No session token', 401);
      await readSystemHealth();
      return 'Your session is valid and the database accepts it';
    }),
    measure('Email Service', async () => {
      await readMailHealth();
      const { outbox } = await readSystemHealth();
      return `The function answers; ${formatNumber(outbox.waiting)} waiting, ${formatNumber(outbox.failed)} failed`;
    }),
    checkAnalytics(),
  ]);
}
