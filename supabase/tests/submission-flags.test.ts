import { beforeAll, describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import {
  FORBIDDEN,
  type Member,
  newAdmin,
  newMember,
  newQuest,
  newVerifiedOwner,
  OWN_MATTER,
  refusal,
  unwrap,
  withSettings,
} from './support/factories.ts';
import { allowManyQuests, flagsSeenBy, kindsSeenBy, newLink, scene, submit } from './support/flags.ts';
import { tick } from './support/periodic-jobs.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();
beforeAll(allowManyQuests);

async function isFlagged(submissionId: string): Promise<boolean> {
  await tick();
  const { rows } = await sql().query<{ is: boolean }>('select private.is_flagged($1::uuid) as is', [submissionId]);
  return rows[0]?.is ?? false;
}

async function openKinds(submissionId: string): Promise<string[]> {
  await tick();
  const { rows } = await sql().query<{ kind: string }>(
    'select kind from public.submission_flags where submission_id = $1 and dismissed_at is null order by kind',
    [submissionId],
  );
  return rows.map(({ kind }) => kind);
}

describe('BEY-02 flags block nothing', () => {
  test('a flagged proof is paid at once in beta like every other', async () => {
    const { owner, quest, one, other } = await scene();
    const link = newLink();
    await submit(one, quest, { p_url: link });
    const { id, status } = await withSettings({ beta_mode: true }, () => submit(other, quest, { p_url: link }));
    expect(status).toBe('approved');
    expect(await kindsSeenBy(owner, id)).toEqual(['same_link']);
  });

  test('a proof that is resubmitted after a rejection is scanned again, and what is known of others stays', async () => {
    const { owner, quest, one, other } = await scene();
    const link = newLink();
    await submit(one, quest, { p_url: link });
    const third = await submit(await newMember(), quest, { p_url: link });
    const withdrawn = newLink();
    const { id } = await submit(other, quest, { p_url: link, p_text: withdrawn });
    expect(await openKinds(id)).toEqual(['same_link']);
    await unwrap(
      owner.client.rpc('review_submission', { p_submission_id: id, p_decision: 'reject', p_note: 'Not yours' }),
    );
    await submit(other, quest, { p_url: newLink() });
    expect(await openKinds(id)).toEqual([]);
    expect(await openKinds(third.id)).toEqual(['same_link']);
    const fourth = await submit(await newMember(), quest, { p_url: link });
    expect(await openKinds(fourth.id)).toEqual(['same_link']);
    // What the rejected proof contained is free again.
    const fifth = await submit(await newMember(), quest, { p_url: withdrawn });
    expect(await openKinds(fifth.id)).toEqual([]);
  });
});

describe('BEY-02 who sees flags', () => {
  /** A submission that matches one in another project. */
  async function stolenFromElsewhere() {
    const { owner, quest, one, other } = await scene();
    const link = newLink();
    const elsewhere = await newVerifiedOwner();
    const twin = await submit(one, await newQuest(elsewhere), { p_url: link });
    const submission = await submit(other, quest, { p_url: link });
    await tick();
    return { owner, quest, other, elsewhere, twin, submission };
  }

  test('the owner learns that a match exists in another project, but cannot open it; an admin can', async () => {
    const { owner, twin, submission } = await stolenFromElsewhere();
    expect(await flagsSeenBy(owner, submission.id)).toMatchObject([{ kind: 'same_link', has_twin: true, twin: null }]);
    const { data } = await owner.client.from('submissions').select('id').eq('id', twin.id);
    expect(data).toEqual([]);
    const admin = await newAdmin();
    expect(await flagsSeenBy(admin, submission.id)).toMatchObject([{ has_twin: true, twin: { id: twin.id } }]);
  });

  test('members see no flags, in the row, in the table or through a filter; nor do other owners', async () => {
    const { other, elsewhere, submission } = await stolenFromElsewhere();
    expect(await flagsSeenBy(other, submission.id)).toEqual([]);
    expect(await unwrap(other.client.from('submissions').select('id').eq('is_flagged', true))).toEqual([]);
    for (const person of [other, elsewhere]) {
      expect(await unwrap(person.client.from('submission_flags').select())).toEqual([]);
    }
  });

  test("the owner's and the admin's lists filter by flag", async () => {
    const { owner, quest, submission } = await stolenFromElsewhere();
    await submit(await newMember(), quest, { p_url: newLink() });
    const filter = owner.client.from('submissions').select('id').eq('campaign_id', quest.campaign.id);
    expect(await unwrap(filter.eq('is_flagged', true))).toEqual([{ id: submission.id }]);

    const admin = await newAdmin();
    const list = () => unwrap(admin.client.rpc('admin_list_submissions', { p_status: 'flagged', p_limit: 100 }));
    const rows = await list();
    expect(rows.find(({ id }) => id === submission.id)?.flags).toMatchObject([{ kind: 'same_link' }]);
    expect(rows.every(({ flags }) => (flags as unknown[]).length > 0)).toBe(true);
    const [flag] = await flagsSeenBy(admin, submission.id);
    await unwrap(admin.client.rpc('dismiss_submission_flag', { p_flag_id: flag?.id ?? '', p_reason: 'A shared post' }));
    expect((await list()).map(({ id }) => id)).not.toContain(submission.id);
    expect(await unwrap(filter.eq('is_flagged', true))).toEqual([]);
  });

  test('only admins dismiss flags, with a reason, once, and never on their own submissions', async () => {
    const { owner, other, quest, submission } = await stolenFromElsewhere();
    const admin = await newAdmin();
    const [flag] = await flagsSeenBy(admin, submission.id);
    const dismiss = (person: Member, id: string | undefined, reason: string) =>
      person.client.rpc('dismiss_submission_flag', { p_flag_id: id ?? '', p_reason: reason });
    for (const person of [owner, other]) expect(await refusal(dismiss(person, flag?.id, 'x'))).toEqual(FORBIDDEN);
    expect(await refusal(dismiss(admin, flag?.id, ' '))).toMatchObject({ status: 400, code: 'REASON_REQUIRED' });
    expect(await refusal(dismiss(admin, crypto.randomUUID(), 'x'))).toMatchObject({
      status: 404,
      code: 'FLAG_NOT_FOUND',
    });

    const { evidence } = await unwrap(
      admin.client
        .from('submission_flags')
        .select()
        .eq('id', flag?.id ?? '')
        .single(),
    );
    const mine = await submit(admin, quest, { p_url: `https://${(evidence as { link: string }).link}` });
    const [own] = await flagsSeenBy(owner, mine.id);
    expect(await refusal(dismiss(admin, own?.id, 'It is fine'))).toEqual(OWN_MATTER);

    expect(await isFlagged(submission.id)).toBe(true);
    await sql().query('update public.submission_flags set evidence = $2 where id = $1', [
      flag?.id,
      { link: 'shop.example', domain: 'mail.example', similarity: 1 },
    ]);
    await unwrap(dismiss(admin, flag?.id, 'Both are of one choir'));
    const log = "select before, note from public.audit_log where action = 'flag.dismiss' and subject_id = $1";
    expect((await sql().query(log, [submission.id])).rows).toEqual([
      { before: { flag: 'same_link', evidence: { similarity: 1 } }, note: 'Both are of one choir' },
    ]);
    expect(await isFlagged(submission.id)).toBe(false);
    expect(await refusal(dismiss(admin, flag?.id, 'Again'))).toMatchObject({ status: 409, code: 'FLAG_DISMISSED' });

    // Flags outlive the quest, as the points do.
    const deletion = { p_campaign_id: quest.campaign.id, p_approve_waiting: true };
    await owner.client.rpc('delete_campaign', deletion).throwOnError();
    expect(await refusal(dismiss(admin, own?.id, 'It is gone'))).toEqual(OWN_MATTER);
  });
});

describe('C-95 flags survive', () => {
  test('the deletion of the quest: points from a flagged submission remain known as such', async () => {
    const { owner, quest, one, other } = await scene();
    const link = newLink();
    await submit(one, quest, { p_url: link });
    const { id } = await submit(other, quest, { p_url: link });
    for (const waiting of await unwrap(
      owner.client.from('submissions').select('id').eq('campaign_id', quest.campaign.id),
    )) {
      await unwrap(owner.client.rpc('review_submission', { p_submission_id: waiting.id, p_decision: 'approve' }));
    }
    await owner.client.rpc('delete_campaign', { p_campaign_id: quest.campaign.id }).throwOnError();
    expect(await isFlagged(id)).toBe(true);
    expect(await unwrap(owner.client.from('submission_flags').select().eq('submission_id', id))).toEqual([]);
    const admin = await newAdmin();
    expect(await unwrap(admin.client.from('submission_flags').select('kind').eq('submission_id', id))).toEqual([
      { kind: 'same_link' },
    ]);
  });

  test('erasure: it leaves no link in the evidence and no fingerprint, and takes neither from others', async () => {
    const { quest, one, other } = await scene();
    const link = newLink();
    const earlier = await submit(one, quest, { p_url: link });
    await sql().query('select private.scan_submissions(null)');
    // Scanned before it is erased.
    const { id } = await submit(other, quest, { p_url: link });
    const fingerprints = async () =>
      (await sql().query('select 1 from private.submission_fingerprints where submission_id = $1', [earlier.id]))
        .rowCount;
    const before = await fingerprints();
    expect(before).toBeGreaterThan(0);
    await asService().rpc('anonymise_user', { p_user_id: other.id }).throwOnError();
    const { rows } = await sql().query(
      `select f.kind, f.evidence, exists (select from private.submission_fingerprints p where p.submission_id = $1) as fingerprint
       from public.submission_flags f where f.submission_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ kind: 'same_link', evidence: {}, fingerprint: false }]);
    expect(await fingerprints()).toBe(before);
  });

  test('with its task or quest, the fingerprints of a proof go: nothing can be compared with it; those of others stay', async () => {
    const [{ owner, quest, one, other }, elsewhere] = [await scene(), await scene()];
    const own = { p_campaign_id: quest.campaign.id, p_approve_waiting: true };
    const save = (p_tasks: Record<string, string | number>[]) =>
      unwrap(
        owner.client.rpc('update_campaign', {
          ...own,
          p_campaign: { title: 'T', summary: 'S', budget_points: 500 },
          p_tasks: p_tasks.map((task) => ({
            title: 'T',
            instructions_md: 'I',
            reward_points: 10,
            max_completions: 5,
            ...task,
          })),
        }),
      );
    await save([{ id: quest.taskId }, {}]);
    const tasks = await unwrap(owner.client.from('tasks').select('id').eq('campaign_id', own.p_campaign_id));
    const kept = tasks.find(({ id }) => id !== quest.taskId)?.id ?? '';
    const proofs: string[] = [];
    for (const [who, taskId] of [
      [one, quest.taskId],
      [other, kept],
      [elsewhere.one, elsewhere.quest.taskId],
    ] as const)
      proofs.push((await submit(who, { ...quest, taskId }, { p_url: newLink() })).id);
    await sql().query('select private.scan_submissions(null)');
    const fingerprints = async () =>
      (
        await sql().query(
          `select array_agg((select count(*)::integer from private.submission_fingerprints f where f.submission_id = p.id) order by n) as counts
           from unnest($1::uuid[]) with ordinality p (id, n)`,
          [proofs],
        )
      ).rows[0]?.counts;
    expect(await fingerprints()).toEqual([1, 1, 1]);
    await save([{ id: kept }]);
    expect(await fingerprints()).toEqual([0, 1, 1]);
    await unwrap(owner.client.rpc('delete_campaign', own));
    expect(await fingerprints()).toEqual([0, 0, 1]);
  });
});
