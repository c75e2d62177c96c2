import { describe, expect, test } from 'vitest';
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
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

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
      await whileDamaged('update on public.tasks', `new.id = '${broken.taskId}'`, async () => {
        await settleReviews();
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
});
