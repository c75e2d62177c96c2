import { describe, expect, test } from 'vitest';
import { asAnon, sql } from '../../local/testing/clients.ts';
import { newAdmin, newMember, newOwner, newQuest, refusal, unwrap } from './support/factories.ts';
import { allowed, forbidden, type TaskText } from './support/incentive-texts.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

/** Ids of the forbidding rules that a text matches. */
async function forbidding({ title, instructions }: TaskText): Promise<string[]> {
  const { rows } = await sql().query<{ id: string }>(
    `select r.id from private.incentive_rules r
     where r.is_forbidden and r.id = any (private.match_incentive_rules($1, $2)) order by r.id`,
    [title, instructions],
  );
  return rows.map(({ id }) => id);
}

const rulesOf = async (taskId: string) =>
  (await unwrap(asAnon().from('tasks').select('incentive_rules').eq('id', taskId).single())).incentive_rules;

describe('forty example tasks', () => {
  test('BEY-15 at least eighteen of twenty forbidden ones are caught, each by the rule that it breaks', async () => {
    const missed: string[] = [];
    for (const text of forbidden) {
      const found = await forbidding(text);
      if (!text.breaks.every((id) => found.includes(id))) missed.push(`${text.title}: ${found.join(', ')}`);
    }
    expect(forbidden).toHaveLength(20);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(2);
  });

  test('BEY-15 every forbidding rule catches at least one text that breaks it', async () => {
    const { rows } = await sql().query<{ id: string }>(
      'select r.id from private.incentive_rules r where r.is_forbidden order by r.id',
    );
    const caught = new Set<string>();
    for (const text of forbidden) {
      const found = await forbidding(text);
      for (const id of text.breaks) if (found.includes(id)) caught.add(id);
    }
    expect([...caught].sort()).toEqual(rows.map(({ id }) => id));
  });

  test('BEY-15 at most one of twenty allowed ones is taken for forbidden', async () => {
    const alarms: string[] = [];
    for (const text of allowed) {
      const found = await forbidding(text);
      if (found.length > 0) alarms.push(`${text.title}: ${found.join(', ')}`);
    }
    expect(allowed).toHaveLength(20);
    expect(alarms.length, alarms.join('\n')).toBeLessThanOrEqual(1);
  });
});

describe('check_incentives', () => {
  test('BEY-15 names the rule with source and date, and what may be asked for instead', async () => {
    const { client } = await newOwner();
    const found = await unwrap(
      client.rpc('check_incentives', { p_title: 'Review us', p_instructions: 'Write a review on Trustpilot.' }),
    );
    expect(found.map(({ id, is_forbidden }) => [id, is_forbidden])).toEqual([
      ['trustpilot', true],
      ['endorsement', false],
    ]);
    expect(found[0]).toMatchObject({
      place: 'Trustpilot',
      rule: expect.stringContaining('no incentive'),
      source_url: expect.stringMatching(/^https:/),
      source_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      alternative_title: 'Tell us what you think',
      alternative: expect.stringMatching(/^Tell us here/),
    });
  });

  test('BEY-15 each alternative is itself allowed', async () => {
    const { rows } = await sql().query(
      'select id, alternative_title as title, alternative as instructions from private.incentive_rules',
    );
    for (const { id, ...words } of rows) {
      expect([id, await forbidding(words)]).toEqual([id, []]);
    }
  });

  test('BEY-15 handles capitals, long texts and unrelated texts', async () => {
    expect(await forbidding({ title: 'REVIEW US', instructions: 'WRITE A REVIEW ON TRUSTPILOT' })).toEqual([
      'trustpilot',
    ]);
    const { client } = await newMember();
    const long = 'post '.repeat(2000);
    await unwrap(client.rpc('check_incentives', { p_title: long, p_instructions: long }));
    expect(await unwrap(client.rpc('check_incentives', { p_title: '', p_instructions: '' }))).toEqual([]);
  });

  test('BEY-15 reads as much as a task may have: 200 characters of its title and 5,000 of its instructions', async () => {
    const { client } = await newMember();
    const found = async (p_title: string, p_instructions: string) =>
      (await unwrap(client.rpc('check_incentives', { p_title, p_instructions }))).map(({ id }) => id);
    const ending = (words: string, length: number) => `. ${words}`.padStart(length, 'x');
    const [review, both] = ['Write a review on Trustpilot', ['trustpilot', 'endorsement']];
    expect(await found(ending(review, 200), '')).toEqual(both);
    expect(await found(ending(review, 201), '')).toEqual(['endorsement']);
    expect(await found('', ending(review, 5000))).toEqual(both);
    expect(await found('', ending(review, 5001))).toEqual(['endorsement']);
    // Of several prohibitions, in the order of their names.
    expect(await found(review, 'Write one on Google Maps, too.')).toEqual(['google', ...both]);
  });

  test('is for signed-in members', async () => {
    const words = { p_title: 'Say hello', p_instructions: 'In the chat' };
    expect(await refusal(asAnon().rpc('check_incentives', words))).toMatchObject({ status: 401 });
  });
});

describe('a task', () => {
  test('BEY-15 is saved whatever it asks for, and stores the rules that its text matches', async () => {
    const owner = await newOwner();
    const { taskId } = await newQuest(owner, { task: { title: 'Follow us on X', instructions_md: 'Press Follow.' } });
    expect(await rulesOf(taskId)).toEqual(['x']);
    await sql().query(`update public.tasks set title = 'Say hello', instructions_md = 'In the chat' where id = $1`, [
      taskId,
    ]);
    expect(await rulesOf(taskId)).toEqual([]);
  });

  test('BEY-15 admins list the quests that reward something forbidden', async () => {
    const { client } = await newAdmin();
    const risksOf = async (title: string) => {
      const owner = await newOwner();
      const { campaign } = await newQuest(owner, { task: { title, instructions_md: 'Before Friday.' } });
      const mine = { p_startup_id: owner.startup.id };
      const [quest] = await unwrap(client.rpc('admin_list_campaigns', mine));
      const risky = await unwrap(client.rpc('admin_list_campaigns', { ...mine, p_status: 'risky' }));
      return { listed: risky.map(({ id }) => id === campaign.id), rules: quest?.incentive_rules };
    };
    expect(await risksOf('Upvote us on Product Hunt')).toEqual({ listed: [true], rules: ['Product Hunt'] });
    expect(await risksOf('Write a blog post')).toEqual({ listed: [], rules: [] });
    expect(await risksOf('Sign up')).toEqual({ listed: [], rules: [] });
  });
});
