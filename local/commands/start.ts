import { relative } from 'node:path';
import { startAppServer } from '../app-server.ts';
import { DEMO_ACCOUNTS } from '../demo/accounts.ts';
import { LOCAL_DIRECTORY } from '../paths.ts';
import { type Stack, startStack } from '../stack.ts';
import { supervise } from '../supervise.ts';

/** `npm start`: the whole product on this machine, with demo data, until Ctrl-C. */
export async function startCommand(flags: { isFresh: boolean }): Promise<number> {
  const { ended, onFailure } = supervise();
  const startedAt = performance.now();
  const stack = await startStack({
    ...flags,
    directory: LOCAL_DIRECTORY,
    ports: 'remembered',
    isSeeded: true,
    isDurable: true,
    onProgress: (line) => console.log(line),
    onMail: (line) => console.log(line),
    onFailure,
    app: (context) => startAppServer({ mode: 'dev', ...context }),
  });
  console.log(welcome(stack, (performance.now() - startedAt) / 1000));
  const code = await ended;
  console.log('\nStopping …');
  await stack.stop();
  return code;
}

function welcome({ env, envFile }: Stack, seconds: number): string {
  const accounts = DEMO_ACCOUNTS.map(
    ({ role, email, password }) => `    ${role.padEnd(9)}${email.padEnd(28)}${password}`,
  );
  return `
  Questboard is ready after ${seconds.toFixed(1)} s:  ${env.APP_URL}

  Sign in as
${accounts.join('\n')}

  Mails land in    ${env.MAIL_URL}/inbox
  Payments go to   ${env.STRIPE_URL}
  API and keys     ${env.SUPABASE_URL} (npm run token -- EMAIL; the rest is in ${relative('.', envFile)})

  Ctrl-C stops everything. Start over with fresh demo data: npm start -- --fresh
`;
}
