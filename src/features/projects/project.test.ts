import { formerName } from './project';

test('C-96 a former name is shown for 30 days', () => {
  const renamed = { former_name: 'Paper Plane', renamed_at: '2026-03-01T12:00:00+00:00' };
  expect(formerName(renamed, Date.parse('2026-03-31T11:59:59Z'))).toBe('Paper Plane');
  expect(formerName(renamed, Date.parse('2026-03-31T12:00:00Z'))).toBeNull();
  expect(formerName({ former_name: null, renamed_at: null })).toBeNull();
});
