import { spawnSync } from 'node:child_process';
import { UserError } from '../process/user-error.ts';

/** Ids of the user that the server runs as; undefined = whoever runs us. */
export interface PostgresUser {
  uid: number;
  gid: number;
}

/** Postgres refuses to run as root; then it runs as the system user `postgres`, created when missing. */
export function postgresUser(): PostgresUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = lookUp();
  if (existing) return existing;
  spawnSync('groupadd', ['--system', 'postgres']);
  spawnSync('useradd', ['--system', '--gid', 'postgres', '--no-create-home', 'postgres']);
  const created = lookUp();
  if (created) return created;
  throw new UserError(
    'PostgreSQL does not run as root and the user "postgres" could not be created; start Questboard as a normal user.',
  );
}

function lookUp(): PostgresUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Whether that user may enter the directory: root's home, for one, is closed to others. */
export function canEnter(directory: string, user: PostgresUser | undefined): boolean {
  return user === undefined || spawnSync('test', ['-x', directory], { ...user, cwd: '/' }).status === 0;
}
