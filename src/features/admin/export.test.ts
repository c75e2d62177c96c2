import { fakeApi, refuse } from '@/lib/testing/fake-api';
import { downloadCsv, exportFileName } from './export';

it('C-55 names a file after its content and the day', () => {
  const now = new Date('2026-01-05T23:00:00Z');
  expect(exportFileName('mailing_list', undefined, now)).toBe('mailing_list_2026-01-05.csv');
  expect(exportFileName('sitemap', 'xml', now)).toBe('sitemap_2026-01-05.xml');
});

describe('BEY-04 a file with personal data', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const download = () => downloadCsv('members', [{ id: 1 }], [{ header: 'Id', value: ({ id }) => id }]);

  it('is audited with its row count before it is handed out', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const api = fakeApi({ 'rpc record_admin_export': undefined });
    const make = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined);
    const link = { href: '', download: '', click: vi.fn() };
    vi.stubGlobal('document', { createElement: () => link });
    await download();
    expect(api.calls.map(({ body }) => body)).toEqual([{ p_what: 'members', p_rows: 1 }]);
    expect(link.download).toMatch(/^members_\d{4}-\d\d-\d\d\.csv$/);
    expect(await new Response(make.mock.calls[0]?.[0] as Blob).text()).toContain('"Id"\r\n"1"\r\n');
  });

  it('is not handed out if it cannot be audited', async () => {
    fakeApi({ 'rpc record_admin_export': refuse(403, 'FORBIDDEN', 'Forbidden') });
    await expect(download()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
