import { Check, MailCheck } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Form } from '@/components/form';
import { Button } from '@/components/ui/button';
import { FieldError, Input, Label } from '@/components/ui/field';
import { analytics } from '@/lib/analytics';
import { isRateLimited, toAppError } from '@/lib/errors';
import * as databaseSentences from '@/types/database-errors';
import { useSubscribe } from '../mutations';

/** How long the result is shown, in milliseconds (MAIL-01). */
const answeredFor = 3000;

/** The footer's newsletter form. One field, on every page, so it loads no form or schema library. */
export function MailingListForm() {
  const id = useId();
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  /** `confirm`: a mail with a link has been sent. Fades to `reminder`, because the subscription is not active yet. */
  const [answer, setAnswer] = useState<'active' | 'confirm' | 'reminder' | null>(null);
  const subscribe = useSubscribe();

  useEffect(() => {
    if (answer === null || answer === 'reminder') return;
    const timer = setTimeout(() => setAnswer(answer === 'confirm' ? 'reminder' : null), answeredFor);
    return () => clearTimeout(timer);
  }, [answer]);

  const handleSubmit = () => {
    const address = email.trim();
    const found = addressProblem(address);
    setProblem(found);
    setAnswer(null);
    if (found) return;
    return subscribe.mutateAsync(address).then(
      (outcome) => {
        analytics.track('mailing_list_subscription', { label: 'footer' });
        setEmail('');
        setAnswer(outcome === 'active' ? 'active' : 'confirm');
      },
      // Trying again does not help against a limit, and what is unknown has not failed.
      (error) =>
        setProblem(
          isRateLimited(error) || toAppError(error).code === 'OUTCOME_UNKNOWN'
            ? error.message
            : 'Failed to subscribe. Please try again.',
        ),
    );
  };

  return (
    <Form aria-label="Mailing list" onSubmit={handleSubmit} className="grid gap-1.5">
      <Label htmlFor={id}>New quests and Enterprise news by email</Label>
      <div className="flex gap-2">
        <Input
          id={id}
          type="email"
          required
          autoComplete="email"
          placeholder="you@example.com"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          aria-invalid={problem !== null || undefined}
          aria-describedby={`${id}-result`}
          className="min-w-0"
        />
        <Button type="submit" isLoading={subscribe.isPending} className="shrink-0">
          Subscribe
        </Button>
      </div>
      {/* Always rendered, so that the result causes no layout shift in the footer. */}
      <div id={`${id}-result`} className="min-h-6 text-sm">
        {problem && <FieldError>{problem}</FieldError>}
        <p role="status" className="flex items-center gap-1.5 font-medium text-action">
          {answer === 'active' && (
            <>
              <Check aria-hidden="true" className="size-4" /> Subscribed. Welcome to the list.
            </>
          )}
          {answer === 'confirm' && (
            <>
              <MailCheck aria-hidden="true" className="size-4 shrink-0" /> Check your email: press the link in it to
              confirm.
            </>
          )}
          {answer === 'reminder' && (
            <span className="font-normal text-muted">
              You are on the list once you press the link that we sent. No email? Then an earlier one has the link, or
              you are on it already.
            </span>
          )}
        </p>
      </div>
    </Form>
  );
}

/** Error message for a trimmed e-mail address; null when it is valid (MAIL-01). */
function addressProblem(address: string): string | null {
  if (address === '') return 'Please enter your email';
  // Refuses only what cannot be an address: the database validates, and the confirmation mail proves it.
  return /^[^\s@<>]+@[^\s@.<>]+(\.[^\s@.<>]+)+$/.test(address) ? null : databaseSentences.INVALID_EMAIL;
}
