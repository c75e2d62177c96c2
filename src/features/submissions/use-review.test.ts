// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { reviewedRow } from './testing/review-server';
import { useSelection } from './use-review';

describe('BEY-01 selected submissions', () => {
  const pending = reviewedRow({ id: 'a' });
  const other = reviewedRow({ id: 'b', task_title: 'Read on', member_name: 'Robin' });
  const decided = reviewedRow({ id: 'c', status: 'approved' });
  const rows = [pending, other, decided];
  const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);

  it('are those shown and pending', () => {
    const { result } = renderHook(() => useSelection(rows));
    expect(idsOf(result.current.pending)).toEqual(['a', 'b']);
    expect(rows.map((row) => result.current.selection?.canSelect?.(row))).toEqual([true, true, false]);
    act(() => result.current.set(['a', 'c', 'gone'], true));
    expect(idsOf(result.current.selected)).toEqual(['a']);
    expect(rows.map((row) => result.current.selection?.isSelected(row))).toEqual([true, false, true]);
    act(() => result.current.set(['a'], false));
    expect(result.current.selected).toEqual([]);
  });

  it('are selected one by one or all together, with distinct accessible names', () => {
    const { result } = renderHook(() => useSelection(rows));
    const all = () => result.current.selection?.all;
    expect([all()?.label, all()?.isSelected]).toEqual(['Select 2 pending submissions', false]);
    expect(result.current.selection?.label(other)).toBe('Select Read on by Robin');
    act(() => result.current.selection?.onSelect(other, true));
    expect(idsOf(result.current.selected)).toEqual(['b']);
    act(() => all()?.onSelect(true));
    expect([idsOf(result.current.selected), all()?.isSelected]).toEqual([['a', 'b'], true]);
    act(() => result.current.clear());
    expect(result.current.selected).toEqual([]);
  });

  it('are not offered when nothing is pending', () => {
    expect(renderHook(() => useSelection([decided])).result.current.selection).toBeUndefined();
  });
});
