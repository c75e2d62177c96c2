import { csvLines } from '@/lib/csv';
import { ownTransaction } from '../testing';
import { historyColumns } from './own-history';

it('BEY-06 the file contains change, balance, quest, proof and decision of each line, without formulas', () => {
  const lines = [
    ...csvLines(
      [
        ownTransaction({
          kind: 'redemption',
          description: '=Redeemed',
          change: -40,
          balance_after: 10,
          redemption_id: 'r1',
        }),
        ownTransaction({
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
  const sources = [ownTransaction({ referral_id: 'f1' }), ownTransaction({})].map(
    (each) => [...csvLines([each], historyColumns)][1],
  );
  expect(sources).toEqual([expect.stringMatching(/,"referral f1","1"\r\n$/), expect.stringMatching(/,"","","1"\r\n$/)]);
});
