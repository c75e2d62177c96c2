import { beforeAll, describe, expect, test } from 'vitest';
import { asService, sql } from '../../local/testing/clients.ts';
import { whileDamaged } from './support/damage.ts';
import {
  ledgerProblems,
  type Member,
  newMember,
  newQuest,
  newVerifiedOwner,
  type Owner,
  outsideBeta,
  submitProof,
  unwrap,
} from './support/factories.ts';
import { letHoursPass, settleReviews } from './support/reviews.ts';
import { rolledBack } from './support/rolled-back.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();
// No proof of the demo data is ever due.
beforeAll(async () => {
  await sql().query("update public.submissions set review_check_at = 'infinity' where review_check_at is not null");
  await sql().query("update public.submissions set kept_until = 'infinity' where kept_until is not null");
});

/** A quest outside the beta, with a pending proof. */
async function waitingProof(hours: number) {
  const [owner, member] = await Promise.all([newVerifiedOwner(), newMember()]);
  const { campaign, taskId } = await newQuest(owner, { campaign: { review_hours: hours } });
  const { id } = await unwrap(submitProof(member, taskId));
  return { owner, member, campaign, taskId, id };
}

const statusOf = async (who: Member) => (await unwrap(who.client.from('submissions').select().single())).status;
const linesOf = async (who: Owner, type: string) =>
  (await unwrap(who.client.rpc('list_notifications'))).filter((line) => line.type === type);
const failed = async () =>
  (
    await sql().query(
      "select job, last_error from private.failed_jobs where job in ('settle_due_reviews', 'remind_reviewers') order by job",
    )
  ).rows;

test('BEY-22 BEY-23 a call settles at least one due review, whatever its limit, and counts kept slots, too', () =>
  outsideBeta(async () => {
    const settleNext = () => unwrap(asService().rpc('settle_due_reviews', { p_limit: 0 }));
    const { owner, member, taskId } = await waitingProof(24);
    await waitingProof(24);
    await letHoursPass(25);
    expect(await settleNext()).toBe(1);
    while ((await settleReviews()) > 0);
    expect(await statusOf(member)).toBe('approved');
    const { id } = await unwrap(submitProof(await newMember(), taskId));
    const rejection = { p_submission_id: id, p_decision: 'reject', p_reason: 'incomplete' };
    await unwrap(owner.client.rpc('review_submission', rejection));
    await sql().query('update public.submissions set kept_until = now() where id = $1', [id]);
    expect(await settleNext()).toBe(1);
    expect(await settleNext()).toBe(0);
  }));

