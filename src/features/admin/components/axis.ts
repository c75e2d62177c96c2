/**
 * The upper end of an axis for whole amounts up to `top`: even, so that its middle is whole too, and one of 2, 4, 6, 8, 10,
 * 12, 16, 20 times a power of ten, so that the numbers beside it are easy to read.
 */
export function axisTop(top: number): number {
  const steps = [2, 4, 6, 8, 10, 12, 16, 20];
  const power = 10 ** Math.max(Math.floor(Math.log10(Math.max(top, 1) / 2)), 0);
  return (steps.find((step) => step * power >= top) ?? 20) * power;
}
