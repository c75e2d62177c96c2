import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * What distinguishes a process from a later one with the same id: its start time. It stays the same when the process executes another
 * program (`env node …`). Undefined when no such process runs. Reads /proc where it exists (`ps` is missing in slim containers), and uses
 * `ps` elsewhere.
 */
export function processIdentity(pid: number): string | undefined {
  if (!existsSync('/proc/self/stat')) return ps(pid, 'lstart=');
  const fields = statFields(pid);
  // The start time is relative to the system's boot.
  return fields && fields.state !== 'Z' ? `${bootId()} ${fields.startTime}` : undefined;
}

/** The command line of a running process; undefined when there is none. */
export function commandOf(pid: number): string | undefined {
  if (!existsSync('/proc/self/stat')) return ps(pid, 'command=');
  return read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
}

/** State, start time and parent: the process that started this one, or its replacement. Linux only. */
export function statFields(pid: number) {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The command in parentheses may contain spaces; the fields after it are numbered from 3 (state) on, 22 is the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0], parent: Number(fields[1]), startTime: fields[19] };
}

const bootId = (): string => read('/proc/sys/kernel/random/boot_id')?.trim() ?? '';

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function ps(pid: number, column: string): string | undefined {
  const { status, stdout } = spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 && stdout.trim() ? stdout.trim() : undefined;
}
