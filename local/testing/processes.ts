import { readdirSync } from 'node:fs';
import { statFields } from '../process/process-identity.ts';

/** Ids of all processes below this one. Linux only. */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const id of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    const parent = statFields(id)?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  const below = (id: number): number[] => (children.get(id) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}
