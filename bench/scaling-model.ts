/** Model of the cluster in docs/scaling.md: the work of each node per operation, and lock waits. */

export const NODES = [1, 4, 16] as const;
const SHARDS = 64;
const MEMBERS = 1_000_000;
const PROJECTS = 10_000;
const QUESTS_PER_PROJECT = 3;
const SEED = 20_261_122;

/** Shares of all calls. A member reads far more often than anything is paid. */
const MIX = { approval: 0.15, redemption: 0.05, ownRead: 0.4, listing: 0.4 };

/** Milliseconds of processor time on one machine, measured. */
export interface Costs {
  approval: number;
  redemption: number;
  ownRead: number;
  listing: number;
}

/**
 * Of an approval's 1.4 ms, what is written besides the reserve and the slots: quest and task 205 µs, half of two entries 70, one balance
 * 55. Enqueueing the event takes 35. Measured, docs/benchmarks.md.
 */
const PROJECT_SHARE = 0.33 / 1.4;
const QUEUE_MS = 0.035;

/** Assumptions, not measured. */
const ASSUMED = {
  /** Work on each side of a statement that is sent to another node. */
  remoteStatementMs: 0.05,
  /** Statements of an approval for the project's node, and for the queue. */
  projectStatements: 4,
  queueStatements: 1,
  /** The row of a reward's stock, on the coordinator; as expensive as a task's. */
  stockMs: 0.055,
  /** Work of each participant of a two-phase commit, for prepare and commit. */
  participantMs: 0.15,
  /** Round trip between two nodes. */
  roundTripMs: 0.5,
  /** Duration of a commit's fsync. */
  flushMs: 1,
  /** The part of an approval from locking the slots to the end. */
  lockedShare: 0.7,
};

export interface Scenario {
  name: string;
  /** Share of all approvals that goes to one quest, on top of the skew. */
  viralShare: number;
  /** Wallets and slot rows into which the viral quest's reserve is split. */
  subAccounts: number;
  /** Whether the queues are on the coordinator, as docs/scaling.md leaves them. */
  hasCentralQueue: boolean;
}

export const SCENARIOS: Scenario[] = [
  { name: 'Zipf over projects', viralShare: 0, subAccounts: 1, hasCentralQueue: true },
  { name: 'and one quest with a tenth of all approvals', viralShare: 0.1, subAccounts: 1, hasCentralQueue: true },
  { name: 'its reserve in 16 sub-accounts', viralShare: 0.1, subAccounts: 16, hasCentralQueue: true },
  { name: 'and the queues outside the cluster', viralShare: 0.1, subAccounts: 16, hasCentralQueue: false },
];

export interface Replay extends Scenario {
  nodes: number;
  cores: number;
  operations: number;
  costs: Costs;
}

export interface Outcome {
  /** Calls per second when the first resource is exhausted. */
  perSecond: number;
  approvalsPerSecond: number;
  /** Work of the busiest node, as a multiple of the mean. */
  hottestNode: number;
  /** Share of approvals and redemptions that write on more than one node. */
  crossNodeShare: number;
  /** The first resource to be exhausted. */
  limit: string;
}

