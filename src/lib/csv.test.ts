import { csvBlob, csvCell, csvLines, downloadBlob } from './csv';

describe('csv', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

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

  it('writes a header and one line per row', async () => {
    const columns = [
      { header: 'Email', value: (row: { email: string; points: number }) => row.email },
      { header: 'Points', value: (row: { points: number }) => row.points },
    ];
    const rows = [{ email: 'a@example.org', points: 5 }];
    expect([...csvLines(rows, columns)]).toEqual(['"Email","Points"\r\n', '"a@example.org","5"\r\n']);
    const file = csvBlob(rows, columns);
    expect(file.type).toContain('text/csv');
    expect([...new Uint8Array(await file.arrayBuffer())].slice(0, 4)).toEqual([0xef, 0xbb, 0xbf, 0x22]);
  });

  it('is handed to the browser under its name, and its object URL is revoked once the download has started', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const link = { href: '', download: '', click: vi.fn() };
    vi.stubGlobal('document', { createElement: (name: string) => (name === 'a' ? link : null) });
    const file = new Blob(['"a"\r\n']);
    const make = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
    const release = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
    downloadBlob(file, 'members.csv');
    expect(make).toHaveBeenCalledWith(file);
    expect(link).toMatchObject({ href: 'blob:1', download: 'members.csv' });
    expect(link.click).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(9999);
    expect(release).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(release).toHaveBeenCalledWith('blob:1');
  });
});
