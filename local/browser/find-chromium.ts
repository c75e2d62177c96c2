import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { UserError } from '../process/user-error.ts';

/** Renders the same pages as the whole browser for half of the processor time. */
export const HEADLESS_SHELL = 'chromium-headless-shell';

const NAMES = [HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const MAC_APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of a Chromium: the one that QUESTBOARD_CHROMIUM names, an installed one, Playwright's own; undefined = none. */
export function findChromium(): string | undefined {
  const named = process.env.QUESTBOARD_CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw new UserError(`QUESTBOARD_CHROMIUM names ${named}, and there is no such file.`);
  }
  const directories = (process.env.PATH ?? '').split(delimiter);
  const installed = directories.flatMap((directory) => NAMES.map((name) => join(directory, name)));
  return [...installed, ...MAC_APPLICATIONS, chromium.executablePath()].find((path) => existsSync(path));
}
