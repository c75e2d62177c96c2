import type { UseMutationResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { toast } from '@/components/ui/toast';
import { useSessionStatus } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { readSessionStorage, writeSessionStorage } from '@/lib/storage';

/** Whether this is the press that led to signing in. True once. */
const takePress = (press: string): boolean =>
  readSessionStorage('pressedBeforeSignIn') === press && writeSessionStorage('pressedBeforeSignIn', null);

/** A mutation that turns something of the member's own on or off; idempotent. */
type Change = UseMutationResult<boolean, Error, { id: string; isOn: boolean }>;

/**
 * State of a button that members turn on and off, such as the one that saves a quest: optimistic, and one call at a time. Visitors are sent
 * to sign in and back, which then does what they pressed. `name`: the kind of thing that is turned on.
 */
export function useMemberSwitch(name: string, id: string, isStored: boolean, change: Change) {
  const status = useSessionStatus();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const { mutateAsync, isPending, variables } = change;
  const isOn = isPending ? variables.isOn : isStored;
  const press = `${name} ${id}`;

  useEffect(() => {
    if (status === 'loading') return;
    // Somebody who comes back without having signed in has changed their mind.
    if (takePress(press) && status === 'signed-in') mutateAsync({ id, isOn: true }).catch(tellFailure);
  }, [status, press, id, mutateAsync]);

  const handlePress = () => {
    if (status === 'signed-out') {
      writeSessionStorage('pressedBeforeSignIn', press);
      void navigate(paths.signIn({ redirect: `${pathname}${search}` }));
    }
    if (status !== 'signed-in' || isPending) return;
    mutateAsync({ id, isOn: !isOn }).catch(tellFailure);
  };
  return { isOn, handlePress, isDisabled: status === 'loading' };
}

/** Not a callback of mutate(), which does not run when the button has unmounted. */
const tellFailure = (error: unknown) => void toast.error(describeError(error));
