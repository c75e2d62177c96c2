import { delimiter } from 'node:path';
import { parseArgs } from 'node:util';
import { program } from './paths.ts';
import { codeOf, messageOf, UserError } from './process/user-error.ts';

const USAGE =
  'Usage: npm start [-- --fresh] | npm test | npm run test:full | npm run stack [-- --fresh --empty] | npm run token -- EMAIL | npm run types | npm run doctor [-- --strict] | npm run deploy:functions | npm run backup -- DIRECTORY | npm run restore -- DIRECTORY | npm run db:change -- NAME | npm run db:baseline | npm run db:release';

async function main(): Promise<number> {
  // The programs of node_modules find the project's own Node, whatever the machine has.
  process.env.PATH = `${program('')}${delimiter}${process.env.PATH ?? ''}`;
  // Their arguments belong to the program that is run.
  const [name, ...args] = process.argv.slice(2);
  if (name === 'test' || name === 'test:full') {
    return (await import('./commands/test.ts')).testCommand({ args, isFull: name === 'test:full' });
  }
  if (name === 'script') return (await import('./commands/script.ts')).scriptCommand(args);

  const { values, positionals } = parseCommandLine();
  const [command, argument] = positionals;
  const isFresh = values.fresh ?? false;
  const takesArgument = ['token', 'db:change', 'backup', 'restore'].includes(command ?? '');
  const unknown = positionals.at(takesArgument ? 2 : 1);
  if (unknown !== undefined) throw new UserError(`Unknown word: ${unknown}\n${USAGE}`);
  switch (command) {
    case 'start':
      return (await import('./commands/start.ts')).startCommand({ isFresh });
    case 'stack':
      return (await import('./commands/stack.ts')).stackCommand({ isFresh, isSeeded: !values.empty });
    case 'token':
      return (await import('./commands/token.ts')).tokenCommand(argument);
    case 'doctor':
      return (await import('./commands/doctor.ts')).doctorCommand({ isStrict: values.strict ?? false });
    case 'deploy:functions':
      return (await import('./commands/deploy-functions.ts')).deployFunctionsCommand();
    case 'backup':
      return (await import('./commands/backup.ts')).backupCommand(argument);
    case 'restore':
      return (await import('./commands/backup.ts')).restoreCommand(argument);
    case 'types':
      return (await import('./commands/types.ts')).typesCommand();
    case 'db:change':
      return (await import('./commands/db-change.ts')).dbChangeCommand(argument);
    case 'db:baseline':
      return (await import('./commands/db-change.ts')).dbBaselineCommand();
    case 'db:release':
      return (await import('./commands/db-change.ts')).dbReleaseCommand();
    default:
      throw new UserError(USAGE);
  }
}

function parseCommandLine() {
  try {
    // npm takes its own "--" away, a direct call does not.
    const args = process.argv.slice(2).filter((argument) => argument !== '--');
    return parseArgs({
      args,
      allowPositionals: true,
      options: { fresh: { type: 'boolean' }, empty: { type: 'boolean' }, strict: { type: 'boolean' } },
    });
  } catch (error) {
    throw new UserError(`${messageOf(error)}\n${USAGE}`);
  }
}

try {
  process.exit(await main());
} catch (error) {
  if (codeOf(error) === 'ENOSPC')
    console.error(`The disk is full (${messageOf(error)}); free some space and start again.`);
  else console.error(error instanceof UserError ? error.message : error);
  process.exit(1);
}
