import { waitFor } from '@testing-library/react';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { renderApp } from '@/lib/testing/render';
import { useReferralCapture } from './pending-referral';

function Home() {
  useReferralCapture();
  return null;
}

describe('REF-04 opening home through a referral link', () => {
  it('tracks the click, once, and keeps the code until sign-up', async () => {
    const api = fakeApi({ 'rpc track_referral_click': true });
    renderApp(<Home />, { path: '/?ref=refabc001' });
    await waitFor(() => expect(api.calls.map(({ body }) => body)).toEqual([{ p_code: 'REFABC001' }]));
    expect(localStorage.getItem('questboard.pending-referral')).toBe('REFABC001');

    renderApp(<Home />, { path: '/?ref=refabc001' });
    await Promise.resolve();
    expect(api.calls).toHaveLength(1);
  });

  it('keeps the code even when the click cannot be counted', async () => {
    const api = fakeApi({ 'rpc track_referral_click': offline() });
    renderApp(<Home />, { path: '/?ref=REFABC002&utm_source=x' });
    await waitFor(() => expect(api.calls).toHaveLength(1));
    expect(localStorage.getItem('questboard.pending-referral')).toBe('REFABC002');
  });

  it('does nothing without a code', async () => {
    const api = fakeApi({});
    renderApp(<Home />, { path: '/' });
    await Promise.resolve();
    expect(api.calls).toEqual([]);
    expect(localStorage.getItem('questboard.pending-referral')).toBeNull();
  });
});
