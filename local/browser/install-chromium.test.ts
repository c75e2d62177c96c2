import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

describe.skipIf(process.getuid?.() !== 0 || !existsSync('/etc/debian_version'))('on Debian, as root', () => {
  let directory: string;
  const program = (name: string, script = '') =>
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}`, { mode: 0o755 });

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'chromium-'));
    vi.stubEnv('QUESTBOARD_CHROMIUM', '');
    vi.stubEnv('PATH', directory);
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    program('chromium');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('installs the headless shell beside a whole browser', () => {
    const shell = join(directory, 'chromium-headless-shell');
    program('apt-get', `[ "$1" = update ] || [ "$*" = "install -y -qq chromium-headless-shell" ] && : > ${shell}`);
    expect(ensureChromium()).toBe(shell);
  });

  it('uses the whole browser where the shell cannot be had', () => {
    program('apt-get', 'exit 1');
    expect(ensureChromium()).toBe(join(directory, 'chromium'));
  });
});