/** Deterministic random numbers for a seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws 0 … n − 1, the k-th with a weight of 1 / (k + 1). */
function zipf(n: number, random: () => number): () => number {
  const sums = new Float64Array(n);
  let total = 0;
  for (let rank = 0; rank < n; rank += 1) {
    total += 1 / (rank + 1);
    sums[rank] = total;
  }
  return () => {
    const wanted = random() * total;
    let [low, high] = [0, n - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** The node of a person's rows: FNV-1a selects the shard, and shards are assigned to nodes in turn. */
function nodeOf(person: string, nodes: number): number {
  let hash = 0x811c9dc5;
  for (const character of person) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  // Neighbouring numbers differ only in their last digits; this mixes them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (((hash ^ (hash >>> 13)) >>> 0) % SHARDS) % nodes;
}

/**
 * Replays calls one by one and sums up each node's work and how long each quest's slots are locked. The busiest of them limits the
 * throughput; queueing before that point is not modelled.
 */
export function replay({ nodes, cores, operations, costs, viralShare, subAccounts, hasCentralQueue }: Replay): Outcome {
  const random = randomNumbers(SEED);
  const nextProject = zipf(PROJECTS, random);
  const work = new Float64Array(nodes);
  const locked = new Map<string, number>();
  const coordinator = 0;
  const add = (node: number, ms: number) => {
    work[node] = (work[node] ?? 0) + ms;
  };
  let [approvals, writes, crossing] = [0, 0, 0];

  /** Commits a transaction on its nodes; returns the milliseconds that its locks outlast its own work. */
  const commit = (participants: Set<number>): number => {
    if (participants.size === 1) return ASSUMED.flushMs;
    crossing += 1;
    for (const node of participants) add(node, ASSUMED.participantMs);
    return 2 * (ASSUMED.roundTripMs + ASSUMED.flushMs);
  };
  const send = (from: number, to: number, statements: number) => {
    if (from === to) return;
    add(from, statements * ASSUMED.remoteStatementMs);
    add(to, statements * ASSUMED.remoteStatementMs);
  };
  const enqueue = (from: number): number[] => {
    if (!hasCentralQueue) return [];
    add(coordinator, QUEUE_MS);
    send(from, coordinator, ASSUMED.queueStatements);
    return [coordinator];
  };

  for (let call = 0; call < operations; call += 1) {
    const kind = random();
    const member = nodeOf(`member_${Math.floor(random() * MEMBERS)}`, nodes);
    if (kind < MIX.approval) {
      const isViral = random() < viralShare;
      const project = isViral ? PROJECTS : nextProject();
      const quest = isViral ? 'viral' : `${project}.${Math.floor(random() * QUESTS_PER_PROJECT)}`;
      const owner = nodeOf(`owner_${project}`, nodes);
      add(member, costs.approval * (1 - PROJECT_SHARE) - QUEUE_MS);
      add(owner, costs.approval * PROJECT_SHARE);
      send(member, owner, ASSUMED.projectStatements);
      const row = isViral ? `${quest}.${Math.floor(random() * subAccounts)}` : quest;
      const waiting = commit(new Set([member, owner, ...enqueue(member)]));
      const trips = member === owner ? 0 : ASSUMED.projectStatements * ASSUMED.roundTripMs;
      locked.set(row, (locked.get(row) ?? 0) + costs.approval * ASSUMED.lockedShare + trips + waiting);
      approvals += 1;
      writes += 1;
    } else if (kind < MIX.approval + MIX.redemption) {
      add(member, costs.redemption - QUEUE_MS - ASSUMED.stockMs);
      add(coordinator, ASSUMED.stockMs);
      send(member, coordinator, 1);
      commit(new Set([member, coordinator, ...enqueue(member)]));
      writes += 1;
    } else if (kind < MIX.approval + MIX.redemption + MIX.ownRead) {
      add(member, costs.ownRead);
    } else {
      // Quests are on every node; the balancer distributes the calls.
      add(Math.floor(random() * nodes), costs.listing);
    }
  }

  const busiest = work.indexOf(Math.max(...work));
  const nodeSeconds = (work[busiest] ?? 0) / cores / 1000;
  const rowSeconds = Math.max(...locked.values()) / 1000;
  const seconds = Math.max(nodeSeconds, rowSeconds);
  const mean = work.reduce((sum, ms) => sum + ms, 0) / nodes;
  const nodeName = busiest === coordinator && nodes > 1 ? 'the coordinator' : 'a node';
  return {
    perSecond: operations / seconds,
    approvalsPerSecond: approvals / seconds,
    hottestNode: (work[busiest] ?? 0) / mean,
    crossNodeShare: crossing / writes,
    limit: rowSeconds > nodeSeconds ? 'the hottest quest’s slots' : nodeName,
  };
}
