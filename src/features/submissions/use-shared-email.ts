import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { accountQueries } from '@/features/account';
import { useSession } from '@/lib/auth';
import { toAppError } from '@/lib/errors';
import { submissionQueries } from './queries';

export type SharedEmail = ReturnType<typeof useSharedEmail>;

/**
 * What a member shares with a quest that asks for an e-mail address: a verified one, prefilled once, and with it the sentence that was
 * shown, which names recipient and purpose (BEY-10). Questboard's own news is a separate opt-in (C-76).
 */
export function useSharedEmail(questId: string, isAsked: boolean) {
  const queryClient = useQueryClient();
  const { userId } = useSession();
  const profile = useQuery({ ...accountQueries.profile(userId ?? ''), enabled: isAsked && userId !== null });
  const consentQuery = submissionQueries.consentStatement(questId);
  const consent = useQuery({ ...consentQuery, enabled: isAsked });
  const statement = consent.data ?? null;
  const [email, setEmail] = useState('');
  const [subscribes, setSubscribes] = useState(false);
  const address = profile.data?.email ?? null;

  const isFilledIn = useRef(false);
  useEffect(() => {
    if (isFilledIn.current || !address || !statement) return;
    isFilledIn.current = true;
    setEmail(address);
  }, [address, statement]);

  return {
    isAsked,
    queries: [profile, consent],
    hasProfile: Boolean(profile.data),
    address,
    statement,
    email,
    setEmail,
    subscribes,
    setSubscribes,
    /** Whether the quest asks for an address and none is chosen. */
    isMissing: isAsked && email === '',
    /** What is sent with the proof. */
    values: isAsked && statement ? { email, subscribes, consent: statement } : {},
    /** After the sentence has changed, shows the new one, and the address has to be chosen again. */
    handleError: (error: unknown) => {
      if (toAppError(error).code !== 'CONSENT_CHANGED') return;
      setEmail('');
      void queryClient.resetQueries({ queryKey: consentQuery.queryKey });
    },
  };
}
