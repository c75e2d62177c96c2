// @vitest-environment jsdom

import { act, renderHook, waitFor } from '@testing-library/react';
import { createElement } from 'react';
import type { Identity } from '@/lib/auth/session';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { loadingSession, renderApp, requestsSent, signedIn } from '@/lib/testing/render';
import {
  keepPendingReferral,
  readPendingReferral,
  referralCodeIn,
  referralLink,
  typedReferralCode,
  usePendingReferral,
  useReferralCapture,
} from './referral-link';

it('REF-03 the link is the site root with the code as ref', () => {
  expect(referralLink('REF12AB', 'https://questboard.example/some/page?x=1')).toBe(
    'https://questboard.example/?ref=REF12AB',
  );
});

it('finds the code in an address and rejects malformed ones', () => {
  expect(referralCodeIn('?utm_source=x&ref=ref12ab')).toBe('REF12AB');
  expect(referralCodeIn('?ref=')).toBeNull();
  expect(referralCodeIn('?ref=<script>')).toBeNull();
  expect(referralCodeIn('')).toBeNull();
});

it.each([
  [' ref12ab ', 'REF12AB'],
  ['https://questboard.example/?ref=REF12AB#top', 'REF12AB'],
  ['questboard.example/?utm_source=x&ref=ref12ab', 'REF12AB'],
  ['Join me on Questboard: https://questboard.example/?ref=REF12AB\nSee you!', 'REF12AB'],
  ['https://questboard.example/', null],
  ['https://questboard.example/?code=REF12AB', null],
  ['REF 12', null],
  ['', null],
])('finds the code in what somebody was sent: %j', (text, code) => {
  expect(typedReferralCode(text)).toBe(code);
});

function Home() {
  useReferralCapture();
  return null;
}
const openHome = (path: string, identity?: Identity) => renderApp(createElement(Home), { path, identity });

it('C-66 a code is stored on this browser until sign-up, and subscribers are notified', () => {
  const { result } = renderHook(usePendingReferral);
  expect(result.current).toBeNull();
  act(() => keepPendingReferral('REF1'));
  expect(result.current).toBe('REF1');
  act(() => keepPendingReferral(null));
  expect([result.current, readPendingReferral()]).toEqual([null, null]);
});

describe('REF-04 opening home', () => {
  it('through a referral link counts the click once, even when the visitor returns, and keeps the code', async () => {
    const api = fakeApi({ 'rpc track_referral_click': true });
    openHome('/');
    expect(readPendingReferral()).toBeNull();
    openHome('/?ref=refabc001');
    expect(readPendingReferral()).toBe('REFABC001');
    openHome('/?ref=refabc001');
    openHome('/?ref=refabc003');
    await waitFor(() =>
      expect(api.calls.map(({ body }) => body)).toEqual([{ p_code: 'REFABC001' }, { p_code: 'REFABC003' }]),
    );
    expect(readPendingReferral()).toBe('REFABC003');
  });

  it('counts no click before it is known who visits: the server leaves out the owner', async () => {
    const api = fakeApi({ 'rpc track_referral_click': true });
    openHome('/?ref=refabc004', loadingSession);
    expect(readPendingReferral()).toBe('REFABC004');
    await requestsSent();
    expect(api.calls).toEqual([]);
    openHome('/?ref=refabc004', signedIn());
    await waitFor(() => expect(api.calls.map(({ body }) => body)).toEqual([{ p_code: 'REFABC004' }]));
  });

  it('keeps the code even when the click cannot be counted', async () => {
    const api = fakeApi({ 'rpc track_referral_click': offline() });
    openHome('/?ref=REFABC002&utm_source=x');
    await waitFor(() => expect(api.calls).toHaveLength(1));
    expect(readPendingReferral()).toBe('REFABC002');
  });
});
