import { frozenRows } from './paged-list';

type Row = { id: string; status?: string };
const row = (id: string, status?: string): Row => ({ id, status });
const steady = (shown: Row[], fresh: Row[]) => frozenRows(shown, fresh, ({ id }) => id);

describe('ADMIN-01 a refresh moves nothing that is being read', () => {
  it('takes everything at first', () => {
    expect(steady([], [row('a'), row('b')])).toEqual({ rows: [row('a'), row('b')], newCount: 0 });
  });

  it('keeps the places and takes the new values', () => {
    expect(steady([row('a', 'new'), row('b')], [row('a', 'resolved'), row('b')]).rows).toEqual([
      row('a', 'resolved'),
      row('b'),
    ]);
  });

  it('holds new rows back and counts them', () => {
    const { rows, newCount } = steady([row('b'), row('c')], [row('a'), row('b'), row('x'), row('c')]);
    expect(rows.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(newCount).toBe(2);
  });

  it('adds a further page below', () => {
    expect(steady([row('a'), row('b')], [row('a'), row('b'), row('c')])).toEqual({
      rows: [row('a'), row('b'), row('c')],
      newCount: 0,
    });
  });

  it('keeps rows that went, also the last one', () => {
    expect(steady([row('a'), row('b')], [row('a')]).rows.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(steady([row('a'), row('b')], [row('a'), row('c')]).rows.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('holds everything back when nothing that is shown is left', () => {
    expect(steady([row('a')], [row('x'), row('y')])).toEqual({ rows: [row('a')], newCount: 2 });
  });
});
