import { screen, waitFor } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import { OgBadge } from './og-badge';

describe('HEAD-09 OG Member badge', () => {
  it('is shown for a profile that has it', async () => {
    fakeApi({ 'GET user_profiles': [profileRow({ og_badge: true })] });
    renderApp(<OgBadge />, { identity: signedIn() });
    expect(await screen.findByText('OG Member')).toBeInTheDocument();
  });

  it('is not shown for others', async () => {
    const api = fakeApi({ 'GET user_profiles': [profileRow({ user_id: 'user_other', og_badge: true }), profileRow()] });
    const { queryClient } = renderApp(<OgBadge />, { identity: signedIn() });
    await waitFor(() => expect([api.calls.length, queryClient.isFetching()]).toEqual([1, 0]));
    expect(screen.queryByText('OG Member')).not.toBeInTheDocument();
  });
});