describe('what fails while due reviews are settled', () => {
  test('BEY-22 a proof whose payment fails does not keep the others from being paid', () =>
    outsideBeta(async () => {
      const [broken, sound] = [await waitingProof(24), await waitingProof(24)];
      await letHoursPass(25);
      await whileDamaged('insert on public.transfers', `new.submission_id = '${broken.id}'`, async () => {
        await settleReviews();
      });
      expect(await statusOf(sound.member)).toBe('approved');
      // Not before ten minutes have passed.
      expect(await settleReviews()).toBe(0);
      expect(await statusOf(broken.member)).toBe('pending');
      await letHoursPass(1);
      await settleReviews();
      expect(await statusOf(broken.member)).toBe('approved');
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-22 C-50 a quest whose figures cannot be changed keeps no other from being paid, and is reported until they can', () =>
    outsideBeta(async () => {
      const [broken, sound] = [await waitingProof(24), await waitingProof(24)];
      await letHoursPass(25);
      await sql().query("select private.record_failure('queue_digests', 'down')");
      await whileDamaged('update on public.tasks', `new.id = '${broken.taskId}'`, async () => {
        expect(await settleReviews()).toBe(1);
        expect(await statusOf(sound.member)).toBe('approved');
        expect(await statusOf(broken.member)).toBe('pending');
        expect(await failed()).toEqual([
          { job: 'settle_due_reviews', last_error: `P0001 quest ${broken.campaign.id}` },
        ]);
      });
      await letHoursPass(1);
      await settleReviews();
      expect(await statusOf(broken.member)).toBe('approved');
      expect(await failed()).toEqual([]);
      const { rows } = await sql().query("delete from private.failed_jobs where job = 'queue_digests' returning job");
      expect(rows).toHaveLength(1);
      expect(await ledgerProblems()).toEqual([]);
    }));

  test('BEY-22 C-50 an owner who cannot be told keeps nobody else from being reminded or paid, and is reported', () =>
    outsideBeta(async () => {
      const [unreminded, untold, sound] = [await waitingProof(48), await waitingProof(24), await waitingProof(24)];
      const other = await waitingProof(48);
      await letHoursPass(25);
      const cannotBeTold = `new.user_id in ('${unreminded.owner.id}', '${untold.owner.id}') and new.type like 'Review%'`;
      await whileDamaged('insert on public.notifications', cannotBeTold, async () => {
        await settleReviews();
        expect(await statusOf(sound.member)).toBe('approved');
        expect(await statusOf(untold.member)).toBe('pending');
        expect(await linesOf(other.owner, 'ReviewHalfTime')).toHaveLength(1);
        expect(await failed()).toEqual([
          { job: 'remind_reviewers', last_error: `P0001 quest ${unreminded.campaign.id}` },
          { job: 'settle_due_reviews', last_error: `P0001 quest ${untold.campaign.id}` },
        ]);
      });
      await settleReviews();
      expect(await statusOf(untold.member)).toBe('approved');
      for (const [{ owner }, type] of [
        [unreminded, 'ReviewHalfTime'],
        [untold, 'ReviewTimeOver'],
      ] as const) {
        expect(await linesOf(owner, type)).toHaveLength(1);
      }
      expect(await failed()).toEqual([]);
      expect(await ledgerProblems()).toEqual([]);
    }));

  type Proof = Awaited<ReturnType<typeof waitingProof>>;

  async function rejected(proof: Proof): Promise<Proof> {
    const rejection = { p_submission_id: proof.id, p_decision: 'reject', p_reason: 'incomplete' };
    await unwrap(proof.owner.client.rpc('review_submission', rejection));
    return proof;
  }
  const isKept = async ({ id }: Proof) =>
    (await sql().query('select 1 from public.submissions where id = $1 and kept_until is not null', [id])).rowCount ===
    1;

  interface Due {
    what: string;
    prepare: () => Promise<Proof>;
    hours: number;
    job: string;
    /** The statement and the condition under which it fails. */
    damage: (proof: Proof) => [string, string];
    isSettled: (proof: Proof) => Promise<boolean>;
  }

  test.each<Due>([
    {
      what: 'to be approved',
      prepare: () => waitingProof(24),
      hours: 25,
      job: 'remind_reviewers',
      damage: ({ taskId }: Proof) => ['update on public.tasks', `new.id = '${taskId}'`],
      isSettled: async ({ member }: Proof) => (await statusOf(member)) === 'approved',
    },
    {
      what: 'that keeps a slot',
      prepare: async () => rejected(await waitingProof(24)),
      hours: 200,
      job: 'remind_reviewers',
      damage: ({ taskId }: Proof) => ['update on public.tasks', `new.id = '${taskId}'`],
      isSettled: async (proof: Proof) => !(await isKept(proof)),
    },
    {
      what: 'of which its owner is reminded',
      prepare: () => waitingProof(48),
      hours: 25,
      job: 'settle_due_reviews',
      damage: ({ owner }: Proof) => [
        'insert on public.notifications',
        `new.user_id = '${owner.id}' and new.type like 'Review%'`,
      ],
      isSettled: async ({ owner }: Proof) => (await linesOf(owner, 'ReviewHalfTime')).length === 1,
    },
  ])(
    'BEY-22 C-50 a proof $what comes after the others once that has failed',
    ({ prepare, hours, job, damage, isSettled }) =>
      outsideBeta(async () => {
        const broken = await prepare();
        await letHoursPass(1);
        const sound = await prepare();
        await letHoursPass(hours);
        const settleOne = () => unwrap(asService().rpc('settle_due_reviews', { p_limit: 1 }));
        await whileDamaged(...damage(broken), async () => {
          await settleOne();
          expect(await isSettled(sound)).toBe(false);
          // What another job has failed to do with its quest does not count.
          await sql().query('select private.put_last($1, $2)', [job, sound.campaign.id]);
          await settleOne();
          expect(await isSettled(sound)).toBe(true);
        });
        while ((await settleReviews()) > 0);
        expect(await isSettled(broken)).toBe(true);
      }),
  );

  test('BEY-22 BEY-23 a proof that somebody decides about at this moment keeps nobody waiting', () =>
    outsideBeta(async () => {
      const [due, kept, reminded] = [
        await waitingProof(24),
        await rejected(await waitingProof(24)),
        await waitingProof(300),
      ];
      await letHoursPass(200);
      await rolledBack(async (client) => {
        const ids = [due.id, kept.id, reminded.id];
        await client.query('select 1 from public.submissions where id = any ($1) for update', [ids]);
        await settleReviews();
        expect([await statusOf(due.member), await isKept(kept)]).toEqual(['pending', true]);
      });
      await settleReviews();
      expect([await statusOf(due.member), await isKept(kept)]).toEqual(['approved', false]);
      expect(await linesOf(reminded.owner, 'ReviewHalfTime')).toHaveLength(1);
    }));
});

test('BEY-22 the quest whose first proof has waited longest comes first', () =>
  outsideBeta(async () => {
    const first = await waitingProof(24);
    await letHoursPass(1);
    const second = await waitingProof(24);
    await letHoursPass(1);
    await unwrap(submitProof(await newMember(), first.taskId));
    await letHoursPass(24);
    await settleReviews();
    const { rows } = await sql().query(
      "select user_id from public.outbox_events where type = 'ReviewTimeOver' and user_id = any ($1) order by id",
      [[first.owner.id, second.owner.id]],
    );
    expect(rows).toEqual([{ user_id: first.owner.id }, { user_id: second.owner.id }]);
  }));
