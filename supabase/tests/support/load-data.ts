import { randomInt, randomUUID } from 'node:crypto';
import { asAnon, asService, sql } from '../../../local/testing/clients.ts';
import {
  type Member,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  newVerifiedOwner,
  type Owner,
  unwrap,
  withSettings,
} from './factories.ts';

const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[randomInt(items.length)] ?? items[0];
const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const inTurn = async (count: number, run: (index: number) => Promise<unknown>) => {
  for (const index of times(count)) await run(index);
};

/**
 * Random activity of random people on top of the demo data, so that every figure on the admin's screens differs.
 * Returns an admin.
 */
export function makeLoadData(): Promise<Member> {
  // Outside beta, so that there are pending submissions.
  return withSettings({ beta_mode: false }, bringToLife);
}

async function bringToLife(): Promise<Member> {
  const admin = await newAdmin();
  const members = await Promise.all(times(6).map(() => newMember()));
  const owners = [await newVerifiedOwner(), await newVerifiedOwner()];
  await newOwner('waiting');

  for (const owner of owners) {
    const quest = await newQuest(owner, { task: { reward_points: randomInt(5, 40), max_completions: 6 } });
    for (const member of members.filter(() => randomInt(4) > 0)) {
      const submission = await unwrap(member.client.rpc('submit_proof', { p_task_id: quest.taskId, p_text: 'Done' }));
      const decision = pick(['approve', 'approve', 'reject', 'wait', 'reverse']);
      if (decision === 'wait') continue;
      await unwrap(
        owner.client.rpc('review_submission', {
          p_submission_id: submission.id,
          p_decision: decision === 'reject' ? 'reject' : 'approve',
          p_note: 'Reviewed',
        }),
      );
      if (decision === 'reverse') {
        await unwrap(admin.client.rpc('reverse_submission', { p_submission_id: submission.id, p_note: 'Dispute' }));
      }
    }
  }

  const reward = await unwrap(admin.client.rpc('save_reward', { p_reward: { title: 'Sticker', points_cost: 7 } }));
  for (const member of members) {
    await unwrap(asService().rpc('credit_points_safe', { p_user_id: member.id, p_points: 50, p_description: 'Grant' }));
    const redemption = await unwrap(
      member.client.rpc('redeem_reward_safe', { p_reward_id: reward.id, p_idempotency_key: randomUUID() }),
    );
    const status = pick(['pending', 'fulfilled', 'cancelled']);
    if (status !== 'pending') {
      await unwrap(
        admin.client.rpc('set_redemption_status', {
          p_redemption_id: redemption.id,
          p_status: status,
          p_note: 'Thanks',
        }),
      );
    }
  }
  await inTurn(randomInt(8, 30), addSubscriber);
  await inTurn(randomInt(8, 30), addFeedback);
  await addVisits();
  await addReferrals(members);
  await addSubscriptions(owners);
  return admin;
}

/** Referrals, clicks without a sign-up, one unpaid referral, one member without a code. */
async function addReferrals(members: readonly Member[]): Promise<void> {
  for (const referrer of members.slice(0, 3)) {
    const code = await referralCodeOf(referrer.id);
    await inTurn(randomInt(1, 4), async () => asAnon().rpc('track_referral_click', { p_code: code }));
    await inTurn(randomInt(1, 4), async () => {
      const friend = await newMember('friend');
      await unwrap(friend.client.rpc('process_referral_signup', { p_user_id: friend.id, p_code: code }));
    });
  }
  const [alone, codeless] = [await newMember('alone'), await newMember('codeless')];
  await sql().query(
    `insert into public.referrals (referrer_user_id, referred_user_id, referral_code, status) values ($1, $2, $3, 'pending')`,
    [members[0]?.id, alone.id, await referralCodeOf(members[0]?.id ?? '')],
  );
  await sql().query('delete from public.referral_codes where user_id = $1', [codeless.id]);
  await sql().query('update public.referral_codes set is_active = false where user_id = $1', [alone.id]);
}

/** A plan paid long ago, which is no revenue of this month, and payments that went back, which are none at all. */
async function addSubscriptions(owners: readonly Owner[]): Promise<void> {
  const [paid, returned] = owners;
  await sql().query(
    `insert into public.subscriptions (startup_id, owner_user_id, plan_id, status, amount_cents, created_at, payment_ref)
     values ($1, $2, 'og_lifetime', 'active', 4900, now() - interval '60 days', $3),
       ($4, $5, 'og_lifetime', 'refunded', 700, now(), $6)`,
    [paid?.startup.id, paid?.id, randomUUID(), returned?.startup.id, returned?.id, randomUUID()],
  );
  await sql().query(
    `insert into public.point_purchases (startup_id, owner_user_id, pack_id, points, amount_cents, payment_ref, status)
     select $1, $2, 'points_small', 100, 900, status || $3, status::public.purchase_status
     from unnest(array['refunded', 'disputed']) status`,
    [returned?.startup.id, returned?.id, randomUUID()],
  );
}

async function referralCodeOf(userId: string): Promise<string> {
  const { rows } = await sql().query<{ code: string }>('select code from public.referral_codes where user_id = $1', [
    userId,
  ]);
  return rows[0]?.code ?? '';
}

async function addSubscriber(): Promise<void> {
  await sql().query(
    `insert into public.mailing_list (email, source, is_active, subscribed_at, campaign_id)
     values ($1, $2, $3, now() - make_interval(hours => $4), (select id from public.campaigns where $5 order by random() limit 1))`,
    [
      `${randomUUID()}@example.com`,
      pick(['website', 'campaign', 'footer']),
      randomInt(5) > 0,
      randomInt(400),
      randomInt(3) === 0,
    ],
  );
}

async function addFeedback(): Promise<void> {
  await sql().query(
    `insert into public.beta_feedback (type, title, description, rating, status, created_at)
     values ($1, $2, 'Because', $3, $4, now() - make_interval(hours => $5))`,
    [
      pick(['bug', 'feature', 'rating', 'general', 'other']),
      `Idea ${randomUUID()}`,
      pick([null, 1, 2, 3, 4, 5]),
      pick(['new', 'reviewed', 'resolved']),
      randomInt(400),
    ],
  );
}

/** Visits of several lengths within the last weeks, and one with a single event, which has no length. */
async function addVisits(): Promise<void> {
  // A trigger stamps events with their arrival time; it is disabled to backdate them.
  await sql().query('alter table public.metrics_events disable trigger metrics_events_admit');
  for (const visit of times(6)) {
    const secondsAgo = randomInt(3600, 40 * 86_400);
    for (const step of times(visit === 0 ? 1 : randomInt(2, 5))) {
      await sql().query(
        `insert into public.metrics_events (type, data, created_at)
         values ('page_view', jsonb_build_object('session_id', $1::text), now() - make_interval(secs => $2))`,
        [`visit-${visit}`, secondsAgo - step * randomInt(60, 900)],
      );
    }
  }
  await sql().query('alter table public.metrics_events enable trigger metrics_events_admit');
}
