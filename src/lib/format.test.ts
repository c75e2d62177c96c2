import { formatAge, formatCount, formatPercent, formatPoints, formatUsd, isoDay } from './format';

const now = new Date('2026-03-10T12:00:00Z');

describe('format', () => {
  it('separates thousands and signs only where asked', () => {
    expect(formatPoints(12700)).toBe('12,700');
    expect(formatPoints(250, { sign: true })).toBe('+250');
    expect(formatPoints(-500, { sign: true })).toBe('-500');
    expect(formatPoints(0, { sign: true })).toBe('0');
  });

  it('gives 0% for a division by zero', () => {
    expect(formatPercent(0 / 0)).toBe('0%');
    expect(formatPercent(0.125)).toBe('12.5%');
  });

  it.each([
    ['2026-03-10T11:59:30Z', 'just now'],
    ['2026-03-10T11:55:00Z', '5 minutes ago'],
    ['2026-03-09T11:00:00Z', 'yesterday'],
    ['2026-02-20T12:00:00Z', '2 weeks ago'],
    ['2024-03-10T12:00:00Z', '2 years ago'],
  ])('writes the age of %s as %s', (date, expected) => {
    expect(formatAge(date, now)).toBe(expected);
  });

  it('writes counts, dollars and days', () => {
    expect(formatCount(1, 'spot')).toBe('1 spot');
    expect(formatCount(1200, 'spot')).toBe('1,200 spots');
    expect(formatCount(2, 'entry', 'entries')).toBe('2 entries');
    expect(formatUsd(99)).toBe('$99');
    expect(isoDay('2026-01-05T23:59:00Z')).toBe('2026-01-05');
  });
});
