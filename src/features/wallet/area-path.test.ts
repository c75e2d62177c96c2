import { stepAreaPath } from './points-series';

const at = (day: number) => `2026-01-0${day}T00:00:00Z`;

it('draws steps over time, with 0 at the bottom', () => {
  const series = [
    { at: at(1), points: 0 },
    { at: at(3), points: 100 },
    { at: at(5), points: 50 },
  ];
  expect(stepAreaPath(series, 200, 40)).toEqual({
    line: 'M0 40H100V0H200V20H200',
    fill: 'M0 40H100V0H200V20H200V40H0Z',
  });
});

it('spreads transactions with the same time evenly', () => {
  const series = [0, 10, 20].map((points) => ({ at: at(1), points }));
  expect(stepAreaPath(series, 100, 10)?.line).toBe('M0 10H50V5H100V0H100');
});

it('draws nothing for fewer than two points', () => {
  expect(stepAreaPath([], 100, 10)).toBeNull();
  expect(stepAreaPath([{ at: at(1), points: 5 }], 100, 10)).toBeNull();
});
