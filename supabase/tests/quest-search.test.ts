import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import { supabaseCli } from './support/cli.ts';
import { createEmptyDatabase } from './support/empty-database.ts';
import { newAdmin, newOwner, newQuest, type QuestOptions, refusal, unwrap } from './support/factories.ts';
import { untilWaiting } from './support/locks.ts';
import { runPeriodicJobs } from './support/periodic-jobs.ts';
import { labelledSearches, loadQuestCorpus, questCorpus } from './support/quest-corpus.ts';
import { changesNothing, HOSTILE_TEXTS, NUL, rawCall } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const QUESTS = process.env.QUESTBOARD_FULL ? 100_000 : 2000;

/** A word in letters only that no other test uses, so that typos in it are tolerated. */
const newWord = () =>
  Array.from(randomUUID().replace(/-/g, ''), (digit) => 'bcdfghjklmnpqrst'[Number.parseInt(digit, 16)])
    .join('')
    .slice(0, 10);

type Search = { p_sort?: string; p_limit?: number; p_cursor?: string } & Record<string, string | number | boolean>;
const list = (p_search: string, args: Search = {}) =>
  unwrap(asAnon().rpc('list_published_quests', { p_search, p_sort: 'match', ...args }));
const find = async (search: string, args: Search = {}) => (await list(search, args)).map(({ id }) => id);

const publish = async (options: QuestOptions = {}) => {
  const owner = await newOwner();
  const quest = await newQuest(owner, options);
  return { ...quest, owner, id: quest.campaign.id };
};

type Published = Awaited<ReturnType<typeof publish>>;

