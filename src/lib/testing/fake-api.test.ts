import { supabase } from '@/lib/supabase';
import { fakeApi, offline, refuse } from './fake-api';
import { questRow, submissionRow, taskRow } from './quest-rows';
import { walletRow } from './rows';
import { expectConsoleError } from './setup';

const titles = (answer: { data: { title: string }[] | null }) => answer.data?.map(({ title }) => title);

/** Three quests: One (100 points, published), Two (200, draft, never published) and Three (300, published). */
const quests = [
  questRow({ id: 'q1', title: 'One', budget_points: 100, published_at: '2026-01-01T00:00:00.000002+00:00' }),
  questRow({ id: 'q2', title: 'Two', budget_points: 200, published_at: null, status: 'draft' }),
  questRow({ id: 'q3', title: 'Three', budget_points: 300, published_at: '2026-01-01T01:00:00.000001+01:00' }),
];
const table = () => {
  const api = fakeApi({ 'GET campaigns': quests });
  return { api, select: () => supabase().from('campaigns').select('title') };
};

describe('rows of a table', () => {
  it.each([
    ['eq', 'budget_points', '200', ['Two']],
    ['neq', 'budget_points', '200', ['One', 'Three']],
    ['gt', 'budget_points', '200', ['Three']],
    ['gte', 'budget_points', '200', ['Two', 'Three']],
    ['lt', 'budget_points', '200', ['One']],
    ['lte', 'budget_points', '200', ['One', 'Two']],
    ['in', 'title', '("One","Three")', ['One', 'Three']],
    ['in', 'title', '()', []],
    ['is', 'published_at', 'null', ['Two']],
    ['is', 'collect_emails', 'true', []],
    ['not.is', 'published_at', 'null', ['One', 'Three']],
    ['not.in', 'title', '(One)', ['Two', 'Three']],
    ['like', 'title', 'T%', ['Two', 'Three']],
    ['like', 'title', 't%', []],
    ['ilike', 'title', 't_o', ['Two']],
    ['ilike', 'title', '*E*', ['One', 'Three']],
    ['like', 'title', 'T\\%', []],
    ['eq', 'collect_emails', 'false', ['One', 'Two', 'Three']],
    // Times are compared as times, whatever their zone, to the microsecond.
    ['gt', 'published_at', '2026-01-01T00:00:00.000001Z', ['One']],
    ['eq', 'published_at', '2026-01-01T00:00:00.000001Z', ['Three']],
    // Comparisons with null are never true.
    ['neq', 'published_at', '2026-01-01T00:00:00.000001Z', ['One']],
    ['not.eq', 'published_at', '2026-01-01T00:00:00.000001Z', ['One']],
  ])('are filtered by %s on %s: %s', async (operator, column, value, expected) => {
    const { select } = table();
    expect(titles(await select().filter(column, operator, value))).toEqual(expected);
  });

  it('are filtered by all filters together', async () => {
    const { select } = table();
    expect(titles(await select().eq('status', 'published').gt('budget_points', 100))).toEqual(['Three']);
  });

  it.each([
    ['title.eq.One,title.eq.Two', ['One', 'Two']],
    ['budget_points.lt.200,and(budget_points.eq.300,status.eq.published)', ['One', 'Three']],
    ['title.in.(One,Two),title.eq."Three"', ['One', 'Two', 'Three']],
    ['title.not.eq.One', ['Two', 'Three']],
    ['not.and(title.eq.One,status.eq.published)', ['Two', 'Three']],
    ['title.ilike."%\\\\%%"', []],
    ['published_at.gt."2030-01-01T00:00:00Z",title.eq.One', ['One']],
  ])('are filtered by or(%s)', async (filters, expected) => {
    const { select } = table();
    expect(titles(await select().or(filters))).toEqual(expected);
  });

  it('are sorted as requested, with nulls as the greatest by default', async () => {
    const { select } = table();
    expect(titles(await select().order('budget_points', { ascending: false }))).toEqual(['Three', 'Two', 'One']);
    expect(titles(await select().order('published_at'))).toEqual(['Three', 'One', 'Two']);
    expect(titles(await select().order('published_at', { ascending: false }))).toEqual(['Two', 'One', 'Three']);
    const last = select().order('published_at', { ascending: false, nullsFirst: false });
    expect(titles(await last)).toEqual(['One', 'Three', 'Two']);
    expect(titles(await select().order('status').order('title', { ascending: false }))).toEqual([
      'Two',
      'Three',
      'One',
    ]);
  });

  it('are paged after sorting', async () => {
    const { select } = table();
    expect(titles(await select().order('title').limit(2))).toEqual(['One', 'Three']);
    expect(titles(await select().order('title').range(1, 2))).toEqual(['Three', 'Two']);
    const many = Array.from({ length: 1001 }, (_, index) => walletRow({ id: `wallet-${index}` }));
    fakeApi({ 'GET wallets': many });
    expect((await supabase().from('wallets').select()).data).toHaveLength(1000);
  });

  it('have the requested and embedded columns', async () => {
    fakeApi({
      'GET campaigns': [{ ...quests[0], startup_profiles: { name: 'Lumen', logo_url: null, status: 'verified' } }],
    });
    const answer = await supabase().from('campaigns').select('id, startup_profiles(name, status)');
    expect(answer.data).toEqual([{ id: 'q1', startup_profiles: { name: 'Lumen', status: 'verified' } }]);
  });

  it('are filtered and sorted by an embedded table', async () => {
    const rows = [1, 2].map((order_index) => ({
      ...submissionRow({ id: `s${order_index}` }),
      tasks: taskRow({ order_index }),
    }));
    fakeApi({ 'GET submissions': rows });
    const all = () => supabase().from('submissions');
    const sorted = await all().select('id, tasks(order_index)').order('tasks(order_index)', { ascending: false });
    expect(sorted.data?.map(({ id }) => id)).toEqual(['s2', 's1']);
    const inner = await all().select('id, tasks!inner(order_index)').eq('tasks.order_index', 1);
    expect(inner.data?.map(({ id }) => id)).toEqual(['s1']);
    expect((await all().select('id').eq('tasks.order_index', 1)).error?.code).toBe('PGRST108');
  });

  it.each([
    ['an unknown column', 'select=nothing', '42703'],
    ['an unknown column in a filter', 'nothing=eq.1', '42703'],
    ['an unknown column in the order', 'order=nothing', '42703'],
    ['an unknown operator', 'title=resembles.One', 'PGRST100'],
    ['an unknown constant', 'published_at=is.nothing', 'PGRST100'],
    ['text for a number', 'budget_points=eq.much', '22P02'],
  ])('fail on %s', async (_, query, code) => {
    table();
    const response = await fetch(`http://supabase.test/rest/v1/campaigns?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code });
  });

  it('are counted before paging', async () => {
    const { api } = table();
    const count = (head: boolean) => supabase().from('campaigns').select('title', { count: 'exact', head });
    expect(await count(false).eq('status', 'published').limit(1)).toMatchObject({ count: 2, data: [{ title: 'One' }] });
    expect(await count(true).eq('status', 'published')).toMatchObject({ count: 2, data: null });
    expect(await count(true).eq('title', 'None')).toMatchObject({ count: 0 });
    expect(api.calls.map(({ method }) => method)).toEqual(['GET', 'HEAD', 'HEAD']);
  });

  it('single() accepts exactly one row, maybeSingle() also none', async () => {
    const { select } = table();
    expect(await select().eq('title', 'One').single()).toMatchObject({ data: { title: 'One' } });
    expect(await select().eq('title', 'None').single()).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
    expect(await select().single()).toMatchObject({ status: 406, error: { code: 'PGRST116' } });
    expect(await select().eq('title', 'None').maybeSingle()).toMatchObject({ data: null, error: null });
    expect(await select().maybeSingle()).toMatchObject({ error: { code: 'PGRST116' } });
  });
});

describe('routes', () => {
  it('may be functions of the call, whose rows are filtered too', async () => {
    fakeApi({ 'GET campaigns': () => quests });
    expect(titles(await supabase().from('campaigns').select('title').eq('title', 'Two'))).toEqual(['Two']);
  });

  it('can refuse, or give no answer', async () => {
    fakeApi({ 'rpc submit_proof': refuse(409, 'QUEST_FULL', 'Full'), 'rpc get_site_stats': offline() });
    const refused = await supabase().rpc('submit_proof', { p_task_id: 't1' });
    expect(refused).toMatchObject({ status: 409, error: { hint: 'QUEST_FULL', message: 'Full' } });
    expect((await supabase().rpc('get_site_stats')).error?.message).toContain('Failed to fetch');
  });

  it('record the arguments of a procedure', async () => {
    const api = fakeApi({ 'rpc review_submission': submissionRow() });
    await supabase().rpc('review_submission', { p_submission_id: 's1', p_decision: 'approve', p_note: '' });
    expect(api.calls).toMatchObject([
      { method: 'POST', path: 'rpc/review_submission', body: { p_submission_id: 's1' } },
    ]);
  });

  it('fail the test when one is missing, or when a table is not given as rows', async () => {
    fakeApi({ 'GET wallets': walletRow() });
    expectConsoleError("fakeApi has no route 'GET campaigns'");
    expectConsoleError("'GET wallets' needs an array of rows");
    expect((await supabase().from('campaigns').select()).error).not.toBeNull();
    expect((await supabase().from('wallets').select()).error).not.toBeNull();
    expect(console.error).toHaveBeenCalledTimes(2);
  });
});
