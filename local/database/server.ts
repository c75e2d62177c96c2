import { type Child, type PartFailure, startChild } from '../process/child.ts';
import { postgresUser } from './postgres-user.ts';
import { postgresPrograms } from './programs.ts';
import { clearStaleServer } from './stale-server.ts';

export interface DatabaseOptions {
  /** An initialised data directory. */
  directory: string;
  port: number;
  /** False trades durability for speed, for throw-away databases. */
  isDurable: boolean;
  /** 100 unless given, as on the hosted platform. */
  maxConnections?: number;
  onLine?: (line: string) => void;
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
    `max_connections=${options.maxConnections ?? 100}`,
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
    isReady: () => isReady,
    onFailure: options.onFailure,
  });
}