describe('BEY-18 C-119 ranking and typos', () => {
  test('at least 90 of 100 labelled searches with one typo each find their quest among the first ten', async () => {
    const database = await createEmptyDatabase();
    const client = new pg.Client({ connectionString: database.url });
    try {
      await supabaseCli('db', 'push', `--remote=${database.url}?sslmode=disable`, '--yes');
      await client.connect();
      const quests = questCorpus(QUESTS);
      await loadQuestCorpus(client, quests);
      const missed: string[] = [];
      for (const { typed, quest } of labelledSearches(quests)) {
        const { rows } = await client.query<{ is_wanted: boolean }>(
          `select id = md5('quest' || $2::integer)::uuid as is_wanted
           from public.list_published_quests(p_search => $1, p_sort => 'match', p_limit => 10)`,
          [typed, quest],
        );
        if (!rows.some(({ is_wanted }) => is_wanted)) missed.push(typed);
      }
      expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(10);
    } finally {
      await client.end();
      await database.drop();
    }
  }, 900_000);

  test("the title counts most, then the project's name, the tasks and the texts", async () => {
    const word = newWord();
    const inDetails = await publish({ campaign: { details_md: `Something about ${word}` } });
    const inTask = await publish({ task: { title: `Draw a ${word}` } });
    const inTitle = await publish({ campaign: { title: `The ${word}` } });
    const named = await publish();
    await unwrap(
      named.owner.client.rpc('update_startup_profile', {
        p_startup_id: named.owner.startup.id,
        p_name: `House ${word}`,
      }),
    );
    const inSummary = await publish({ campaign: { summary: `More of the ${word}` } });
    const ranked = await find(word);
    expect(ranked.slice(0, 3)).toEqual([inTitle.id, named.id, inTask.id]);
    expect(ranked.slice(3).toSorted()).toEqual([inDetails.id, inSummary.id].toSorted());
    // All other sort orders still apply.
    expect(await find(word, { p_sort: 'new' })).toEqual(
      [inSummary, named, inTitle, inTask, inDetails].map(({ id }) => id),
    );
  });

  test('all words must match, in any order, also as prefixes and infixes', async () => {
    const [one, two, other] = [newWord(), newWord(), newWord()];
    const both = await publish({ campaign: { title: `${one} and ${two}` } });
    await publish({ campaign: { title: `${one} and ${other}` } });
    for (const typed of [`${two} ${one}`, `${one.toUpperCase()}, ${two}!`, `${one.slice(0, 6)} ${two.slice(0, 4)}`]) {
      expect(await find(typed), typed).toEqual([both.id]);
    }
    expect(await find(two.slice(2))).toEqual([both.id]);
    expect(await find(`${two.slice(2, 5)}_${two.slice(6)}`)).toEqual([]);
  });

  test('a letter may be missing, added, wrong or swapped; two errors are not tolerated, nor one in a word with a digit', async () => {
    const word = newWord();
    const { id } = await publish({ campaign: { title: `Name the ${word}` } });
    const [a, b, c, d] = [word.slice(0, 4), word[4] ?? '', word[5] ?? '', word.slice(6)];
    for (const typed of [a + c + d, `${a}z${b}${c}${d}`, `${a}z${c}${d}`])
      expect(await find(typed), typed).toEqual([id]);
    if (b !== c) expect(await find(a + c + b + d)).toEqual([id]);
    expect(await find(`${word[0]}zz${word.slice(3)}`)).toEqual([]);
    const numbered = await publish({ campaign: { title: `Edition ${word}71` } });
    expect(await find(`${word}71`)).toEqual([numbered.id]);
    expect(await find(`${word}72`)).toEqual([]);
  });

  test('typos are tolerated in words of other alphabets, too', async () => {
    const suffix = newWord().slice(0, 6);
    const { id } = await publish({ campaign: { title: `Größenwahn${suffix} и квартирник${suffix}` } });
    for (const typed of [`größewahn${suffix}`, `квартирнк${suffix}`]) expect(await find(typed), typed).toEqual([id]);
  });

  test.each([
    ['start with it, shortest first', 'letters', (word: string) => (ending: string) => word + ending],
    ['contain it, shortest first', 'letters', (word: string) => (ending: string) => `q${word}${ending}`],
    ['differ from it by a letter', 'words', (word: string) => (ending: string) => word.slice(0, -1) + ending],
  ])('a word means at most twenty words that %s', async (_, order, others) => {
    const word = newWord();
    const other = others(word);
    const letters = [...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => letter !== word.at(-1)).slice(0, 21);
    const [twentieth, last] = order === 'letters' ? ['zz', 'zzz'] : letters.slice(19);
    await publish({ campaign: { title: 'Others', details_md: letters.slice(0, 19).map(other).join(' ') } });
    const found = await publish({ campaign: { title: `Only ${other(twentieth ?? '')}` } });
    const tooMany = await publish({ campaign: { title: `Only ${other(last ?? '')}` } });
    const ids = await find(word);
    expect([ids.includes(found.id), ids.includes(tooMany.id)]).toEqual([true, false]);
  });

  test('exact matches come before similar ones', async () => {
    const word = newWord();
    const exact = await publish({ campaign: { title: `Only ${word}` } });
    await publish({ campaign: { title: `Only ${word}ing` } });
    expect((await find(word))[0]).toBe(exact.id);
  });

  test.each(['title', 'task'])(
    'a word that is the prefix of many others counts as much as any other, in the %s of the better quest',
    async (place) => {
      const [short, rare] = [newWord(), newWord()];
      const [inTitle, inTask] = place === 'title' ? [short, rare] : [rare, short];
      const best = await publish({ campaign: { title: `Only ${inTitle}` }, task: { title: `Draw a ${inTask}` } });
      const longer = Array.from('abcdefghijklmnopqrs', (letter) => short + letter).join(' ');
      await publish({ campaign: { title: 'Others', details_md: longer } });
      const other = await publish({ campaign: { title: `Only ${inTask}`, details_md: `Something about ${inTitle}` } });
      for (const typed of [`${short} ${rare}`, `${rare} ${short}`]) {
        expect(await find(typed), typed).toEqual([best.id, other.id]);
      }
    },
  );

  test('pages of the best matches follow each other without a gap', async () => {
    const word = newWord();
    for (const title of [`${word} x`, `${word} ${word}`, 'Plain', 'Other']) {
      await publish({ campaign: { title, details_md: `About ${word}` } });
    }
    const whole = await find(word);
    expect(whole).toHaveLength(4);
    const paged: string[] = [];
    for (let cursor: string | undefined; paged.length < 4; ) {
      const [row] = await list(word, { p_limit: 1, ...(cursor && { p_cursor: cursor }) });
      expect(row).toBeDefined();
      paged.push(row?.id ?? '');
      cursor = row?.cursor;
    }
    expect(paged).toEqual(whole);
  });
});

