import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

/** Writes bench/results/NAME.json with a description of the machine. */
export function writeResults(name: string, content: object): void {
  const machine = { cores: cpus().length, model: cpus()[0]?.model, memoryGiB: Math.round(totalmem() / 2 ** 30) };
  mkdirSync(new URL('./results/', import.meta.url), { recursive: true });
  writeFileSync(
    new URL(`./results/${name}.json`, import.meta.url),
    `${JSON.stringify({ machine, ...content }, null, 2)}\n`,
  );
}
