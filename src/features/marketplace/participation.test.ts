import { participationByDay } from './participation';

it('counts submissions per day, with the days between', () => {
  const at = (submitted_at: string) => ({ task_id: 't', user_id: 'u', submitted_at });
  const points = [
    at('2026-01-03T23:59:59Z'),
    at('2026-01-03T00:00:00Z'),
    at('2026-01-01T12:00:00Z'),
    at('2025-12-01T12:00:00Z'),
  ];
  expect(participationByDay(points, 3, new Date('2026-01-03T10:00:00Z'))).toEqual([
    { day: '2026-01-01', count: 1 },
    { day: '2026-01-02', count: 0 },
    { day: '2026-01-03', count: 2 },
  ]);
});
