/**
 * Fails when a shipped package (the site's and the edge functions') has a known vulnerability of level high or critical.
 * An unresponsive registry is only a warning; the next run tries again.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const work = mkdtempSync(join(tmpdir(), 'questboard-audit-'));
const npm = (cwd, ...args) => spawnSync('npm', args, { cwd, encoding: 'utf8' });

/** The packages of the functions are in their import maps, so npm audits them through a temporary package. */
function functionPackages() {
  const targets = globSync('supabase/functions/*/deno.json').flatMap((file) =>
    Object.values(JSON.parse(readFileSync(file, 'utf8')).imports),
  );
  const pinned = targets.map((target) => /^npm:(.+)@([^@]+)$/.exec(target)?.slice(1) ?? []);
  writeFileSync(join(work, 'package.json'), JSON.stringify({ dependencies: Object.fromEntries(pinned) }));
  npm(work, 'install', '--package-lock-only', '--ignore-scripts', '--no-audit');
  return work;
}

/** Number of packages with a vulnerability of level high or critical. */
function vulnerablePackages(what, cwd) {
  const { stdout } = npm(cwd, 'audit', '--omit=dev', '--workspaces=false', '--json');
  let report;
  try {
    report = JSON.parse(stdout);
  } catch {
    report = { error: { summary: stdout } };
  }
  if (!report.metadata) {
    console.log(`::warning::${what}: the registry did not answer: ${report.error?.summary ?? report.message ?? ''}`);
    return 0;
  }
  const found = Object.values(report.vulnerabilities).filter(({ severity }) => ['high', 'critical'].includes(severity));
  console.log(
    `${what}: ${report.metadata.dependencies.prod} packages, ${found.length} with a vulnerability of level high or critical`,
  );
  for (const { name, severity, range } of found) console.log(`::error::${what}: ${name} ${range} (${severity})`);
  return found.length;
}

try {
  const found = vulnerablePackages('Site', process.cwd()) + vulnerablePackages('Edge functions', functionPackages());
  process.exitCode = found > 0 ? 1 : 0;
} finally {
  rmSync(work, { recursive: true, force: true });
}
