import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writeResults } from './results.ts';
import { type Costs, NODES, replay, SCENARIOS } from './scaling-model.ts';

/**
 * `npm run bench:scaling [-- --operations 400000]`: replays skewed traffic over 1, 4 and 16 nodes of the cluster that docs/scaling.md
 * describes. A simulation without a database: the cost of an operation is measured (bench/results/operations-full.json), what several nodes
 * add is assumed (scaling-model.ts).
 */
const { values } = parseArgs({ options: { operations: { type: 'string', default: '400000' } } });

interface Measured {
  machine: { cores: number };
  results: { operation: string; synchronousCommit: string; tps: number[] }[];
}

const measured: Measured = JSON.parse(readFileSync(new URL('./results/operations-full.json', import.meta.url), 'utf8'));

/** Milliseconds of processor time, from the best round without disk waits if there is one. */
function milliseconds(operation: string, synchronousCommit: 'on' | 'off'): number {
  const run = measured.results.find(
    (result) => result.operation.startsWith(operation) && result.synchronousCommit === synchronousCommit,
  );
  if (!run) throw new Error(`bench/results/operations-full.json has no "${operation}"; run npm run bench first.`);
  return (1000 * measured.machine.cores) / Math.max(...run.tps);
}

const costs: Costs = {
  approval: milliseconds('approval', 'off'),
  redemption: milliseconds('redeem', 'off'),
  ownRead: milliseconds('own submissions', 'on'),
  listing: milliseconds('50 quests', 'on'),
};
console.log(
  `Measured, ms of a processor: ${Object.entries(costs)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
    .join(', ')}`,
);

const rows = SCENARIOS.flatMap((scenario) =>
  NODES.map((nodes) => ({
    scenario: scenario.name,
    nodes,
    ...replay({ ...scenario, nodes, cores: measured.machine.cores, operations: Number(values.operations), costs }),
  })),
);
for (const row of rows) {
  console.log(
    [
      row.scenario.padEnd(56),
      `${row.nodes} nodes`.padStart(9),
      `${Math.round(row.perSecond)} a second`.padStart(16),
      `approvals ${Math.round(row.approvalsPerSecond)}`.padStart(16),
      `hottest node ${row.hottestNode.toFixed(2)} × mean`.padStart(26),
      `cross-node ${(row.crossNodeShare * 100).toFixed(0)} %`.padStart(17),
      row.limit,
    ].join('  '),
  );
}
writeResults('scaling', { operations: Number(values.operations), costs, rows });
