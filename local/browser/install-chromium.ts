import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { program } from '../paths.ts';
import { UserError } from '../process/user-error.ts';
import { findChromium } from './find-chromium.ts';

const INSTALL_TIMEOUT_MS = 300_000;

/** Finds a Chromium or installs one: Playwright's own build, else the distribution's package (Debian, as root: the shell, or
 * the whole browser where there is none). */
export function ensureChromium(): string {
  return findChromium() ?? installed(playwrightBuild) ?? installed(debianPackage) ?? giveUp();
}

function installed(install: () => boolean): string | undefined {
  return install() ? findChromium() : undefined;
}

function playwrightBuild(): boolean {
  console.log('No Chromium found; downloading the one that Playwright brings …');
  return run(program('playwright'), ['install', 'chromium']);
}

function debianPackage(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.log('Installing the package chromium …');
  if (!run('apt-get', ['update', '-qq'])) return false;
  return ['chromium-headless-shell', 'chromium'].some((name) => run('apt-get', ['install', '-y', '-qq', name]));
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
