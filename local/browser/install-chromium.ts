import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { program } from '../paths.ts';
import { UserError } from '../process/user-error.ts';
import { findChromium, HEADLESS_SHELL } from './find-chromium.ts';

const INSTALL_TIMEOUT_MS = 300_000;

/**
 * Finds a Chromium or installs one: Debian's headless shell (as root), else Playwright's own build, else Debian's whole browser.
 * A whole browser that is there already is only used when its shell cannot be had, because it takes twice the processor time.
 */
export function ensureChromium(): string {
  const found = findChromium();
  if (found && (process.env.QUESTBOARD_CHROMIUM || basename(found) === HEADLESS_SHELL)) return found;
  return (
    installed(() => debianPackage(HEADLESS_SHELL)) ??
    found ??
    installed(playwrightBuild) ??
    installed(() => debianPackage('chromium')) ??
    giveUp()
  );
}

function installed(install: () => boolean): string | undefined {
  return install() ? findChromium() : undefined;
}

function playwrightBuild(): boolean {
  console.log('No Chromium found; downloading the one that Playwright brings …');
  return run(program('playwright'), ['install', 'chromium']);
}

function debianPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.log(`Installing the package ${name} …`);
  return run('apt-get', ['update', '-qq']) && run('apt-get', ['install', '-y', '-qq', name]);
}

function run(command: string, args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return (
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'ignore'], env, timeout: INSTALL_TIMEOUT_MS }).status === 0
  );
}

function giveUp(): never {
  throw new UserError(
    'The browser tests need a Chromium: install the package "chromium" or Google Chrome, or name one in QUESTBOARD_CHROMIUM.',
  );
}
