import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { UrlSelect } from './url-select';

it('shows what was chosen while the page is still being rendered for it, and then what the page says', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  render(
    <UrlSelect aria-label="Sort" value="new" onChange={() => promise}>
      <option value="new">Newest</option>
      <option value="reward">Highest Reward</option>
    </UrlSelect>,
  );
  const sort = screen.getByRole('combobox', { name: 'Sort' });
  await userEvent.selectOptions(sort, 'reward');
  expect(sort).toHaveValue('reward');
  await act(async () => resolve());
  expect(sort).toHaveValue('new');
});
