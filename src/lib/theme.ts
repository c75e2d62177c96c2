import { useSyncExternalStore } from 'react';
import { createStorageStore, readStorage, writeStorage } from './storage';

const themes = ['light', 'dark', 'system'] as const;
export type Theme = (typeof themes)[number];

const store = createStorageStore('theme', 'theme-changed', () => applyTheme());

function readTheme(): Theme {
  const stored = readStorage('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies and remembers the theme; `system` follows the device. index.html applies it before the first paint. */
export function setTheme(theme: Theme): void {
  writeStorage('theme', theme === 'system' ? null : theme);
  applyTheme();
  store.notify();
}

function applyTheme(): void {
  const theme = readTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The chosen theme, synchronised across tabs. */
export function useTheme(): Theme {
  return useSyncExternalStore<Theme>(store.subscribe, readTheme, () => 'system');
}

export const themeOptions: { value: Theme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'Same as device' },
];
