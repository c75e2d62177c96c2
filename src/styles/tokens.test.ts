import css from './tokens.css?raw';

const tokens = new Map(
  [...css.matchAll(/--color-([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name, light, dark]) => [
    name,
    { light: light ?? '', dark: dark ?? '' },
  ]),
);

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function ratio(foreground: string, background: string, theme: 'light' | 'dark'): number {
  const [fg, bg] = [tokens.get(foreground), tokens.get(background)];
  if (!fg || !bg) throw new Error(`no such token: ${foreground} or ${background}`);
  return contrast(fg[theme], bg[theme]);
}

const surfaces = ['paper', 'card', 'sunken'];
const textPairs = [
  ...surfaces.flatMap((bg) => ['ink', 'muted', 'action', 'danger', 'warning'].map((fg) => [fg, bg] as const)),
  ['ink', 'action-soft'],
  ['action', 'action-soft'],
  ['ink', 'points-soft'],
  ['ink', 'danger-soft'],
  ['danger', 'danger-soft'],
  ['ink', 'warning-soft'],
  ['warning', 'warning-soft'],
  ['on-action', 'action'],
  ['on-action', 'action-strong'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-strong'],
  ['on-points', 'points'],
  ['paper', 'ink'],
] as const;

describe.each(['light', 'dark'] as const)('contrast in the %s theme', (theme) => {
  it.each(textPairs)('%s on %s reaches 4.5:1', (fg, bg) => {
    expect(ratio(fg, bg, theme)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(surfaces)('control borders on %s reach 3:1', (bg) => {
    expect(ratio('field', bg, theme)).toBeGreaterThanOrEqual(3);
  });
});