describe('BEY-18 RULE-14 what a search never finds', () => {
  test('drafts, paused, ended, held and suspended quests, and text that was removed', async () => {
    const [word, admin] = [newWord(), await newAdmin()];
    const quest = () => publish({ campaign: { title: `${word} quest` } });
    const [drafted, ended, held, suspended] = [await quest(), await quest(), await quest(), await quest()];
    const [renamed, kept] = [await quest(), await quest()];
    expect(await find(word)).toHaveLength(6);
    const { owner } = drafted;
    await unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: drafted.id }));
    await sql().query("update public.campaigns set ends_at = now() - interval '1 second' where id = $1", [ended.id]);
    await unwrap(admin.client.rpc('unpublish_campaign', { p_campaign_id: held.id, p_reason: 'Not allowed' }));
    await unwrap(admin.client.rpc('suspend_user', { p_user_id: suspended.owner.id, p_reason: 'Spam' }));
    const tasks = renamed.tasks as unknown as Json[];
    await unwrap(
      renamed.owner.client.rpc('update_campaign', {
        p_campaign_id: renamed.id,
        p_campaign: { title: 'Another name', summary: 'Try it', budget_points: 500 },
        p_tasks: tasks,
      }),
    );
    expect(await find(word)).toEqual([kept.id]);
    expect(await find(`${word.slice(0, 5)}z${word.slice(5)}`)).toEqual([kept.id]);
    await unwrap(owner.client.rpc('publish_campaign', { p_campaign_id: drafted.id }));
    expect((await find(word)).toSorted()).toEqual([drafted.id, kept.id].toSorted());
  });

  test('SEC-07 operators, wildcards, quotes and very long texts are words or nothing, never commands', async () => {
    const word = newWord();
    const { id } = await publish({ campaign: { title: `Plain ${word}` } });
    await changesNothing(async () => {
      for (const typed of ['%', '_', '%_\\', "'", '" \' \\', ':*', '!', '& | !', '()', '<->', '\u{1f600}']) {
        expect(await find(typed), typed).toEqual([]);
      }
      for (const typed of [`${word}:*`, `!${word}`, `(${word}`, `${word} & `, `'${word}'`, `${word}:A`, `${word}\\`]) {
        const found = await find(typed);
        expect(
          found.filter((other) => other !== id),
          typed,
        ).toEqual([]);
      }
      for (const text of HOSTILE_TEXTS) {
        const answer = await rawCall('visitor', 'list_published_quests', { p_search: text });
        expect([200, 400], text).toContain(answer.status);
      }
      const long = { p_search: 'x'.repeat(10_000) };
      expect(await rawCall('visitor', 'list_published_quests', long)).toMatchObject({
        status: 400,
        hint: 'SEARCH_TOO_LONG',
      });
      expect((await rawCall('visitor', 'list_published_quests', { p_search: NUL })).status).toBe(400);
    });
  });
});

