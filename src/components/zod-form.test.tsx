import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as z from 'zod/mini';
import { Field, Input } from './ui/field';
import { useZodForm } from './zod-form';

const schema = z.object({ name: z.string().check(z.minLength(1, 'Please enter a name')) });

function Example() {
  const { register, formState } = useZodForm(schema, { defaultValues: { name: '' } });
  return (
    <form>
      <Field label="Name" error={formState.errors.name?.message}>
        <Input {...register('name')} />
      </Field>
      <button type="button">Cancel</button>
    </form>
  );
}

it('the error of a field that is left appears after a press on a button, which would move away under it', async () => {
  const user = userEvent.setup();
  render(<Example />);
  await user.click(screen.getByLabelText('Name'));
  vi.useFakeTimers();
  // The press moves the focus to the button.
  act(() => screen.getByRole('button', { name: 'Cancel' }).focus());
  // As long as most people press.
  await act(() => vi.advanceTimersByTimeAsync(150));
  expect(screen.queryByText('Please enter a name')).not.toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(150));
  expect(screen.getByText('Please enter a name')).toBeVisible();
});
