import { screen, within } from '@testing-library/react';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp } from '@/lib/testing/render';
import { Footer } from './footer';

it('HEAD-10 C-82 the mailing-list form in the footer subscribes', async () => {
  const api = fakeApi({ 'rpc subscribe_to_mailing_list': 'confirm' });
  const { user } = renderApp(<Footer />);
  const footer = within(await screen.findByRole('contentinfo'));
  const form = within(footer.getByRole('form', { name: 'Mailing list' }));
  await user.type(form.getByRole('textbox', { name: /by email/ }), 'ada@example.org');
  await user.click(form.getByRole('button', { name: 'Subscribe' }));
  expect(await form.findByText(/Check your email/)).toBeInTheDocument();
  expect(api.calls).toMatchObject([{ path: 'rpc/subscribe_to_mailing_list', body: { p_email: 'ada@example.org' } }]);
});