describe('BEY-18 the word list', () => {
  const isListed = async (word: string) =>
    (await sql().query('select 1 from private.search_words where word = $1', [word])).rowCount === 1;
  const rename = (quest: Published, title: string) =>
    unwrap(
      quest.owner.client.rpc('update_campaign', {
        p_campaign_id: quest.id,
        p_campaign: { title, summary: 'Try it', budget_points: 500 },
        p_tasks: quest.tasks as unknown as Json[],
      }),
    );
  const countLeft = async () => (await sql().query('select from private.left_words')).rowCount ?? 0;
  /** By the worker that sends mails, on each tick. */
  const cleanUp = async () => {
    while ((await countLeft()) > 0) await runPeriodicJobs();
  };
  const toDraft = ({ owner, id }: Published) => unwrap(owner.client.rpc('unpublish_campaign', { p_campaign_id: id }));

  test('loses a word with the last quest that contains it, by an edit, unpublishing or a deletion', async () => {
    const [changed, drafted, deleted] = [newWord(), newWord(), newWord()];
    const one = await publish({ campaign: { title: `${changed} quest` } });
    const two = await publish({ campaign: { title: `${drafted} quest` } });
    const three = await publish({ campaign: { title: `${deleted} quest` } });
    const also = await publish({ campaign: { title: `Another ${drafted}` } });
    await rename(one, 'Another name');
    await toDraft(two);
    await unwrap(three.owner.client.rpc('delete_campaign', { p_campaign_id: three.id }));
    expect(await Promise.all([changed, drafted, deleted].map(isListed))).toEqual([true, true, true]);
    await cleanUp();
    expect(await Promise.all([changed, drafted, deleted].map(isListed))).toEqual([false, true, false]);
    expect(await find(`${drafted.slice(0, 5)}z${drafted.slice(5)}`)).toEqual([also.id]);
    await toDraft(also);
    await cleanUp();
    expect(await isListed(drafted)).toBe(false);
    await unwrap(also.owner.client.rpc('publish_campaign', { p_campaign_id: also.id }));
    expect(await isListed(drafted)).toBe(true);
  });

  test('follows a save of many tasks at once: publications do not wait for each other task by task', async () => {
    const quest = await publish({ campaign: { title: newWord() }, task: { reward_points: 1, max_completions: 1 } });
    const titles = (count: number) => Array.from({ length: count }, newWord);
    const save = async (words: string[]) => {
      const { rows } = await sql().query<{ id: string }>(
        'select id from public.tasks where campaign_id = $1 order by order_index',
        [quest.id],
      );
      await unwrap(
        quest.owner.client.rpc('update_campaign', {
          p_campaign_id: quest.id,
          p_campaign: { title: 'Many tasks', summary: 'Try it', budget_points: 500 },
          p_tasks: words.map((title, n) => ({
            ...rows[n],
            title,
            instructions_md: 'I',
            reward_points: 1,
            max_completions: 1,
          })),
        }),
      );
    };
    const [former, last] = [titles(5), titles(4)];
    await save(former);
    expect(await Promise.all(former.map((word) => find(word)))).toEqual(Array(5).fill([quest.id]));
    await cleanUp();
    await save(last);
    expect(await countLeft()).toBe(1);
    expect(await Promise.all(last.map((word) => find(word)))).toEqual(Array(4).fill([quest.id]));
    expect(await Promise.all(former.map((word) => find(word)))).toEqual(Array(5).fill([]));
  });

  test('is cleaned in batches of twenty, because a worker with mails to send waits for it', async () => {
    await cleanUp();
    await sql().query("insert into private.left_words (words) select '{probe}' from generate_series(1, 21)");
    await sql().query('select private.remove_left_words()');
    expect(await countLeft()).toBe(1);
  });

  test('keeps the word of a quest that is being published concurrently, in either order', async () => {
    const word = newWord();
    const quest = await publish({ campaign: { title: `${word} quest` } });
    await toDraft(quest);
    const publication = await sql().connect();
    const cleaner = await sql().connect();
    const indexAgain = 'update public.campaigns set status = $2 where id = $1';
    try {
      await publication.query('begin');
      await publication.query(indexAgain, [quest.id, 'published']);
      await cleaner.query('select private.remove_left_words()');
      await publication.query('commit');
      await cleanUp();
      expect(await isListed(word)).toBe(true);
      await publication.query(indexAgain, [quest.id, 'draft']);
      await cleaner.query('begin');
      await cleaner.query('select private.remove_left_words()');
      const publishing = publication.query(indexAgain, [quest.id, 'published']);
      await untilWaiting();
      await cleaner.query('commit');
      await publishing;
      expect(await isListed(word)).toBe(true);
    } finally {
      await cleaner.query('rollback');
      await publication.query('rollback');
      publication.release();
      cleaner.release();
    }
  });
});

