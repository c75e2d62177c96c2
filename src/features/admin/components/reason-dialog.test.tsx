import { screen } from '@testing-library/react';
import { renderApp } from '@/lib/testing/render';
import { ReasonDialog } from './reason-dialog';

const dialog = (children?: string) => (
  <ReasonDialog
    title="Reject “Paper Kite”?"
    consequence="The owner reads your reason."
    missing="Please give a reason"
    confirmLabel="Reject project"
    onConfirm={async () => undefined}
    failure={String}
    onClose={() => undefined}
  >
    {children}
  </ReasonDialog>
);
const reason = () => screen.getByLabelText(/Reason/);

it('can be typed into at once, and leads back to the reason when that is missing', async () => {
  const { user } = renderApp(dialog());
  expect(reason()).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Reject project' }));
  expect(reason()).toHaveFocus();
  expect(reason()).toHaveAccessibleDescription('Please give a reason');
});

it("does not open a phone's keyboard over what has to be checked first", () => {
  renderApp(dialog('1 Kite Lane'));
  expect(reason()).not.toHaveFocus();
});
