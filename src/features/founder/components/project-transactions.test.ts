import type { ProjectTransaction } from '@/features/wallet';
import { csvLines } from '@/lib/csv';
import { ledgerColumns, ledgerFileName } from './project-transactions';

const paid: ProjectTransaction = {
  id: 7,
  created_at: '2026-02-01T12:00:00Z',
  kind: 'task_completion',
  description: 'Task completion: Try it',
  campaign_id: 'q1',
  campaign_title: 'Test our app',
  task_title: 'Try it',
  member_name: 'Ada',
  submission_id: 's1',
  submission_status: 'approved',
  reviewed_by: 'project',
  reviewed_at: null,
  change: -50,
  free_change: 0,
  reserved_change: -50,
  free_after: 400,
  reserved_after: 50,
};
const lines = (row: Partial<ProjectTransaction>) => [...csvLines([{ ...paid, ...row }], ledgerColumns)];

it('BEY-06 the project ledger has a line for each movement, with its purpose and the remaining balance', () => {
  expect(lines({})).toEqual([
    '"Time (UTC)","Description","Kind","Change","Free After","Reserved After","Total After","Quest","Task","Member","Decision","Decided By","Submission ID"\r\n',
    '"2026-02-01T12:00:00Z","Task completion: Try it","task_completion","-50","400","50","450","Test our app","Try it","Ada","approved","the project","s1"\r\n',
  ]);
});

it.each([
  ['questboard', 'Questboard'],
  ['code', 'Questboard (completion code)'],
  ['deadline', 'Questboard (review time over)'],
  [null, ''],
])('C-102 a decision by %j is shown as %j', (reviewed_by, words) => {
  expect(lines({ reviewed_by })[1]).toContain(`"approved","${words}","s1"`);
});

it('C-55 the file is named after the day', () => {
  expect(ledgerFileName(new Date('2026-01-05T23:00:00Z'))).toBe('project_points_2026-01-05.csv');
});
