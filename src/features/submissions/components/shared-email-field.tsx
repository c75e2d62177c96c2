import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { QueryView } from '@/components/query-view';
import { Checkbox } from '@/components/ui/checkbox';
import { Field, Select } from '@/components/ui/field';
import { accountQueries } from '@/features/account';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { toAppError } from '@/lib/errors';
import { submissionQueries } from '../queries';

type SharedEmail = ReturnType<typeof useSharedEmail>;

/**
 * What a member shares with a quest that asks for an e-mail address: a verified one, prefilled, and with it the sentence that was shown,
 * which names recipient and purpose (BEY-10). Questboard's own news is a separate opt-in (C-76).
 */
export function useSharedEmail(questId: string, isAsked: boolean) {
  const queryClient = useQueryClient();
  const { userId } = useSession();
  const profile = useQuery({ ...accountQueries.profile(userId ?? ''), enabled: isAsked && userId !== null });
  const consentQuery = submissionQueries.consentStatement(questId);
  const consent = useQuery({ ...consentQuery, enabled: isAsked });
  const statement = consent.data ?? null;
  const [chosen, setChosen] = useState<string | null>(null);
  const [subscribes, setSubscribes] = useState(false);
  const address = profile.data?.email ?? null;
  const email = chosen ?? (statement && address) ?? '';

  return {
    isAsked,
    queries: [profile, consent],
    hasProfile: Boolean(profile.data),
    address,
    statement,
    email,
    setEmail: setChosen,
    subscribes,
    setSubscribes,
    /** Whether the quest asks for an address and none is chosen. */
    isMissing: isAsked && email === '',
    /** What is sent with the proof. */
    values: isAsked && statement ? { email, subscribes, consent: statement } : {},
    /** After the sentence has changed, shows the new one, and the address has to be chosen again. */
    handleError: (error: unknown) => {
      if (toAppError(error).code !== 'CONSENT_CHANGED') return;
      setChosen('');
      void queryClient.resetQueries({ queryKey: consentQuery.queryKey });
    },
  };
}

/** The address that a quest asks for, below the sentence that the member agrees to; nothing where it asks for none. */
export function SharedEmailField({ shared, className }: { shared: SharedEmail; className?: string }) {
  const { isAsked, queries, hasProfile, address, statement, email, setEmail, subscribes, setSubscribes } = shared;
  if (!isAsked) return null;
  const hint = address ? statement : 'You have no verified email address yet. Add one under Settings first.';
  return (
    <div className={cn('grid gap-2', className)}>
      {/* Only shows a failure, because nothing can be sent without these queries; the field is rendered from the start. */}
      <QueryView query={queries} failure="Your email address could not be loaded" pending={null}>
        {() => null}
      </QueryView>
      <Field label="Email" isRequired hint={hasProfile && hint}>
        <Select value={email} disabled={!address || !statement} onChange={(event) => setEmail(event.target.value)}>
          <option value="">Choose an address to share</option>
          {address && <option value={address}>{address}</option>}
        </Select>
      </Field>
      <Checkbox label="Send me Questboard’s own news as well" checked={subscribes} onChange={setSubscribes} />
    </div>
  );
}
