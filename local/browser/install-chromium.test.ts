import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { afterEach, expect, it, vi } from 'vitest';
import { UserError } from '../process/user-error.ts';
import { findChromium } from './find-chromium.ts';
import { ensureChromium } from './install-chromium.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('uses the configured Chromium, and says when it does not exist', () => {
  vi.stubEnv('QUESTBOARD_CHROMIUM', process.execPath);
  expect(findChromium()).toBe(process.execPath);
  vi.stubEnv('QUESTBOARD_CHROMIUM', '/nowhere/chromium');
  expect(findChromium).toThrow('QUESTBOARD_CHROMIUM names /nowhere/chromium, and there is no such file.');
});

// Playwright's own build is always found.
it.skipIf(existsSync(chromium.executablePath()) || process.platform === 'darwin')(
  'says what to install on a machine that has none and cannot get one',
  () => {
    vi.stubEnv('QUESTBOARD_CHROMIUM', '');
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    // Neither a browser nor an installer is found.
    vi.stubEnv('PATH', '');
    expect(findChromium()).toBeUndefined();
    expect(ensureChromium).toThrow(UserError);
    expect(ensureChromium).toThrow(
      'install the package "chromium" or Google Chrome, or name one in QUESTBOARD_CHROMIUM',
    );
  },
);
