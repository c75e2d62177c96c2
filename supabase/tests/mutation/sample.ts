import type { Mutant } from './catalogue.ts';
import { hashOf } from './test-files.ts';

/**
 * A representative sample of the mutants: from each schema file, and within it from each kind, in proportion to their number. The seed
 * decides which ones; a larger sample with the same seed contains nearly all of a smaller one.
 */
export function drawSample(mutants: Mutant[], size: number, seed: number): Mutant[] {
  if (size >= mutants.length) return mutants;
  const stratumOf = ({ domain, target }: Mutant) => `${domain} ${target.split(' ')[0]}`;
  const drawn = [...mutants]
    .map((mutant) => ({ mutant, order: hashOf(String(seed), mutant.key) }))
    .sort((a, b) => a.order.localeCompare(b.order));
  const strata = Map.groupBy(drawn, ({ mutant }) => stratumOf(mutant));
  // The fractional parts of the strata's shares add up; whenever the sum passes a whole number, that stratum
  // contributes one more.
  const start = Number.parseInt(hashOf(String(seed)).slice(0, 8), 16) / 2 ** 32;
  let [seen, taken] = [0, 0];
  return [...strata.keys()].sort().flatMap((name) => {
    const stratum = strata.get(name) ?? [];
    seen += stratum.length;
    const due = Math.floor((seen * size) / mutants.length + start) - taken;
    taken += due;
    return stratum.slice(0, due).map(({ mutant }) => mutant);
  });
}

/** The 95 % confidence interval of the true share when this many of a sample were noticed (Wilson). */
export function confidence(noticed: number, size: number): [number, number] {
  const z = 1.96;
  const share = noticed / size;
  const middle = (share + z ** 2 / (2 * size)) / (1 + z ** 2 / size);
  const half = (z / (1 + z ** 2 / size)) * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2));
  return [middle - half, middle + half];
}
