import { screen, within } from '@testing-library/react';
import type { renderApp } from '@/lib/testing/render';

type User = ReturnType<typeof renderApp>['user'];

export const field = (name: RegExp) => screen.getByRole('textbox', { name });

/** Replaces a field's value with a single event instead of one per letter, because these forms are large. */
export async function retype(user: User, input: HTMLElement, text: string) {
  await user.clear(input);
  if (text) await user.paste(text);
}

/** Entries of the error summary. */
export const toCorrect = () =>
  within(screen.getByRole('region', { name: 'What to correct' }))
    .getAllByRole('button')
    .map((button) => button.textContent);

/** Text of the alert, which is then dismissed. */
export async function alertSentence(user: User) {
  const dialog = await screen.findByRole('alertdialog');
  const text = dialog.textContent ?? '';
  await user.click(within(dialog).getByRole('button', { name: 'OK' }));
  return text;
}