describe('BEY-18 facets', () => {
  test('reward, verification, industry and one-press filter the list, alone and together', async () => {
    const word = newWord();
    const quest = (task: Record<string, Json>) => publish({ campaign: { title: word }, task });
    const cheap = await quest({ reward_points: 5, proof_type: 'link' });
    const dear = await quest({ reward_points: 40, proof_type: 'screenshot' });
    const press = await quest({ reward_points: 10, requires_proof: false });
    await sql().query("update public.startup_profiles set industry = 'Gaming' where id = $1", [dear.owner.startup.id]);
    const cases: [Search, string[]][] = [
      [{}, [press.id, dear.id, cheap.id]],
      [{ p_min_reward: 10 }, [press.id, dear.id]],
      [{ p_max_reward: 10 }, [press.id, cheap.id]],
      [{ p_min_reward: 6, p_max_reward: 39 }, [press.id]],
      [{ p_proof: 'link' }, [cheap.id]],
      [{ p_proof: 'screenshot', p_industry: 'Gaming' }, [dear.id]],
      [{ p_proof: 'text' }, []],
      [{ p_industry: 'SaaS' }, [press.id, cheap.id]],
      [{ p_only_one_press: true }, [press.id]],
      [{ p_only_one_press: true, p_min_reward: 11 }, []],
    ];
    for (const [args, expected] of cases) {
      expect(await find(word, { ...args, p_sort: 'new' }), JSON.stringify(args)).toEqual(expected);
      expect((await find(word, args)).toSorted(), JSON.stringify(args)).toEqual(expected.toSorted());
    }
    for (const args of [{ p_proof: 'video' }, { p_industry: 'Nowhere' }]) {
      expect(await refusal(asAnon().rpc('list_published_quests', args))).toMatchObject({
        status: 400,
        code: 'INVALID_FILTER',
      });
    }
  });

  test('completion time filters the list; an unmeasured quest is in no range', async () => {
    const word = newWord();
    const quest = async (minutes: number | null) => {
      const { id } = await publish({ campaign: { title: word } });
      await sql().query('update public.campaigns set median_minutes = $2 where id = $1', [id, minutes]);
      return id;
    };
    const [quick, medium, long, unknown] = [await quest(5), await quest(15), await quest(16), await quest(null)];
    const cases: [Search, string[]][] = [
      [{}, [unknown, long, medium, quick]],
      [{ p_max_minutes: 5 }, [quick]],
      [{ p_max_minutes: 15 }, [medium, quick]],
      [{ p_min_minutes: 16 }, [long]],
      [{ p_min_minutes: 6, p_max_minutes: 15, p_max_reward: 10 }, [medium]],
      [{ p_min_minutes: 17 }, []],
    ];
    for (const [args, expected] of cases) {
      expect(await find(word, { ...args, p_sort: 'new' }), JSON.stringify(args)).toEqual(expected);
      expect((await find(word, args)).toSorted(), JSON.stringify(args)).toEqual(expected.toSorted());
    }
    expect((await list(word, { p_sort: 'new' })).map(({ median_minutes }) => median_minutes)).toEqual([
      null,
      16,
      15,
      5,
    ]);
  });

  test('a quest that needs a valid code, call or check is not a one-press quest', async () => {
    const word = newWord();
    const quest = await publish({ campaign: { title: word }, task: { requires_proof: false } });
    expect(await find(word, { p_only_one_press: true })).toEqual([quest.id]);
    await sql().query("update public.tasks set verification = 'code' where id = $1", [quest.taskId]);
    expect(await find(word, { p_only_one_press: true })).toEqual([]);
  });
});
