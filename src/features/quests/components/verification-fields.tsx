import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { Field, FieldError, Select } from '@/components/ui/field';
import { useTestEndpoint } from '@/features/projects';
import { downloadBlob } from '@/lib/csv';
import { describeError } from '@/lib/errors';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';
import { checkQueries } from '../check-queries';
import { questQueries, type TaskVerification } from '../queries';
import { type CheckSource, newCompletionCodes, type TaskValues } from '../quest-form';
import { useQuestForm, useQuestValue } from '../use-quest-form';
import { TextField } from './form-fields';

type FieldsProps = { index: number };

/**
 * Settings that the server needs to verify a task without a reviewer (BEY-13). Shows the stored ones except for
 * secrets.
 */
export function VerificationFields({ index }: FieldsProps) {
  const { id = '' } = useParams();
  const task = useQuestValue(({ tasks }) => tasks[index]);
  const stored = useQuery({ ...questQueries.verifications(id), enabled: id !== '' && task?.taskId != null }).data?.find(
    ({ task_id }) => task_id === task?.taskId,
  );
  if (!task) return null;
  switch (task.verification) {
    case 'code':
      return (
        <CodeFields
          index={index}
          task={task}
          stored={
            stored && (
              <StoredCodes hasShared={stored.has_shared_code} left={stored.codes_left} used={stored.codes_used} />
            )
          }
        />
      );
    case 'call':
      return (
        <>
          <LinkField index={index} />
          <p className="text-muted text-sm">
            Your system confirms it by a signed call. The secret and examples are on{' '}
            <Link to={paths.developers} target="_blank" className="text-action underline underline-offset-4">
              the page for developers
            </Link>
            .
          </p>
        </>
      );
    case 'check':
      return <CheckFields index={index} task={task} stored={stored ? storedCheck(stored) : null} />;
    default:
      return null;
  }
}

const storedCheck = ({ check_source, check_target }: TaskVerification): StoredCheck | null =>
  check_target === null
    ? null
    : { source: check_source === 'github_pull_request' ? check_source : 'endpoint', target: check_target };

function LinkField({ index, isOptional = false }: FieldsProps & { isOptional?: boolean }) {
  return (
    <TextField
      name={`tasks.${index}.linkUrl`}
      label="Link"
      hint="Where members do it. They arrive with a token of their own, and nothing else about them."
      placeholder="https://"
      isRequired={!isOptional}
    />
  );
}

function StoredCodes({ hasShared, left, used }: { hasShared: boolean; left: number; used: number }) {
  const single = left + used > 0 ? `${left} of ${formatCount(left + used, 'code')} left.` : '';
  return [hasShared ? 'A code for everybody is set.' : '', single].filter(Boolean).join(' ');
}

function CodeFields({ index, task, stored }: FieldsProps & { task: TaskValues; stored: ReactNode }) {
  const { setValue } = useQuestForm();
  const made = task.codes.length;
  const handleMake = () => {
    const codes = newCompletionCodes(Math.min(task.maxCompletions, 1000));
    setValue(`tasks.${index}.codes`, codes, { shouldDirty: true });
    setValue(`tasks.${index}.sharedCode`, '', { shouldDirty: true, shouldValidate: true });
    downloadBlob(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'questboard-codes.txt');
  };
  return (
    <div className="grid gap-3">
      <TextField
        name={`tasks.${index}.sharedCode`}
        label="Code for everybody"
        hint={<>{stored} 6 to 64 letters and digits. It cannot be read again once it is saved.</>}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="secondary" onClick={handleMake}>
          <Download aria-hidden="true" />
          Or make one code for each member
        </Button>
        {made > 0 && (
          <p role="status" className="text-muted">
            {formatCount(made, 'code')} downloaded. They are valid once you save, and cannot be shown again.
          </p>
        )}
      </div>
    </div>
  );
}

type CheckFieldsProps = FieldsProps & { task: TaskValues; stored: StoredCheck | null };
type StoredCheck = { source: CheckSource; target: string };

const sourceLabels: Record<CheckSource, string> = {
  endpoint: 'Your own address',
  github_pull_request: 'GitHub, a merged pull request',
};

/** Source of a check: the project's endpoint, or an enabled connector. */
function CheckFields({ index, task, stored }: CheckFieldsProps) {
  const { register, resetField } = useQuestForm();
  const known = useQuery(checkQueries.sources()).data ?? ['endpoint'];
  const source = task.checkSource || stored?.source || 'endpoint';
  const sources = [...new Set<CheckSource>([...known, source])];
  const kept = stored?.source === source ? stored.target : null;
  return (
    <>
      {sources.length > 1 && (
        <Field label="Whom we ask">
          <Select
            {...register(`tasks.${index}.checkSource`, {
              // Cleared, because an endpoint is not a valid repository, and vice versa.
              onChange: () => resetField(`tasks.${index}.checkTarget`, { defaultValue: '' }),
            })}
            value={source}
          >
            {sources.map((each) => (
              <option key={each} value={each}>
                {sourceLabels[each]}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <LinkField index={index} isOptional={source === 'github_pull_request'} />
      {source === 'github_pull_request' ? (
        <TextField
          name={`tasks.${index}.checkTarget`}
          label="Repository"
          hint={
            <>
              {kept !== null && `Now: ${kept}. Blank keeps it. `}
              Public, as owner/name. Members put a token of their own into the description of their pull request, and it
              counts once it is merged.
            </>
          }
          placeholder="owner/name"
          isRequired={kept === null}
        />
      ) : (
        <EndpointField index={index} address={task.checkTarget.trim()} stored={kept} />
      )}
    </>
  );
}

type EndpointFieldProps = FieldsProps & { address: string; stored: string | null };

function EndpointField({ index, address, stored }: EndpointFieldProps) {
  const test = useTestEndpoint();
  // The result for another endpoint does not apply to this one.
  const isTested = test.variables === address;
  return (
    <div className="grid gap-3">
      <TextField
        name={`tasks.${index}.checkTarget`}
        label="Address that we ask"
        hint={
          stored === null ? 'Your https address that answers { "completed": true }.' : `Now: ${stored}. Blank keeps it.`
        }
        placeholder="https://"
        isRequired={stored === null}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          isLoading={test.isPending}
          disabled={address === ''}
          onClick={() => test.mutate(address)}
        >
          Test this address
        </Button>
        {isTested && test.isSuccess && <p role="status">It works.</p>}
      </div>
      {isTested && test.isError && <FieldError>{describeError(test.error)}</FieldError>}
    </div>
  );
}
