import { useRef, useState } from 'react';
import * as z from 'zod/mini';
import { Form, SubmitButton } from '@/components/form';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, FieldError, Textarea } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import { createDrafts } from '@/lib/drafts';
import { describeError, type ErrorOverrides } from '@/lib/errors';
import { checkingSentence } from '@/lib/send-once';
import * as databaseSentences from '@/types/database-errors';
import { useSubmitAppeal } from '../mutations';
import type { AppealedDecision, AppealKind } from '../queries';

/** Maximum length in the database. */
const maxLength = 2000;

const appealed = {
  suspension: 'your suspension',
  revocation: 'the revocation of your project’s verification',
  rejection: 'the rejection of your proof',
} as const satisfies Record<AppealKind, string>;

const sendErrors = { prefix: 'Failed to send' } satisfies ErrorOverrides;

/** Appeals that are being written: there is only one against a decision, and it may be long. */
const drafts = createDrafts('appeal-draft', z.object({ words: z.string() }));

const draftId = ({ kind, submissionId, at }: AppealedDecision) => [kind, submissionId ?? '', at].join(' ');

export type AppealDialogProps = {
  decision: AppealedDecision;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

export default function AppealDialogContent({ decision, isOpen, onOpenChange }: AppealDialogProps) {
  const submit = useSubmitAppeal();
  const draft = [decision.userId, draftId(decision)] as const;
  const [words, setWords] = useState(() => drafts.read(...draft)?.values.words ?? '');
  const [problem, setProblem] = useState<string>();
  const [isChecking, setIsChecking] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);

  const handleSubmit = async () => {
    if (words.trim() === '') {
      setProblem(databaseSentences.APPEAL_WORDS_REQUIRED);
      return field.current?.focus();
    }
    try {
      await submit.mutateAsync({ decision, words: words.trim(), onChecking: () => setIsChecking(true) });
      drafts.write(...draft, null);
      toast.success('Your appeal is sent');
      onOpenChange(false);
    } catch (error) {
      // Shown below; the text stays. The dialog may have gone, with the page or because there is an appeal of another tab.
      if (!field.current) toast.error(describeError(error, sendErrors));
    } finally {
      setIsChecking(false);
    }
  };
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(next) => !submit.isPending && onOpenChange(next)}
      title={`Appeal against ${appealed[decision.kind]}`}
      description="You can do this once. An admin reads what you write and answers you."
    >
      <Form className="grid gap-3" onSubmit={handleSubmit}>
        <Field label="Why should the decision change?" isRequired error={problem}>
          <Textarea
            ref={field}
            data-autofocus
            rows={6}
            maxLength={maxLength}
            value={words}
            onChange={(event) => {
              setWords(event.target.value);
              drafts.write(...draft, event.target.value ? { words: event.target.value } : null);
              setProblem(undefined);
            }}
          />
        </Field>
        {isChecking && <p role="status">{checkingSentence}</p>}
        {submit.isError && <FieldError>{describeError(submit.error, sendErrors)}</FieldError>}
        <DialogActions>
          <Button variant="secondary" disabled={submit.isPending} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <SubmitButton isSubmitting={submit.isPending}>Send appeal</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
