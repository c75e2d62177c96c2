import { startTransition, useState } from 'react';

/**
 * What a control shows whose value changes only later: what was just chosen, until `change` has settled. A navigation renders in the
 * background, and a server takes its time; until then React would put a box or a select back to what it was. `change` returns the promise
 * of either and does not reject.
 *
 * Not `useOptimistic`: a choice that failed would stay on the screen until the last of several that are under way has settled.
 */
export function useShownChoice<Value>(value: Value, change: (next: Value) => unknown) {
  const [chosen, setChosen] = useState<{ value: Value } | null>(null);
  const choose = async (next: Value) => {
    const choice = { value: next };
    setChosen(choice);
    await change(next);
    // In a transition, so that it renders together with the navigation.
    startTransition(() => setChosen((latest) => (latest === choice ? null : latest)));
  };
  return [chosen ? chosen.value : value, choose] as const;
}
