import { spawnSync } from 'node:child_process';
import { stampedCopy } from '../functions/release.ts';
import { PROJECT_ROOT, program } from '../paths.ts';

/** `npm run deploy:functions`: deploys the edge functions to the linked project, stamped so that the doctor can identify the release. */
export function deployFunctionsCommand(): number {
  const { directory, remove } = stampedCopy();
  try {
    const args = ['functions', 'deploy', '--use-api', '--workdir', directory];
    // In the checkout, whose .env sets CLERK_DOMAIN.
    return spawnSync(program('supabase'), args, { cwd: PROJECT_ROOT, stdio: 'inherit' }).status ?? 1;
  } finally {
    remove();
  }
}
