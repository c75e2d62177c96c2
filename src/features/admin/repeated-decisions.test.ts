// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { madeBefore } from './mutations';
import { useDecideRedemption } from './points/mutations';

it('C-99 a decision whose answer was lost, and that could not be looked up, is not called failed either when a repetition shows that it was made', async () => {
  vi.useFakeTimers();
  const api = fakeApi({ 'rpc set_redemption_status': offline(), 'GET redemptions': offline() });
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: new QueryClient() }, children);
  const { result } = renderHook(useDecideRedemption, { wrapper });
  const decide = async () => {
    const run = result.current.mutateAsync({ redemptionId: 'r1', decision: 'fulfilled', note: '' });
    const [outcome] = await Promise.all([Promise.allSettled([run]), act(() => vi.runAllTimersAsync())]);
    return outcome[0];
  };
  expect(await decide()).toMatchObject({ reason: { code: 'OUTCOME_UNKNOWN' } });
  api.routes['rpc set_redemption_status'] = refuse(409, 'REDEMPTION_HANDLED', 'This has been handled');
  expect(await decide()).toMatchObject({
    reason: { message: expect.stringContaining('perhaps by your own earlier press') },
  });
});

describe('refusals of a decision', () => {
  const schema = Object.values(
    import.meta.glob<string>('../../../supabase/schemas/*.sql', { query: '?raw', import: 'default', eager: true }),
  ).join('\n');
  const sources = Object.values(
    import.meta.glob<string>('./**/mutations.ts', { query: '?raw', import: 'default', eager: true }),
  ).join('\n');
  const bodies = new Map(
    [...schema.matchAll(/create function (\w+\.\w+)\(([\s\S]*?)\$\$;/g)].map(([, name, body]) => [name, body ?? '']),
  );

  /** Codes of status 409 that a function raises, itself or by those that it calls. */
  function conflictsOf(name: string, seen = new Set<string>()): string[] {
    const body = seen.has(name) ? undefined : bodies.get(name);
    if (body === undefined) return [];
    seen.add(name);
    const raised = [...body.matchAll(/raise_error\('([A-Z_]+)'(?:(?!raise_error)[\s\S])*?, 409\)/g)];
    const called = [...body.matchAll(/\b(?:public|private)\.\w+(?=\()/g)].flatMap(([other]) =>
      conflictsOf(other, seen),
    );
    return [...raised.map(([, code = '']) => code), ...called];
  }

  /** What refuses an action for a reason that an earlier press of it cannot be. */
  const otherReasons = [
    'ADMIN_NOT_SUSPENDABLE',
    'CORRECTION_KEY_REUSED',
    'HELD_WITH_PROJECT',
    'INSUFFICIENT_POINTS',
    'LAST_ADMIN',
    'NAME_TAKEN',
    'NOT_CONFIRMED',
    'NOT_REVERSIBLE',
    'REWARD_CHANGED',
    'REWARD_HAS_CODES',
    'REWARD_REDEEMED',
    'REWARD_WITHOUT_CODES',
    'STARTUP_INSUFFICIENT_POINTS',
    'STARTUP_UNVERIFIED',
  ];

  it('C-99 are each known either as one of a decision that was made before, or as another', () => {
    const calls = [...sources.matchAll(/useAdminMutation\(\s*'(\w+)'/g)].map(([, name]) => `public.${name}`);
    expect(calls.length).toBeGreaterThan(25);
    expect(calls.filter((name) => !bodies.has(name))).toEqual([]);
    const raised = new Set(calls.flatMap((name) => conflictsOf(name)));
    expect([...raised].sort()).toEqual([...madeBefore, ...otherReasons].sort());
  });
});
