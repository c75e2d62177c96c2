import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '@/components/alert-dialogs';
import { CopyButton } from '@/components/copy-button';
import { type DataColumn, DataTable } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { Form, SubmitButton } from '@/components/form';
import { Notice } from '@/components/notice';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { QueryView } from '@/components/query-view';
import { takeFocus } from '@/components/take-focus';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field, FieldError, Input } from '@/components/ui/field';
import { ScrollRegion } from '@/components/ui/scroll-region';
import { Skeleton } from '@/components/ui/skeleton';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { useRowFocus } from '@/components/use-row-focus';
import { getEnv } from '@/lib/env';
import { describeError, type ErrorOverrides } from '@/lib/errors';
import { formatAge, formatDateTime } from '@/lib/format';
import { paths } from '@/lib/paths';
import { isRolledBack } from '@/lib/send-once';
import { useUrlChoice } from '@/lib/url-state';
import { type CallExample, curlExample, typescriptExample } from '../call-examples';
import { OwnProject } from '../components/own-project';
import { developerQueries, type SigningSecret, type VerificationCall } from '../developer-queries';
import { useCreateSigningSecret, useRevokeSigningSecret, useTestEndpoint } from '../mutations';
import type { OwnedProject } from '../queries';

/** /startup/developers: how the project's own system confirms tasks, with examples and a test (BEY-13). */
export default function DevelopersPage() {
  return (
    <OwnProject>
      {(project) => (
        <div className="page-column grid gap-10 pb-16">
          <PageMeta title="For developers" />
          <PageHeader
            title="For developers"
            lead="Let your own system confirm that a member has done a task. No review is needed then, and the points arrive at once."
            back={{ to: paths.founder, label: 'Back to Dashboard' }}
          />
          <Secrets project={project} />
          <SignedCall project={project} />
          <Check />
          <Calls project={project} />
        </div>
      )}
    </OwnProject>
  );
}

function Section({ id, title, lead, children }: { id: string; title: string; lead: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <div className="grid max-w-prose gap-1.5">
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        <p className="text-muted">{lead}</p>
      </div>
      {children}
    </section>
  );
}

function Secrets({ project }: { project: OwnedProject }) {
  const secrets = useQuery(developerQueries.secrets(project.id));
  const focus = useRowFocus((secrets.data ?? []).map(({ id }) => id));
  const create = useCreateSigningSecret(project.id);
  // From the click until the new secret is confirmed as saved: a second click would create another one and hide the
  // first for good.
  const [isMaking, setIsMaking] = useState(false);
  const handleCreate = () => {
    setIsMaking(true);
    return create.mutateAsync().catch(() => setIsMaking(false));
  };
  const handleStored = () => {
    create.reset();
    setIsMaking(false);
  };
  const handleRevoked = ({ last_characters }: SigningSecret) => {
    if (create.isError || create.data?.endsWith(last_characters)) handleStored();
  };
  return (
    <Section
      id="secrets"
      title="Signing secrets"
      lead="Your system signs its calls with a secret. To replace one without a gap, create a second, use it, then revoke the first."
    >
      <div ref={focus.list} tabIndex={-1} className="grid gap-4 outline-none">
        {create.data && (
          // The button that made it is disabled now, and what it made must not be missed.
          <div ref={takeFocus} tabIndex={-1} className="outline-none">
            <Notice
              tone="success"
              title="Your new secret. Copy it now: it is not shown again."
              actions={
                <>
                  <CopyButton text={create.data} label="Copy secret" />
                  <Button variant="secondary" onClick={handleStored}>
                    Done
                  </Button>
                </>
              }
            >
              <code className="break-all">{create.data}</code>
            </Notice>
          </div>
        )}
        <QueryView query={secrets} failure="The secrets could not be loaded" pending={<Skeleton className="h-11" />}>
          {(rows) => (
            <>
              {rows.length > 0 && (
                <ul className="grid gap-3">
                  {rows.map((secret) => (
                    <SecretRow
                      key={secret.id}
                      secret={secret}
                      projectId={project.id}
                      onRevoked={() => handleRevoked(secret)}
                    />
                  ))}
                </ul>
              )}
              <Button
                variant={rows.length === 0 ? 'primary' : 'secondary'}
                isLoading={isMaking && !create.data}
                disabled={rows.length >= 2 || create.data !== undefined}
                onClick={handleCreate}
                className="justify-self-start max-sm:w-full"
              >
                <Plus aria-hidden="true" />
                Create a secret
              </Button>
              {rows.length >= 2 && <p className="text-muted text-sm">Two are in use. Revoke one to create another.</p>}
            </>
          )}
        </QueryView>
      </div>
      {create.isError && (
        <FieldError>{describeError(create.error, isRolledBack(create.error) ? {} : createErrors)}</FieldError>
      )}
    </Section>
  );
}

/** A secret is shown only in the answer that created it, so it is gone after any failure without a complete answer. */
const lostSecret =
  'No response arrived. If a new secret is listed above, revoke it, because its text is lost, and create another.';
const createErrors: ErrorOverrides = { codes: { NETWORK: lostSecret, UNKNOWN: lostSecret } };

type SecretRowProps = { secret: SigningSecret; projectId: string; onRevoked: () => void };

