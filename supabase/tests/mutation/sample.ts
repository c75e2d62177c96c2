import type { Mutant } from './catalogue.ts';
import { hashOf } from './test-files.ts';

/**
 * A share of the mutants that stands for all: from each schema file, and there from each kind, in proportion to how many it has. Which
 * ones is drawn by the seed; a larger sample of the same seed contains about all of a smaller one.
 */
export function drawSample(mutants: Mutant[], size: number, seed: number): Mutant[] {
  if (size >= mutants.length) return mutants;
  const stratumOf = ({ domain, target }: Mutant) => `${domain} ${target.split(' ')[0]}`;
  const drawn = [...mutants]
    .map((mutant) => ({ mutant, order: hashOf(String(seed), mutant.key) }))
    .sort((a, b) => a.order.localeCompare(b.order));
  const strata = Map.groupBy(drawn, ({ mutant }) => stratumOf(mutant));
  // The fractions that strata are due add up; where they pass a whole number, that stratum gives one more.
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

/** Between which shares the true one lies with 95 % confidence, when so many of a sample were noticed (Wilson's interval). */
export function confidence(noticed: number, size: number): [number, number] {
  const z = 1.96;
  const share = noticed / size;
  const middle = (share + z ** 2 / (2 * size)) / (1 + z ** 2 / size);
  const half = (z / (1 + z ** 2 / size)) * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2));
  return [middle - half, middle + half];
}
