import { csvLines } from '@/lib/csv';
import { reviewedRow } from '../testing/review-server';
import { submissionColumns, submissionFileName } from './submissions-csv';

const lines = (...rows: ReturnType<typeof reviewedRow>[]) => [...csvLines(rows, submissionColumns)];

it('SUBM-10 C-92 writes the columns in order, every cell quoted, the member by id', () => {
  const [head, row] = lines(
    reviewedRow({
      id: 's1',
      task_title: 'Say "hi"',
      task_points: 50,
      member_name: 'Ada',
      user_id: 'user_1',
      participant_email: 'a@example.org',
      proof_url: null,
      proof_text: 'Done, twice',
      status: 'approved',
      review_note: 'Fine',
      submitted_at: '2026-01-02T03:04:05+00:00',
      reviewed_at: '2026-01-03T03:04:05+00:00',
      reviewed_by: 'project',
    }),
  );
  expect(head).toBe(
    '"Submission ID","Task Title","Task Points","User ID","Participant Email","Proof Type","Proof Content","Proof URL","Status","Review Note","Submitted Date","Reviewed Date","Reviewed By"\r\n',
  );
  expect(row).toBe(
    '"s1","Say ""hi""","50","user_1","a@example.org","Text","Done, twice","","approved","Fine","2026-01-02T03:04:05+00:00","2026-01-03T03:04:05+00:00","the project"\r\n',
  );
});

it('SUBM-10 labels a link or screenshot URL and a text Text', () => {
  expect(lines(reviewedRow({ proof_url: 'https://example.com' }))[1]).toContain('"URL"');
  expect(lines(reviewedRow({ proof_url: null, proof_text: 'x' }))[1]).toContain('"Text"');
});

it('TRUST-13 C-55 neutralises formulas that members write', () => {
  expect(lines(reviewedRow({ proof_text: '=HYPERLINK("http://evil.example")' }))[1]).toContain(
    `"'=HYPERLINK(""http://evil.example"")"`,
  );
});

it('SUBM-10 C-55 names the file after the quest and the day', () => {
  expect(submissionFileName('Test our app: v2!', new Date('2026-02-03T23:00:00Z'))).toBe(
    'quest_submissions_Test_our_app__v2__2026-02-03.csv',
  );
});

it.each([
  ['questboard', 'Questboard'],
  ['beta', 'Questboard'],
  [null, ''],
])('C-102 a decision by %j is shown as %j', (reviewed_by, name) => {
  expect(lines(reviewedRow({ reviewed_by }))[1]).toMatch(new RegExp(`,"${name}"\r\n$`));
});
