import { examine } from '../doctor/examine.ts';
import type { Finding } from '../doctor/finding.ts';
import { readSettings, SETTINGS_FILES } from '../doctor/settings.ts';
import { PROJECT_ROOT } from '../paths.ts';

const MARKS: Record<Finding['state'], string> = { fine: '✓', warning: '!', problem: '✗', skipped: '–' };

/** `npm run doctor`: looks at the configuration of the env files and says what is wrong. Exit code 1 when something is. */
export async function doctorCommand(): Promise<number> {
  console.log(`Reading the environment, ${SETTINGS_FILES.join(', ')} …\n`);
  const findings = await examine(readSettings(PROJECT_ROOT, process.env));
  for (const { state, subject, detail } of findings) console.log(`${MARKS[state]} ${subject}: ${detail}`);
  const problems = findings.filter(({ state }) => state === 'problem').length;
  console.log(problems === 0 ? '\nNothing is wrong.' : `\n${problems} wrong.`);
  return problems === 0 ? 0 : 1;
}
