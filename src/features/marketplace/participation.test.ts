import { participationByDay } from './participation';

it('gives each of the last days its submissions, including days without any', () => {
  const counted = [
    { day: '2025-12-01', submissions: 4 },
    { day: '2026-01-01', submissions: 1 },
    { day: '2026-01-03', submissions: 2 },
  ];
  expect(participationByDay(counted, 3, new Date('2026-01-03T10:00:00Z'))).toEqual([
    { day: '2026-01-01', count: 1 },
    { day: '2026-01-02', count: 0 },
    { day: '2026-01-03', count: 2 },
  ]);
});
