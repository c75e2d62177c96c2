import pg from 'pg';

export interface Traffic {
  /** Resolves once that many more calls have been answered. */
  more(calls: number): Promise<void>;
  /** Stops it; resolves to the number of calls and their errors. */
  stop(): Promise<{ calls: number; errors: string[] }>;
}

/** Typical load, through the browser's procedures: lists are read, points are paid. */
const CALLS = [
  'select * from public.list_published_quests()',
  'select * from public.get_site_stats()',
  'select * from public.get_leaderboard(10)',
  `select public.credit_points_safe((select user_id from public.wallets where user_id is not null order by random() limit 1), 1, 'Traffic')`,
];

/** Calls procedures over several connections, one after another, until stopped. */
export function startTraffic(databaseUrl: string, connections = 4): Traffic {
  const errors: string[] = [];
  let calls = 0;
  let isStopped = false;
  const working = Array.from({ length: connections }, async () => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      for (let round = 0; !isStopped; round += 1) {
        await client.query(CALLS[round % CALLS.length] ?? '').catch((error: Error) => errors.push(error.message));
        calls += 1;
      }
    } finally {
      await client.end();
    }
  });
  return {
    more: async (count) => {
      const enough = calls + count;
      while (calls < enough) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(working);
      return { calls, errors };
    },
  };
}
