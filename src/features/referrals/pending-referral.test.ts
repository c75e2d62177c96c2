// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { createQueryClient } from '@/lib/query-client';
import { fakeApi } from '@/lib/testing/fake-api';
import { keepPendingReferral, readPendingReferral, usePendingReferral, useReferralCapture } from './pending-referral';

beforeEach(() => localStorage.clear());

it('C-66 a code is stored on this browser until sign-up, and subscribers are notified', () => {
  const { result } = renderHook(usePendingReferral);
  expect(result.current).toBeNull();
  act(() => keepPendingReferral('REF1'));
  expect(result.current).toBe('REF1');
  act(() => keepPendingReferral(null));
  expect([result.current, readPendingReferral()]).toEqual([null, null]);
});

describe('REF-04 home', () => {
  /** Opens home at an address; returns the codes counted since as `clicks`. */
  async function open(address: string, api: ReturnType<typeof fakeApi>) {
    const client = createQueryClient();
    const wrapper = ({ children }: { children: ReactNode }) =>
      createElement(
        QueryClientProvider,
        { client },
        createElement(MemoryRouter, { initialEntries: [address] }, children),
      );
    const { unmount } = renderHook(useReferralCapture, { wrapper });
    await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
    unmount();
    return api.calls.map(({ body }) => (body as { p_code: string }).p_code);
  }

  it('keeps the code of a link and counts its visit once, even when the visitor returns', async () => {
    const api = fakeApi({ 'rpc track_referral_click': true });
    expect(await open('/', api)).toEqual([]);
    expect(readPendingReferral()).toBeNull();
    expect(await open('/?ref=abc123', api)).toEqual(['ABC123']);
    expect(readPendingReferral()).toBe('ABC123');
    expect(await open('/?ref=abc123', api)).toHaveLength(1);
    expect(await open('/?ref=xyz789', api)).toHaveLength(2);
  });
});
