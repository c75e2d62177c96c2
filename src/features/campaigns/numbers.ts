/**
 * Reads a whole number that someone typed. Blank or not a number gives the fallback; below 0 gives 0, above `max` gives
 * `max`; decimals are cut off (QNEW-16, QEDIT-11, QEDIT-12).
 */
export function parseWhole(text: string, { fallback, max }: { fallback: number; max: number }): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? Math.min(Math.max(Math.trunc(value), 0), max) : fallback;
}
