import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { AppToaster } from './app-toaster';
import { initials } from './avatar';
import { Button } from './button';
import { Field, Input } from './field';
import { ScrollRegion } from './scroll-region';
import { toast } from './toast';

describe('Field', () => {
  it('connects label, hint, error and requirement to its control', () => {
    render(
      <Field label="Website" hint="Starts with https://" error="Please enter a valid URL" isRequired>
        <Input />
      </Field>,
    );
    const input = screen.getByRole('textbox', { name: /Website/ });
    expect(input).toHaveAccessibleDescription('Please enter a valid URL Starts with https://');
    expect(input).toBeInvalid();
    expect(input).toBeRequired();
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter a valid URL');
  });
});

it.each([
  ['Robin Reed', 'RR'],
  ['robin van der reed', 'RR'],
  ['  Robin ', 'R'],
  ['🚀 Rocket', '🚀R'],
  ['محمد علي', 'مع'],
  ['', '?'],
])('the initials of %j are %s', (name, letters) => {
  expect(initials(name)).toBe(letters);
});

describe('Button', () => {
  it('ignores presses while loading, but keeps the focus', async () => {
    const onClick = vi.fn();
    render(
      <Button isLoading onClick={onClick}>
        Save
      </Button>,
    );
    const button = screen.getByRole('button', { name: /Save/ });
    await userEvent.click(button);
    expect(onClick).not.toHaveBeenCalled();
    expect(button).toHaveFocus();
  });
});

it('a part that scrolls by itself has a name and a tab stop, for who has no pointer', async () => {
  render(<ScrollRegion label="Instructions">Many lines</ScrollRegion>);
  await userEvent.tab();
  expect(screen.getByRole('region', { name: 'Instructions' })).toHaveFocus();
});

describe('toasts', () => {
  it.each([
    ['success', 'status', 3000],
    ['error', 'alert', 5000],
  ] as const)('SPROF-09 %s has the role %s and stays %i ms', async (kind, role, duration) => {
    await import('./toaster');
    vi.useFakeTimers();
    render(<AppToaster />);
    await act(async () => toast[kind](`it is ${kind}`));
    await act(() => vi.advanceTimersByTimeAsync(duration - 100));
    expect(screen.getByRole(role)).toHaveTextContent(`it is ${kind}`);
    await act(() => vi.advanceTimersByTimeAsync(1500));
    expect(screen.queryByText(`it is ${kind}`)).not.toBeInTheDocument();
  });

  it('can be dismissed with a button', async () => {
    render(<AppToaster />);
    act(() => toast.error('Failed to subscribe. Please try again.'));
    await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  });
});
