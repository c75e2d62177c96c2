import type pg from 'pg';

/** Labelled searches over made-up quests: what somebody types, with one typo, and the quest that they look for. */
export interface LabelledSearch {
  typed: string;
  /** Number of the quest in the corpus. */
  quest: number;
}

interface CorpusQuest {
  title: string;
  project: string;
  task: string;
  summary: string;
  details: string;
}

const SYLLABLES =
  'ba be bor ca cen da del di fa fer ga gri ha hel ja kan ko la lem li ma mer mo na nor pa pel pi qua ra ren ri sa sel so ta ter ti va ver wa wi zan zo'.split(
    ' ',
  );

/** Deterministic numbers from 0 to 1 (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` deterministic quests from a vocabulary in which few words are common and most are rare, as in a real one. */
export function questCorpus(count: number): CorpusQuest[] {
  const next = numbers(1);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item;
  const vocabulary = new Set<string>();
  while (vocabulary.size < 1000 + Math.min(count, 30_000)) {
    vocabulary.add(Array.from({ length: 2 + Math.floor(next() * 3) }, () => pick(SYLLABLES)).join(''));
  }
  const words = [...vocabulary];
  const text = (length: number) =>
    Array.from({ length }, () => words[Math.floor(words.length * next() ** 3)] as string).join(' ');
  const projects = Array.from({ length: Math.ceil(count / 20) }, () => text(2));
  return Array.from({ length: count }, () => ({
    title: text(5),
    project: pick(projects),
    task: text(4),
    summary: text(15),
    details: text(40),
  }));
}

/** The `word` with a letter missing, added, wrong or swapped with its neighbour. */
function misspell(word: string, kind: number, next: () => number): string {
  const at = 1 + Math.floor(next() * (word.length - 2));
  const letter = String.fromCharCode(97 + Math.floor(next() * 26));
  const [before, after] = [word.slice(0, at), word.slice(at)];
  if (kind === 0) return before + after.slice(1);
  if (kind === 1) return before + letter + after;
  if (kind === 2) return before + letter + after.slice(1);
  return before + after[1] + after[0] + after.slice(2);
}

/** 100 searches for quests of the corpus: a word of the title and another of title, project, task or summary, one of them misspelt. */
export function labelledSearches(quests: readonly CorpusQuest[]): LabelledSearch[] {
  const next = numbers(2);
  return Array.from({ length: 100 }, (_, n) => {
    const quest = Math.floor(next() * quests.length);
    const { title, project, task, summary } = quests[quest] as CorpusQuest;
    const source = [title, project, task, summary][n % 4] as string;
    const [first, second] = [title, source].map((text) => {
      const words = text.split(' ').filter((word) => word.length > 3);
      return words[Math.floor(next() * words.length)] as string;
    }) as [string, string];
    const kind = Math.floor(n / 4) % 4;
    return {
      quest,
      typed: n % 8 < 4 ? `${misspell(first, kind, next)} ${second}` : `${first} ${misspell(second, kind, next)}`,
    };
  });
}

/** Fills an empty database with the corpus; the id of quest n is `md5('quest' || n)`. Indexed in bulk: row by row takes minutes. */
export async function loadQuestCorpus(client: pg.Client, quests: readonly CorpusQuest[]): Promise<void> {
  await client.query('set synchronous_commit = off');
  await client.query('alter table public.campaigns disable trigger campaigns_search');
  await client.query('alter table public.tasks disable trigger tasks_search');
  const projects = [...new Set(quests.map(({ project }) => project))];
  await client.query(
    `insert into public.startup_profiles (id, owner_user_id, name, industry, status)
     select md5('project' || p.name)::uuid, 'owner of ' || p.name, p.name, 'SaaS', 'verified' from unnest($1::text[]) p (name)`,
    [projects],
  );
  for (let from = 0; from < quests.length; from += 10_000) {
    await client.query(
      `with given as (
         select g.quest, $2 + g.n - 1 as n from jsonb_array_elements($1::jsonb) with ordinality g (quest, n)
       ), made as (
         insert into public.campaigns (id, startup_id, title, summary, details_md, status, published_at, created_at, task_count, total_slots)
         select md5('quest' || n)::uuid, md5('project' || (quest ->> 'project'))::uuid, quest ->> 'title', quest ->> 'summary',
           quest ->> 'details', 'published', now() - n * interval '1 minute', now() - n * interval '1 minute', 1, 10
         from given
       )
       insert into public.tasks (campaign_id, title, type, reward_points, max_completions)
       select md5('quest' || n)::uuid, quest ->> 'task', 'custom', 10, 10 from given`,
      [JSON.stringify(quests.slice(from, from + 10_000)), from],
    );
  }
  await client.query('select private.index_quests(array(select id from public.campaigns))');
  await client.query('alter table public.campaigns enable trigger campaigns_search');
  await client.query('alter table public.tasks enable trigger tasks_search');
  await client.query('vacuum analyze');
}
