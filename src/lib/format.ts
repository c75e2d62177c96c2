/** Formats numbers and dates, in English like the whole interface. */
const locale = 'en-US';
/** Made at first use: each takes milliseconds of a phone's processor, and no page needs them all. */
const once = <Format>(make: () => Format): (() => Format) => {
  let made: Format | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
const whole = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
const signed = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0, signDisplay: 'exceptZero' }));
const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
const money = once(
  () => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', trailingZeroDisplay: 'stripIfInteger' }),
);
const day = once(() => new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' }));
const month = once(() => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }));
const dayAndTime = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
const relative = once(() => new Intl.RelativeTimeFormat(locale));
const nearDays = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

/** Has the browser load its language data, which it does for the first format. */
export const loadFormats = (): void => void whole();

/** 12700 -> '12,700'. */
export function formatNumber(value: number): string {
  return whole().format(value);
}

/** Points as a whole number with thousands separators; with `sign`, +250 / -500 as in histories. */
export function formatPoints(points: number, options: { sign?: boolean } = {}): string {
  return (options.sign ? signed : whole)().format(points);
}

/** A ratio from 0 to 1 -> '12.5%'. NaN (0/0) -> '0%'. */
export function formatPercent(share: number): string {
  return percent().format(Number.isFinite(share) ? share : 0);
}

/** Cents -> '$99', '$99.50'. */
export function formatUsd(cents: number): string {
  return money().format(cents / 100);
}

/** '1 spot', '2 spots'. Pass an irregular plural. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${whole().format(count)} ${count === 1 ? singular : plural}`;
}

/** 'Jan 5, 2026' in the reader's time zone. */
export function formatDate(date: string | Date): string {
  return day().format(new Date(date));
}

/** 'Jan 5, 2026' for an ISO day, '2026-01-05': by its noon here, because its midnight in UTC may be another day. */
export const formatDay = (isoDay: string): string => formatDate(`${isoDay}T12:00:00`);

/** 'January 2026' for an ISO day, whatever the reader's time zone. */
export function formatMonth(date: string): string {
  return month().format(new Date(date));
}

/** 'Jan 5, 2026, 3:04 PM' in the reader's time zone. */
export function formatDateTime(date: string | Date): string {
  return dayAndTime().format(new Date(date));
}

/** ISO day in UTC, '2026-01-05', for files (C-55). */
export function isoDay(date: string | Date): string {
  return new Date(date).toISOString().slice(0, 10);
}

/** Milliseconds of a day. */
export const dayMs = 86_400_000;

/** The last `count` days in UTC as ISO days, today last. */
export function lastDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, index) => isoDay(new Date(now.getTime() - (count - 1 - index) * dayMs)));
}

/** Midnight UTC of the first of the last `days` days, for queries: it changes once a day. */
export function periodStart(days: number, now: Date = new Date()): string {
  return `${lastDays(days, now)[0]}T00:00:00Z`;
}

/** A duration: '36 hours', '3 days'. */
export function formatHours(hours: number): string {
  return hours >= 48 && hours % 24 === 0 ? formatCount(hours / 24, 'day') : formatCount(hours, 'hour');
}

/** A measured duration: '20 minutes', '5 hours', '3 days'. */
export function formatSpan(seconds: number): string {
  if (seconds < 5_400) return formatCount(Math.max(1, Math.round(seconds / 60)), 'minute');
  const hours = Math.round(seconds / 3_600);
  return hours < 48 ? formatCount(hours, 'hour') : formatCount(Math.round(hours / 24), 'day');
}

/** Units of relative time and their seconds, longest first. */
const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** The number of a day in the reader's time zone. */
const dayNumber = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / dayMs;

/**
 * Relative time: 'just now', '5 minutes ago', 'yesterday', 'in 3 hours'. Days are those of the calendar: what is due in 47 hours is not due
 * tomorrow.
 */
export function formatAge(date: string | Date, now: Date = new Date()): string {
  const time = new Date(date);
  const seconds = Math.round((time.getTime() - now.getTime()) / 1000);
  const found = units.find(([, size]) => Math.abs(seconds) >= size);
  if (!found) return 'just now';
  const [unit, size] = found;
  if (unit === 'day') return nearDays().format(dayNumber(time) - dayNumber(now), unit);
  return relative().format(Math.trunc(seconds / size), unit);
}
