import { asService, sql } from '../../../local/testing/clients.ts';
import { type Owner, unwrap } from './factories.ts';

/** The calls of the payment webhook about a plan, by event and payment. */
export const activate = ({ startup }: Owner, event: string, payment: string) =>
  asService().rpc('activate_subscription', {
    p_startup_id: startup.id,
    p_plan_id: 'og_lifetime',
    p_event_id: event,
    p_payment_ref: payment,
    p_amount_cents: 9900,
  });

export const end = (event: string, payment: string, status = 'refunded', dispute?: string) =>
  asService().rpc('end_payment', {
    p_payment_ref: payment,
    p_event_id: event,
    p_status: status,
    ...(dispute ? { p_dispute_ref: dispute } : {}),
  });

export const reinstate = (event: string, payment: string, dispute: string) =>
  asService().rpc('reinstate_payment', {
    p_payment_ref: payment,
    p_event_id: event,
    p_dispute_ref: dispute,
  });

export const statuses = async (owner: Owner) =>
  (await unwrap(owner.client.from('subscriptions').select('status'))).map(({ status }) => status);
/** Slots taken by plans that are active today. */
export const takenSlots = async () => {
  const { rows } = await sql().query<{ taken: number }>(
    'select (select og_slots from public.app_settings) - private.remaining_og_slots() as taken',
  );
  return rows[0]?.taken ?? 0;
};
export const remainingSlots = async () => (await unwrap(asService().rpc('get_og_slots')))[0]?.remaining_slots;
