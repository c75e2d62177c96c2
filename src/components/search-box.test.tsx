import { act, fireEvent, render, screen } from '@testing-library/react';
import { startTransition, useState } from 'react';
import { SearchBox } from './search-box';

/** A page that shows a new search in a transition, as the router does. */
function Page() {
  const [search, setSearch] = useState('');
  return (
    <>
      <SearchBox label="Search" value={search} onChange={(next) => startTransition(() => setSearch(next))} />
      <button type="button" onClick={() => setSearch('')}>
        Reset
      </button>
      <p>Asked for: {search}</p>
    </>
  );
}

const box = () => screen.getByRole('searchbox', { name: 'Search' });
const type = (text: string) => fireEvent.change(box(), { target: { value: text } });
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

describe('a search field', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('asks once for what was typed in one go', async () => {
    render(<Page />);
    type('t');
    type('te ');
    await pass(299);
    expect(screen.getByText('Asked for:')).toBeInTheDocument();
    await pass(1);
    expect(screen.getByText('Asked for: te')).toBeInTheDocument();
    expect(box()).toHaveValue('te ');
  });

  it('keeps a key that is pressed before the page has taken over the search', async () => {
    render(<Page />);
    type('te');
    act(() => {
      vi.advanceTimersByTime(300);
      type('tea');
    });
    expect(screen.getByText('Asked for: te')).toBeInTheDocument();
    expect(box()).toHaveValue('tea');
    await pass(300);
    expect(screen.getByText('Asked for: tea')).toBeInTheDocument();
  });

  it('follows a search that is changed elsewhere', async () => {
    render(<Page />);
    type('tea');
    await pass(300);
    fireEvent.click(screen.getByRole('button', { name: 'Reset' }));
    expect(box()).toHaveValue('');
  });
});
