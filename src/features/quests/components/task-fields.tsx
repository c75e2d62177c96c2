import { useQuery } from '@tanstack/react-query';
import { Camera, CircleCheck, Download, KeyRound, Link2, MessageCircleQuestion, Type, Webhook } from 'lucide-react';
import { Controller } from 'react-hook-form';
import { Link, useParams } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { Field, FieldError, Select } from '@/components/ui/field';
import { RadioCards } from '@/components/ui/radio-cards';
import { useTestEndpoint } from '@/features/projects';
import { useIsBeta } from '@/features/settings';
import { downloadBlob } from '@/lib/csv';
import { describeError } from '@/lib/errors';
import { formatCount, formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import { questFormQueries } from '../form-queries';
import { questQueries, type TaskVerification } from '../queries';
import {
  type CheckSource,
  emptyQuest,
  newCompletionCodes,
  rewardParts,
  type TaskValues,
  taskInstructions,
} from '../quest-form';
import { completionsRange, rewardRange } from '../quest-problems';
import type { Verification } from '../quest-templates';
import { CheckboxField, NumberField, TextField, useQuestBounds, useQuestForm, useQuestValue } from './form-fields';
import { IncentiveNotice } from './incentive-notes';

/** Fields of one task, shared by the sections of a new quest and the tasks of a stored one. */
type TaskFieldsProps = { index: number };

/** Reward per completion and maximum completions; shows the ranges up front (C-113). */
export function TaskReward({ index }: TaskFieldsProps) {
  const bounds = useQuestBounds();
  const rewardType = useQuestValue((form) => form.rewardType);
  const task = useQuestValue(({ tasks }) => tasks[index]);
  if (!task) return null;
  const values = { ...emptyQuest, rewardType };
  const points = rewardRange(values, task, bounds);
  const completions = completionsRange(task, bounds);
  const isNew = bounds.stored === null;
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      {rewardParts(values.rewardType).enablePoints && (
        <NumberField
          name={`tasks.${index}.rewardPoints`}
          label={isNew ? 'Points per person' : 'Reward points'}
          hint={`${formatPoints(points.min)} to ${formatPoints(points.max)} points`}
          fallback={0}
          min={isNew ? 1 : 0}
          max={1000}
        />
      )}
      <NumberField
        name={`tasks.${index}.maxCompletions`}
        label={isNew ? 'Max participants' : 'Max completions'}
        hint={
          completions.min > 1
            ? `${formatCount(completions.min, 'spot')} taken, up to ${formatPoints(completions.max)}`
            : `1 to ${formatPoints(completions.max)} people`
        }
        fallback={1}
        min={1}
        max={completions.max}
      />
    </div>
  );
}

/** Advice on whether the task may be rewarded (BEY-15). The only task of a new quest has the quest's title. */
export function TaskIncentives({ index }: TaskFieldsProps) {
  const { setValue } = useQuestForm();
  const { stored } = useQuestBounds();
  const words = useQuestValue((values) => {
    const task = values.tasks[index];
    return task && { title: stored ? task.title : values.title, instructions: taskInstructions(values, task) };
  });
  if (!words) return null;
  return (
    <IncentiveNotice
      {...words}
      onReplace={({ title, instructions }) => {
        const options = { shouldDirty: true, shouldValidate: true };
        setValue(stored ? `tasks.${index}.title` : 'title', title, options);
        setValue(`tasks.${index}.instructions`, instructions, options);
      }}
    />
  );
}

const verificationOptions: readonly { value: Verification; title: string; text: string; icon: typeof Camera }[] = [
  { value: 'simple', title: 'No proof', text: 'Members just press a button', icon: CircleCheck },
  { value: 'link', title: 'Link', text: 'A post, a profile, a review', icon: Link2 },
  { value: 'screenshot', title: 'Screenshot', text: 'A picture of the result', icon: Camera },
  { value: 'text', title: 'Text', text: 'A few sentences', icon: Type },
  { value: 'code', title: 'Code', text: 'Members who finish get a code from you', icon: KeyRound },
  { value: 'call', title: 'Signed call', text: 'Your system tells us', icon: Webhook },
  { value: 'check', title: 'Endpoint check', text: 'We ask your system', icon: MessageCircleQuestion },
];

