import { examine } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';
import { readSettings, SETTINGS_FILES } from '../doctor/settings.ts';
import { PROJECT_ROOT } from '../paths.ts';

const MARKS: Record<Finding['state'], string> = { fine: '✓', warning: '!', problem: '✗', skipped: '–' };

/**
 * `npm run doctor`: checks the configuration of the env files and reports problems. Exit code 1 for problems; with
 * `--strict`, as in a release, also for warnings and skipped checks.
 */
export async function doctorCommand({ isStrict }: { isStrict: boolean }): Promise<number> {
  console.log(`Reading the environment, ${SETTINGS_FILES.join(', ')} …\n`);
  const findings = await examine(readSettings(PROJECT_ROOT, process.env));
  for (const { state, subject, detail } of findings) console.log(`${MARKS[state]} ${subject}: ${detail}`);
  console.log(`\n${summarize(findings)}`);
  const isBad = ({ state }: Finding) => state === 'problem' || (isStrict && state !== 'fine');
  return findings.some(isBad) ? 1 : 0;
}

/** Exported for tests. Reports success only when every check ran. */
export function summarize(findings: Finding[]): string {
  const of = (wanted: Finding['state']) =>
    findings.filter(({ state }) => state === wanted).map(({ subject }) => subject);
  const [problems, warnings, unseen] = [of('problem'), of('warning'), of('skipped')];
  const parts = [
    ...(problems.length > 0 ? [`${problems.length} wrong: ${problems.join(', ')}.`] : []),
    ...(warnings.length > 0 ? [`To be looked at: ${warnings.join(', ')}.`] : []),
    ...(unseen.length > 0 ? [`Not looked at: ${unseen.join(', ')}.`] : []),
  ];
  return parts.length > 0 ? parts.join(' ') : 'Everything was looked at, and nothing is wrong.';
}
