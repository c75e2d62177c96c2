import { randomUUID } from 'node:crypto';
import { asService, sql } from '../../../local/testing/clients.ts';
import { newOwner, type Owner, projectPoints, unwrap } from './factories.ts';

const SMALL = { points: 1000, cents: 4900 };

interface Payment {
  event: string;
  payment: string;
}

export const newPayment = (): Payment => ({ event: `evt_${randomUUID()}`, payment: `pi_${randomUUID()}` });

/** What the webhook does after a payment of a small pack. */
export const creditPurchase = (
  { startup }: { startup: Pick<Owner['startup'], 'id'> },
  { event, payment }: Payment,
  changes: Record<string, unknown> = {},
) =>
  asService().rpc('credit_point_purchase', {
    p_startup_id: startup.id,
    p_pack_id: 'points_small',
    p_points: SMALL.points,
    p_event_id: event,
    p_payment_ref: payment,
    p_amount_cents: SMALL.cents,
    p_price_cents: SMALL.cents,
    ...changes,
  });

/** An owner who has bought a small pack, or what `changes` says. */
export async function newBuyer(changes: Record<string, unknown> = {}): Promise<{ owner: Owner; payment: string }> {
  const owner = await newOwner();
  const paid = newPayment();
  await unwrap(creditPurchase(owner, paid, changes));
  return { owner, payment: paid.payment };
}

/** What the webhook does after a refund or a dispute. */
export const endPayment = (payment: string, status: string | null = 'refunded', dispute?: string) =>
  asService().rpc('end_payment', {
    p_payment_ref: payment,
    p_event_id: `evt_${randomUUID()}`,
    p_status: status as string,
    ...(dispute ? { p_dispute_ref: dispute } : {}),
  });

export const winDispute = (payment: string, dispute: string) =>
  asService().rpc('reinstate_payment', {
    p_payment_ref: payment,
    p_event_id: `evt_${randomUUID()}`,
    p_dispute_ref: dispute,
  });

export const purchasesOf = (owner: Owner) =>
  unwrap(
    owner.client
      .from('point_purchases')
      .select('pack_id, points, amount_cents, status, credited_points')
      .eq('owner_user_id', owner.id),
  );

export const freePoints = async ({ startup }: Owner) => (await projectPoints(startup.id)).free;

/** The payloads of the events of this type, oldest first. */
export const eventsOf = async (owner: { id: string }, type: string) => {
  const events = 'select payload from public.outbox_events where user_id = $1 and type = $2 order by id';
  return (await sql().query(events, [owner.id, type])).rows;
};

/** The audit log of a payment: each action with the points that remain credited. */
export const auditOf = async (payment: string) => {
  const { rows } = await sql().query<{ line: string }>(
    `select a.action || ' ' || (a.after ->> 'credited_points') as line from public.audit_log a
     where a.subject_type = 'payment' and a.subject_id = $1 order by a.id`,
    [payment],
  );
  return rows.map(({ line }) => line);
};
