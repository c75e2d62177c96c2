import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Form, SubmitButton } from '@/components/form';
import { Notice } from '@/components/notice';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, FieldError } from '@/components/ui/field';
import { Textarea } from '@/components/ui/textarea';
import { toast } from '@/components/ui/toast';
import { accountQueries } from '@/features/account';
import type { OwnedProject } from '@/features/projects';
import { describeError } from '@/lib/errors';
import { formatDate } from '@/lib/format';
import { databaseSentences } from '@/types/database-errors';
import { useSubmitAppeal } from '../mutations';
import { type Appeal, type AppealedDecision, type AppealKind, appealQueries } from '../queries';

/**
 * That a person is suspended, why, and their one appeal; nothing for everybody else (BEY-04). `since`: when the project says so, which
 * stands until the profile has been read.
 */
export function SuspensionNotice({ userId, since = null }: { userId: string; since?: string | null }) {
  const profile = useQuery(accountQueries.profile(userId)).data;
  const at = profile ? profile.suspended_at : since;
  if (at === null) return null;
  return (
    <DecisionNotice
      title="Your account is suspended"
      reason={profile?.suspension_reason ?? null}
      consequence="You can read everything, but not submit, publish or redeem. If you have a project, it is hidden and its quests are on hold; their points stay reserved."
      decision={{ userId, kind: 'suspension', at }}
    />
  );
}

/** Why an admin has not approved a project, or has taken its verification back; a revocation can be appealed once (C-91). */
export function ProjectDecisionNotice({ project }: { project: OwnedProject }) {
  if (project.status !== 'rejected') return null;
  if (project.revoked_at === null) {
    return (
      <Notice tone="danger" title="Your project was not approved">
        {project.review_note && <p>{project.review_note}</p>}
        <p>Please contact support if you think that this is a mistake.</p>
      </Notice>
    );
  }
  return (
    <DecisionNotice
      title="The verification of your project was revoked"
      reason={project.review_note}
      consequence="Your project is no longer listed and its quests are on hold. Their points stay reserved, and the proofs that wait are kept."
      decision={{ userId: project.owner_user_id, kind: 'revocation', at: project.revoked_at }}
    />
  );
}

type DecisionNoticeProps = { title: string; reason: string | null; consequence: string; decision: AppealedDecision };

function DecisionNotice({ title, reason, consequence, decision }: DecisionNoticeProps) {
  const appeal = useQuery(appealQueries.against(decision));
  const [isAppealing, setIsAppealing] = useState(false);
  const canAppeal = appeal.data === null;
  return (
    <>
      <Notice
        tone="danger"
        title={title}
        actions={
          canAppeal && (
            <Button variant="secondary" onClick={() => setIsAppealing(true)}>
              Appeal
            </Button>
          )
        }
      >
        {reason && <p className="whitespace-pre-line text-ink [overflow-wrap:anywhere]">{reason}</p>}
        <p>{consequence}</p>
        <QueryView query={appeal} failure="Your appeal could not be loaded">
          {(loaded) => (loaded ? <AppealState appeal={loaded} /> : <p>You can appeal once.</p>)}
        </QueryView>
      </Notice>
      {/* Gone once the appeal is there, also when an earlier press has sent it and its answer was lost. */}
      {isAppealing && canAppeal && <AppealDialog kind={decision.kind} onClose={() => setIsAppealing(false)} />}
    </>
  );
}

function AppealState({ appeal }: { appeal: Appeal }): ReactNode {
  const sent = `You appealed on ${formatDate(appeal.created_at)}.`;
  if (appeal.status === 'open') return <p>{sent} We read every appeal and answer here and by email.</p>;
  return (
    <>
      <p>
        {sent} {appeal.status === 'upheld' ? 'The decision stands:' : 'The decision was overturned:'}
      </p>
      <p className="whitespace-pre-line text-ink [overflow-wrap:anywhere]">{appeal.decision_note}</p>
    </>
  );
}

/** Characters that the database takes. */
const maxLength = 2000;

const appealed = {
  suspension: 'your suspension',
  revocation: 'the revocation of your project’s verification',
} as const satisfies Record<AppealKind, string>;

function AppealDialog({ kind, onClose }: { kind: AppealKind; onClose: () => void }) {
  const submit = useSubmitAppeal();
  const [words, setWords] = useState('');
  const [problem, setProblem] = useState<string>();

  const handleSubmit = async () => {
    if (words.trim() === '') return setProblem(databaseSentences.APPEAL_WORDS_REQUIRED);
    try {
      await submit.mutateAsync({ kind, words: words.trim() });
      toast.success('Your appeal is sent');
      onClose();
    } catch {
      // Said below; what was written stays.
    }
  };
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !submit.isPending && onClose()}
      title={`Appeal against ${appealed[kind]}`}
      description="You can do this once. An admin reads what you write and answers you."
    >
      <Form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void handleSubmit();
        }}
      >
        <Field label="Why should the decision change?" isRequired error={problem}>
          <Textarea
            rows={6}
            maxLength={maxLength}
            value={words}
            onChange={(event) => {
              setWords(event.target.value);
              setProblem(undefined);
            }}
          />
        </Field>
        {submit.isError && <FieldError>{describeError(submit.error, { prefix: 'Failed to send' })}</FieldError>}
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton isSubmitting={submit.isPending}>Send appeal</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
