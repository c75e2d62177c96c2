/**
 * First step of every npm script that needs the embedded stack. Runs on whatever Node the machine has (20.19 or newer),
 * brings node_modules up to date with package-lock.json, then hands over to local/cli.ts on the project's own Node.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PARENT_CHECK_MS = 500;
/** npm's own default would wait for a minute and a half. */
const RETRY_SOON = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
const pinnedNode = join(root, 'node_modules/.bin/node');

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Questboard needs Node 20.19 or newer to start, and this is Node ${process.versions.node}.`);
}

if (!isInstalled()) install();

/**
 * Whether node_modules matches package-lock.json, according to the record of npm's last install, and every package
 * still exists.
 */
function isInstalled() {
  const record = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(record) || !existsSync(pinnedNode)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional, peer }]) => {
    if (path === '') return true;
    // Optional packages exist for some platforms only.
    const found = present[path];
    return found ? found.version === version && existsSync(join(root, path)) : optional || peer;
  });
}

/**
 * Installs exactly what package-lock.json pins and writes neither it nor package.json. Not `npm ci`: that works too, but
 * refuses a lock file without the builds for other platforms, which npm drops where the registry does not carry them.
 */
function install() {
  console.log('Installing packages, about a minute …');
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...RETRY_SOON];
  const npm = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  if (npm.status !== 0) fail(explain(`${npm.error?.message ?? ''}\n${npm.stderr ?? ''}`));
}

function explain(output) {
  if (/EACCES|EPERM|EROFS/.test(output)) return `Packages could not be installed: no permission to write in ${root}.`;
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|network/i.test(output)) {
    return 'Packages could not be installed: the npm registry cannot be reached.';
  }
  if (/spawn(Sync)? npm ENOENT/.test(output)) return 'Packages could not be installed: npm is not on the PATH.';
  const reason = output.split('\n').filter((line) => line.trim() !== '' && !/^npm (warn|notice)/.test(line));
  return `Packages could not be installed (npm install failed):\n${reason.slice(0, 8).join('\n')}`;
}

// The IPC channel tells the child when this process dies, even by kill -9, so that it does not outlive the terminal.
const child = spawn(pinnedNode, [join(root, 'local/cli.ts'), ...process.argv.slice(2)], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));

// npm runs this in a shell, which survives when npm is killed, and dies of a signal without forwarding it.
const shell = process.ppid;
if (process.env.npm_lifecycle_event) {
  const npm = parentOf(shell);
  setInterval(
    () => (process.ppid !== shell || parentOf(shell) !== npm) && child.kill('SIGTERM'),
    PARENT_CHECK_MS,
  ).unref();
}

function parentOf(pid) {
  if (!existsSync('/proc/self/stat'))
    return spawnSync('ps', ['-o', 'ppid=', '-p', pid], { encoding: 'utf8' }).stdout.trim();
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command in parentheses may contain spaces; the parent's id is the second field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return undefined;
  }
}

child.on('error', (error) => fail(`The project's own Node could not start: ${error.message}`));
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
