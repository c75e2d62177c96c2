import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, type PartFailure, startChild } from '../process/child.ts';
import { endProcess } from '../process/orphans.ts';
import { commandOf } from '../process/process-identity.ts';
import { postgresUser } from './postgres-user.ts';
import { postgresPrograms } from './programs.ts';

export interface DatabaseOptions {
  /** An initialised data directory. */
  directory: string;
  port: number;
  /** False trades durability for speed, for throw-away databases. */
  isDurable: boolean;
  /** 60 unless given, as on the hosted platform's smallest instances. */
  maxConnections?: number;
  /** Called with each line of the server's log. */
  onLine?: ((line: string) => void) | undefined;
  /** See StartedParts.record. */
  onSpawn: (pid: number) => void;
  onFailure: (failure: PartFailure) => void;
}

const READY = 'database system is ready to accept connections';
const UNSAFE = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** Starts PostgreSQL on 127.0.0.1, with the hosted platform's settings as far as they are observable. */
export async function startDatabase(options: DatabaseOptions): Promise<Child> {
  const user = postgresUser();
  await clearStaleServer(options.directory);
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${options.port}`,
    'unix_socket_directories=',
    'shared_preload_libraries=pg_stat_statements',
    'wal_level=logical',
    `max_connections=${options.maxConnections ?? 60}`,
    'timezone=UTC',
    'lc_messages=C',
    ...(options.isDurable ? [] : UNSAFE),
  ];

  let isReady = false;
  return startChild({
    name: 'PostgreSQL',
    command: postgresPrograms(user).postgres,
    args: ['-D', options.directory, ...settings.flatMap((setting) => ['-c', setting])],
    cwd: options.directory,
    user,
    stopSignal: 'SIGINT',
    onLine: (line) => {
      isReady ||= line.includes(READY);
      options.onLine?.(line);
    },
    onSpawn: options.onSpawn,
    isReady: () => isReady,
    onFailure: options.onFailure,
  });
}

/**
 * After a `kill -9` of the stack its Postgres may still run, or be dead and have left its postmaster.pid. The caller
 * holds the directory's lock, so any server that uses this data directory is such a leftover and is stopped.
 */
async function clearStaleServer(directory: string): Promise<void> {
  const file = join(directory, 'postmaster.pid');
  let pid: number;
  try {
    pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  } catch {
    return;
  }
  // The pid may have been reused; only a command that names this directory is our server.
  if (commandOf(pid)?.includes(directory)) await endProcess(pid);
  rmSync(file, { force: true });
}