/** Proof type and verification (QNEW-11, QNEW-18, QEDIT-06). */
export function TaskProof({ index }: TaskFieldsProps) {
  const isBeta = useIsBeta();
  const { control } = useQuestForm();
  const isVerified = useQuestValue(({ tasks }) => ['code', 'call', 'check'].includes(tasks[index]?.verification ?? ''));
  return (
    <div className="grid gap-3">
      <Controller
        control={control}
        name={`tasks.${index}.verification`}
        render={({ field: { value, onChange } }) => (
          <RadioCards label="Verification" options={verificationOptions} value={value} onChange={onChange} />
        )}
      />
      {isVerified ? (
        <VerificationFields index={index} />
      ) : (
        <CheckboxField
          name={`tasks.${index}.autoVerify`}
          label="Verify automatically"
          hint={
            isBeta
              ? 'During the beta every submission is approved at once. After it, leave this off to review each one.'
              : 'Submissions without proof are approved at once. Leave this off to review each one.'
          }
        />
      )}
    </div>
  );
}

/**
 * Settings that the server needs to verify a task without a reviewer (BEY-13). Shows the stored ones except for
 * secrets.
 */
function VerificationFields({ index }: TaskFieldsProps) {
  const { id = '' } = useParams();
  const task = useQuestValue(({ tasks }) => tasks[index]);
  const stored = useQuery({ ...questQueries.verifications(id), enabled: id !== '' && task?.taskId != null }).data?.find(
    ({ task_id }) => task_id === task?.taskId,
  );
  if (!task) return null;
  switch (task.verification) {
    case 'code':
      return <CodeFields index={index} task={task} stored={stored} />;
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

function LinkField({ index, isOptional = false }: TaskFieldsProps & { isOptional?: boolean }) {
  return (
    <TextField
      name={`tasks.${index}.linkUrl`}
      label="Link"
      hint="Where members do the task. The link carries a personal token, and nothing else about them."
      placeholder="https://"
      isRequired={!isOptional}
    />
  );
}

function StoredCodes({ hasShared, left, used }: { hasShared: boolean; left: number; used: number }) {
  const single = left + used > 0 ? `${left} of ${formatCount(left + used, 'code')} left.` : '';
  return [hasShared ? 'A shared code is set.' : '', single].filter(Boolean).join(' ');
}

type CodeFieldsProps = TaskFieldsProps & { task: TaskValues; stored: TaskVerification | undefined };

function CodeFields({ index, task, stored }: CodeFieldsProps) {
  const { setValue } = useQuestForm();
  const made = task.codes.length;
  const { has_shared_code: hasShared = false, codes_left: left = 0, codes_used: used = 0 } = stored ?? {};
  const isSingle = task.sharedCode.trim() === '' && !hasShared && made + left + used > 0;
  // Members at spots without a code could never complete the task.
  const missing = isSingle ? task.maxCompletions - made - left - used : 0;
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
        label="Shared code"
        hint={
          <>
            <StoredCodes hasShared={hasShared} left={left} used={used} /> 6 to 64 letters and digits. It cannot be read
            again once it is saved.
          </>
        }
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="secondary" onClick={handleMake}>
          <Download aria-hidden="true" />
          Or create single-use codes
        </Button>
        {made > 0 && (
          <p role="status" className="text-muted">
            {formatCount(made, 'code')} downloaded. They are valid once you save, and cannot be shown again.
          </p>
        )}
      </div>
      {missing > 0 && (
        <p className="text-sm text-warning">{formatCount(missing, 'spot has', 'spots have')} no code yet.</p>
      )}
    </div>
  );
}

type CheckFieldsProps = TaskFieldsProps & { task: TaskValues; stored: StoredCheck | null };
type StoredCheck = { source: CheckSource; target: string };

const sourceLabels: Record<CheckSource, string> = {
  endpoint: 'Your own endpoint',
  github_pull_request: 'GitHub, a merged pull request',
};

/** Source of a check: the project's endpoint, or an enabled connector. */
function CheckFields({ index, task, stored }: CheckFieldsProps) {
  const { register, resetField } = useQuestForm();
  const known = useQuery(questFormQueries.checkSources()).data ?? ['endpoint'];
  const source = task.checkSource || stored?.source || 'endpoint';
  const sources = [...new Set<CheckSource>([...known, source])];
  const kept = stored?.source === source ? stored.target : null;
  return (
    <>
      {sources.length > 1 && (
        <Field label="Check with">
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
              {kept !== null && `Current: ${kept}. Leave blank to keep it. `}
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

type EndpointFieldProps = TaskFieldsProps & { address: string; stored: string | null };

function EndpointField({ index, address, stored }: EndpointFieldProps) {
  const test = useTestEndpoint();
  // The result for another endpoint does not apply to this one.
  const isTested = test.variables === address;
  return (
    <div className="grid gap-3">
      <TextField
        name={`tasks.${index}.checkTarget`}
        label="Endpoint URL"
        hint={
          stored === null
            ? 'An https URL that answers { "completed": true }.'
            : `Current: ${stored}. Leave blank to keep it.`
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
