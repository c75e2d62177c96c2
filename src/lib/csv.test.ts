import { csvBlob, csvCell, csvLines } from './csv';

describe('csv', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
    'C-55 TRUST-13 disarms the formula %j with an apostrophe',
    (cell) => {
      expect(csvCell(cell)).toBe(`"'${cell}"`);
    },
  );

  it('C-55 quotes every cell and doubles inner quotes', () => {
    expect(csvCell('say "hi", then go')).toBe('"say ""hi"", then go"');
    expect(csvCell(null)).toBe('""');
    expect(csvCell(-5)).toBe('"-5"');
  });

  it('writes a header and one line a row', async () => {
    const columns = [
      { header: 'Email', value: (row: { email: string; points: number }) => row.email },
      { header: 'Points', value: (row: { points: number }) => row.points },
    ];
    const rows = [{ email: 'a@example.org', points: 5 }];
    expect([...csvLines(rows, columns)]).toEqual(['"Email","Points"\r\n', '"a@example.org","5"\r\n']);
    expect(csvBlob(rows, columns).type).toContain('text/csv');
  });
});
