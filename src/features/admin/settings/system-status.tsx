import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig, CircleX } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { Section } from '../components/section';
import { adminKey } from '../keys';
import { type CheckResult, runSystemChecks } from './system-checks';

const names = ['Database', 'Storage', 'Authentication', 'Email Service', 'Analytics'];

/** Each part of the system, asked just now (ADMIN-12, C-54). */
export function SystemStatus() {
  const checks = useQuery({ queryKey: adminKey('system-status'), queryFn: runSystemChecks, staleTime: 60_000 });
  return (
    <Section
      title="System Status"
      lead="Measured when this page opens."
      actions={
        <Button variant="secondary" isLoading={checks.isFetching} onClick={() => checks.refetch()}>
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
    </Section>
  );
}

function Check({ result }: { result: CheckResult | undefined }) {
  if (!result) return <Skeleton className="h-5 sm:col-span-2" />;
  const isWorking = result.state === 'working';
  return (
    <>
      <span className="text-muted [overflow-wrap:anywhere]">
        {result.words}
        {result.ms !== null && <span className="tabular-nums"> · {result.ms} ms</span>}
      </span>
      <Badge tone={isWorking ? 'action' : 'danger'} className="justify-self-start">
        {isWorking ? <CircleCheckBig aria-hidden="true" /> : <CircleX aria-hidden="true" />}
        {isWorking ? 'Working' : 'Failing'}
      </Badge>
    </>
  );
}
