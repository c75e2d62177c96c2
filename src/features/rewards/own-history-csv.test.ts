import type { OwnTransaction } from '@/features/wallet';
import { csvLines } from '@/lib/csv';
import { historyColumns } from './own-history-csv';

const row = (overrides: Partial<OwnTransaction>): OwnTransaction => ({
  id: 1,
  kind: 'task_completion',
  description: 'Task completion',
  created_at: '2026-02-01T12:00:00Z',
  change: 0,
  balance_after: 0,
  held_points: 0,
  campaign_id: null,
  campaign_title: null,
  startup_name: null,
  task_title: null,
  submission_id: null,
  submission_status: null,
  proof_url: null,
  proof_text: null,
  reviewed_by: null,
  reviewed_at: null,
  redemption_id: null,
  redemption_status: null,
  referral_id: null,
  cursor: '',
  ...overrides,
});

it('BEY-06 the file contains change, balance, quest, proof and decision of each line, without formulas', () => {
  const lines = [
    ...csvLines(
      [
        row({ kind: 'redemption', description: '=Redeemed', change: -40, balance_after: 10, redemption_id: 'r1' }),
        row({
          change: 50,
          balance_after: 50,
          campaign_title: 'Try the kite',
          startup_name: 'Paper Kite',
          task_title: 'Fly it',
          proof_text: 'It flew',
          submission_id: 's1',
          submission_status: 'approved',
          reviewed_by: 'project',
          reviewed_at: '2026-02-03T12:00:00Z',
        }),
      ],
      historyColumns,
    ),
  ];
  expect(lines[0]).toContain('"Change","Balance"');
  expect(lines[1]).toBe(
    `"2026-02-01T12:00:00Z","'=Redeemed","redemption","-40","10","0","","","","","","","","redemption r1","1"\r\n`,
  );
  expect(lines[2]).toBe(
    `"2026-02-01T12:00:00Z","Task completion","task_completion","50","50","0","Try the kite","Paper Kite","Fly it","It flew","approved","the project","2026-02-03T12:00:00Z","submission s1","1"\r\n`,
  );
});

it('BEY-06 names the referral that caused a line, and no source where there is none', () => {
  const sources = [row({ referral_id: 'f1' }), row({})].map((each) => [...csvLines([each], historyColumns)][1]);
  expect(sources).toEqual([expect.stringMatching(/,"referral f1","1"\r\n$/), expect.stringMatching(/,"","","1"\r\n$/)]);
});
