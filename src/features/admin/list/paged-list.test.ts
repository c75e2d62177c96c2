import { frozenRows } from './paged-list';

type Row = { id: string; status?: string };
const row = (id: string, status?: string): Row => ({ id, status });
const frozen = (shown: Row[], fresh: Row[]) => frozenRows(shown, fresh, ({ id }) => id);

describe('ADMIN-01 a refresh keeps rows in place', () => {
  it('takes all rows at first', () => {
    expect(frozen([], [row('a'), row('b')])).toEqual({ rows: [row('a'), row('b')], newCount: 0 });
  });

  it('keeps positions and updates values', () => {
    expect(frozen([row('a', 'new'), row('b')], [row('a', 'resolved'), row('b')]).rows).toEqual([
      row('a', 'resolved'),
      row('b'),
    ]);
  });

  it('holds new rows back and counts them', () => {
    const { rows, newCount } = frozen([row('b'), row('c')], [row('a'), row('b'), row('x'), row('c')]);
    expect(rows.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(newCount).toBe(2);
  });

  it('appends a further page', () => {
    expect(frozen([row('a'), row('b')], [row('a'), row('b'), row('c')])).toEqual({
      rows: [row('a'), row('b'), row('c')],
      newCount: 0,
    });
  });

  it('keeps removed rows, including the last one', () => {
    expect(frozen([row('a'), row('b')], [row('a')]).rows.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(frozen([row('a'), row('b')], [row('a'), row('c')]).rows.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('holds all new rows back when none of the shown ones is left', () => {
    expect(frozen([row('a')], [row('x'), row('y')])).toEqual({ rows: [row('a')], newCount: 2 });
  });
});
