import { act, fireEvent, render, screen } from '@testing-library/react';
import { SearchBox } from './search-box';

beforeEach(() => void vi.useFakeTimers());
/** A page that renders a change of the search only when the test says so. */
function show(value = '') {
  const onChange = vi.fn();
  const box = (current: string) => <SearchBox label="Search" value={current} onChange={onChange} />;
  const { rerender } = render(box(value));
  const field = screen.getByRole('searchbox', { name: 'Search' });
  return {
    field,
    onChange,
    type: (text: string) => fireEvent.change(field, { target: { value: text } }),
    pause: () => act(() => vi.advanceTimersByTimeAsync(300)),
    renderWith: (current: string) => rerender(box(current)),
  };
}

describe('the search field', () => {
  it('asks for the text without the spaces around it once the typing pauses', async () => {
    const { type, pause, onChange } = show();
    type(' te');
    type(' tea ');
    expect(onChange).not.toHaveBeenCalled();
    await pause();
    expect(onChange.mock.calls).toEqual([['tea']]);
  });

  it('keeps what was typed while the page rendered an earlier text', async () => {
    const { field, type, pause, renderWith, onChange } = show();
    type('t');
    await pause();
    type('te');
    renderWith('t');
    expect(field).toHaveValue('te');
    await pause();
    type('tea ');
    await pause();
    renderWith('te');
    expect(field).toHaveValue('tea ');
    renderWith('tea');
    expect(field).toHaveValue('tea ');
    expect(onChange.mock.calls).toEqual([['t'], ['te'], ['tea']]);
  });

  it('shows a search that was changed elsewhere, also one that was typed before', async () => {
    const { field, type, pause, renderWith } = show('cup');
    type('tea');
    await pause();
    renderWith('tea');
    renderWith('');
    expect(field).toHaveValue('');
    renderWith('tea');
    expect(field).toHaveValue('tea');
  });

  it('forgets what was typed and not asked for yet when the search is changed elsewhere', async () => {
    const { field, type, pause, renderWith, onChange } = show('cup');
    type('cup of tea');
    renderWith('');
    expect(field).toHaveValue('');
    await pause();
    expect(onChange).not.toHaveBeenCalled();
  });
});
