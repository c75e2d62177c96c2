import { act, screen, waitFor } from '@testing-library/react';
import { fakeApi, offline } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { ScreenshotImage } from './screenshot-image';

const sign = 'POST /functions/v1/sign-proof';

it('C-59 a screenshot stays on the screen when renewing its link fails', async () => {
  const api = fakeApi({ [sign]: { url: '/storage/v1/object/sign/proofs/x' } });
  const { queryClient } = renderApp(<ScreenshotImage objectName="user_test/x.png" alt="Proof" />, {
    identity: signedIn(),
  });
  const image = await screen.findByRole('img', { name: 'Proof' });
  api.routes[sign] = offline();
  await act(() => queryClient.invalidateQueries());
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(image).toBeInTheDocument();
});

it('TRUST-14 says that a screenshot could not be loaded, and tries again', async () => {
  const api = fakeApi({ [sign]: offline() });
  const { user } = renderApp(<ScreenshotImage objectName="user_test/x.png" alt="Proof" />, { identity: signedIn() });
  expect(await screen.findByText('The screenshot could not be loaded.')).toBeVisible();
  api.routes[sign] = { url: '/storage/v1/object/sign/proofs/x' };
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('img', { name: 'Proof' })).toBeVisible();
});
