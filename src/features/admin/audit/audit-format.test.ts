import { changesOf, formatAction } from './audit-format';

describe('BEY-04 an entry of the audit log', () => {
  it('says what was done', () => {
    expect(formatAction('campaign.lift_hold')).toBe('campaign: lift hold');
  });

  it('shows only what changed, before and after', () => {
    expect(changesOf({ beta_mode: true, og_slots: 100 }, { beta_mode: false, og_slots: 100 })).toEqual([
      { field: 'beta_mode', before: 'true', after: 'false' },
    ]);
  });

  it('shows what came and what went', () => {
    expect(changesOf(null, { rows: 3 })).toEqual([{ field: 'rows', before: '—', after: '3' }]);
    expect(changesOf({ reason: 'spam' }, null)).toEqual([{ field: 'reason', before: 'spam', after: '—' }]);
  });
});
