import {
  formatAge,
  formatCount,
  formatDate,
  formatDateTime,
  formatHours,
  formatMonth,
  formatNumber,
  formatPercent,
  formatPoints,
  formatSpan,
  formatUsd,
  isoDay,
  periodStart,
} from './format';

const now = new Date('2026-03-10T12:00:00Z');

describe('format', () => {
  it('separates thousands, and signs only on request', () => {
    expect(formatNumber(12700.4)).toBe('12,700');
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
    ['2026-03-10T11:59:01Z', 'just now'],
    ['2026-03-10T11:59:00Z', '1 minute ago'],
    ['2026-03-10T15:30:00Z', 'in 3 hours'],
    ['2026-03-10T11:55:00Z', '5 minutes ago'],
    ['2026-03-09T11:00:00Z', 'yesterday'],
    ['2026-02-20T12:00:00Z', '2 weeks ago'],
    ['2024-03-10T12:00:00Z', '2 years ago'],
  ])('writes the age of %s as %s', (date, expected) => {
    expect(formatAge(date, now)).toBe(expected);
  });

  it.each([
    [new Date(2026, 2, 12, 9), 'in 2 days'],
    [new Date(2026, 2, 11, 23), 'tomorrow'],
    [new Date(2026, 2, 8, 11), '2 days ago'],
    [new Date(2026, 2, 9, 9), 'yesterday'],
    [new Date(2026, 1, 26, 12), '1 week ago'],
    [new Date(2026, 0, 15, 12), '1 month ago'],
    [new Date(2024, 11, 31, 12), '1 year ago'],
  ])("names the days of the reader's calendar, and counts what is longer: %s is %s", (date, expected) => {
    expect(formatAge(date, new Date(2026, 2, 10, 10))).toBe(expected);
  });

  it('writes counts, dollars and days', () => {
    expect(formatCount(1, 'spot')).toBe('1 spot');
    expect(formatCount(1200, 'spot')).toBe('1,200 spots');
  });

  it("writes dates in the reader's time zone, and days of files in UTC", () => {
    expect(formatDate(new Date(2026, 0, 5))).toBe('Jan 5, 2026');
    expect(formatDateTime(new Date(2026, 0, 5, 15, 4))).toMatch(/^Jan 5, 2026, 3:04\sPM$/);
    expect(isoDay('2026-01-05T23:59:00Z')).toBe('2026-01-05');
  });

  it('writes counts with their plural, and dollars without empty cents', () => {
    expect(formatCount(1, 'spot')).toBe('1 spot');
    expect(formatCount(2, 'entry', 'entries')).toBe('2 entries');
    expect(formatUsd(9900)).toBe('$99');
    expect(formatUsd(9950)).toBe('$99.50');
  });

  it('a period of days starts at midnight UTC of the first of them', () => {
    expect(periodStart(3, now)).toBe('2026-03-08T00:00:00Z');
    expect(periodStart(1, now)).toBe('2026-03-10T00:00:00Z');
  });

  it.each([
    [1, '1 hour'],
    [24, '24 hours'],
    [36, '36 hours'],
    [48, '2 days'],
    [60, '60 hours'],
    [72, '3 days'],
  ])('writes %i hours as %s', (hours, expected) => {
    expect(formatHours(hours)).toBe(expected);
  });

  it.each([
    [5, '1 minute'],
    [1200, '20 minutes'],
    [5399, '90 minutes'],
    [5400, '2 hours'],
    [47 * 3600, '47 hours'],
    [48 * 3600, '2 days'],
    [80 * 3600, '3 days'],
  ])('writes a measured span of %i seconds as %s', (seconds, expected) => {
    expect(formatSpan(seconds)).toBe(expected);
  });
});

test('the month of a day does not depend on the time zone', () => {
  expect(formatMonth('2026-01-01')).toBe('January 2026');
});