function SecretRow({ secret, projectId, onRevoked }: SecretRowProps) {
  const revoke = useRevokeSigningSecret(projectId);
  const [isAsking, setIsAsking] = useState(false);
  const name = `…${secret.last_characters}`;
  return (
    <Card as="li" data-row={secret.id} className="flex flex-wrap items-center justify-between gap-3">
      <p>
        Ends with <code className="font-semibold">{name}</code>{' '}
        <span className="text-muted">· created {formatAge(secret.created_at)}</span>
      </p>
      <Button variant="secondary" onClick={() => setIsAsking(true)}>
        Revoke
        <span className="sr-only"> the secret that ends with {name}</span>
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Revoke the secret that ends with ${name}?`}
        consequence="Calls that are signed with it are refused from then on. This cannot be undone."
        confirmLabel="Revoke secret"
        onConfirm={async () => {
          await revoke.mutateAsync(secret.id);
          onRevoked();
        }}
      />
    </Card>
  );
}

const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
] as const;

function SignedCall({ project }: { project: OwnedProject }) {
  const [language, setLanguage] = useUrlChoice('language', ['curl', 'typescript']);
  const example: CallExample = {
    address: `${getEnv().VITE_SUPABASE_URL}/functions/v1/complete-task/${project.id}`,
    secret: 'whsec_…',
    token: 'the questboard_token',
  };
  return (
    <Section
      id="signed-call"
      title="Confirm a task by a call"
      lead="Members arrive at your task’s link with a questboard_token. Keep it, and send it back once the task is done. No names or email addresses are exchanged."
    >
      <Tabs label="Language of the example" value={language} onChange={setLanguage} tabs={languages} look="pills">
        <TabPanel value="curl">
          <Example label="curl" text={curlExample(example)} />
        </TabPanel>
        <TabPanel value="typescript">
          <Example label="TypeScript" text={typescriptExample(example)} />
        </TabPanel>
      </Tabs>
      <p className="max-w-prose text-muted">
        Calls are signed as in Standard Webhooks, and a signature is valid for five minutes. Each webhook-id counts
        once, so send a call again whenever you get no answer. Status 200 means that you are done; any other answer says
        why in its message.
      </p>
    </Section>
  );
}

function Example({ label, text }: { label: string; text: string }) {
  return (
    <div className="grid gap-3">
      <ScrollRegion label={`Example in ${label}`} className="rounded-control bg-sunken p-4">
        <pre className="text-sm">
          <code>{text}</code>
        </pre>
      </ScrollRegion>
      <CopyButton text={text} label="Copy example" className="justify-self-start" />
    </div>
  );
}

function Check() {
  const test = useTestEndpoint();
  const [address, setAddress] = useState('');
  // The result for another endpoint does not apply to this one.
  const isTested = test.variables === address.trim();
  return (
    <Section
      id="check"
      title="Or let us check with you"
      lead="When a member presses Verify, we call your https address with the member’s token at the end. Answer within ten seconds, without a redirect, in at most 5 KB."
    >
      <Example label="question and answer" text={checkExample} />
      <Form
        className="grid max-w-form gap-3"
        // A failure is shown at the field.
        onSubmit={() => test.mutateAsync(address.trim()).catch(() => undefined)}
      >
        <Field
          label="Try an address"
          hint="We call it with the token “test”."
          error={isTested && test.isError ? describeError(test.error) : undefined}
        >
          <Input
            type="url"
            inputMode="url"
            value={address}
            placeholder="https://your-project.example/questboard"
            onChange={(event) => setAddress(event.target.value)}
          />
        </Field>
        <SubmitButton
          variant="secondary"
          isSubmitting={test.isPending}
          disabled={address.trim() === ''}
          className="justify-self-start max-sm:w-full"
        >
          Test this address
        </SubmitButton>
        {isTested && test.isSuccess && (
          <p role="status">It works. It answered that the task is {test.data ? 'completed' : 'not completed yet'}.</p>
        )}
      </Form>
    </Section>
  );
}

const checkExample = `GET https://your-project.example/questboard?token=…

200 OK
content-type: application/json

{ "completed": true }`;

const columns: DataColumn<VerificationCall>[] = [
  { key: 'when', header: 'When', cell: ({ created_at }) => formatDateTime(created_at) },
  { key: 'kind', header: 'Kind', cell: ({ kind }) => (kind === 'call' ? 'Signed call' : 'Endpoint check') },
  { key: 'task', header: 'Task', cell: ({ task_title }) => task_title ?? '–' },
  {
    key: 'outcome',
    header: 'Answer',
    cell: ({ status, code, message }) => (
      <span>
        <span className="font-semibold tabular-nums">
          {/* NOT_COMPLETED comes from the check itself and has no HTTP status of its own. */}
          {code === 'NOT_COMPLETED' ? code : `${status} ${code}`}
        </span>
        <span className="block text-muted text-sm">{message}</span>
      </span>
    ),
  },
  {
    key: 'token',
    header: 'Token',
    cell: ({ token }) => <code title={token ?? undefined}>{token ? `${token.slice(0, 8)}…` : '–'}</code>,
  },
];

function Calls({ project }: { project: OwnedProject }) {
  const calls = useQuery(developerQueries.calls(project.id));
  return (
    <Section
      id="calls"
      title="The last 50 calls"
      lead="Your signed calls and our checks, newest first. Calls with a wrong signature or without a token are answered but not listed."
    >
      <QueryView query={calls} failure="The calls could not be loaded" showsRefreshError>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              level={3}
              title="No calls yet"
              text="Send the example above with a secret of yours: the answer shows here."
            />
          ) : (
            <DataTable caption="Calls" columns={columns} rows={rows} rowKey={({ id }) => String(id)} />
          )
        }
      </QueryView>
    </Section>
  );
}
