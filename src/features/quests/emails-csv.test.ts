import { emailsCsv, emailsFileName } from './emails-csv';

test('SDASH-09 the file is named with the lowercase title, everything else as underscores', () => {
  expect(emailsFileName('Beta Wave #2!')).toBe('beta_wave__2__emails.csv');
});

test('SDASH-09 C-104 the file has the columns Email Address, Quest, Collected Date', async () => {
  const rows = [{ id: '1', email: '=cmd@example.org', collected_at: '2026-02-03T23:00:00Z' }];
  expect(await emailsCsv('A "quoted" title', rows).text()).toBe(
    '"Email Address","Quest","Collected Date"\r\n"\'=cmd@example.org","A ""quoted"" title","2026-02-03"\r\n',
  );
});
