import { useSyncExternalStore } from 'react';
import { readStorage, storageKey, writeStorage } from './storage';

const themes = ['light', 'dark', 'system'] as const;
export type Theme = (typeof themes)[number];

const changed = 'theme-changed';

function readTheme(): Theme {
  const stored = readStorage('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies and remembers the theme; `system` follows the device. index.html applies it before the first paint. */
export function setTheme(theme: Theme): void {
  writeStorage('theme', theme === 'system' ? null : theme);
  applyTheme();
  window.dispatchEvent(new Event(changed));
}

function applyTheme(): void {
  const theme = readTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function subscribe(onChange: () => void): () => void {
  const handleStorage = (event: StorageEvent) => {
    if (event.key !== storageKey('theme')) return;
    applyTheme();
    onChange();
  };
  window.addEventListener(changed, onChange);
  window.addEventListener('storage', handleStorage);
  return () => {
    window.removeEventListener(changed, onChange);
    window.removeEventListener('storage', handleStorage);
  };
}

/** The chosen theme, kept in step across tabs. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme);
}

export const themeOptions: { value: Theme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'Same as device' },
];
