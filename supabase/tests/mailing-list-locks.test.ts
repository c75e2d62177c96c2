import { describe, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import { newAdmin, newMember, newOwner, newQuest, unwrap } from './support/factories.ts';
import { type Lock, lockOf, waitsWith } from './support/locks.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

// The mailing list's part of the order of locks (docs/data-model.md); see lock-order.test.ts.

test('unsubscribing locks the entry of the list before the opt-out, as subscribing again does', async () => {
  const { email, client } = await newMember();
  await unwrap(client.rpc('subscribe_to_mailing_list', { p_email: email }));
  const link = await unwrap(asService().rpc('get_unsubscribe_token', { p_email: email }));
  const unsubscribe = () => asAnon().rpc('unsubscribe_from_mailing_list', { p_token: link });
  await unwrap(unsubscribe());
  await waitsWith(['select 1 from public.mailing_list where email = $1 for no key update', [email]], unsubscribe, [
    'select 1 from private.opt_outs where mailbox = private.mailbox_key($1) for update nowait',
    [email],
  ]);
});

describe('whoever opts an address out locks the tasks at which it was given first, as a verified action does', () => {
  const given = async () => {
    const [owner, member] = [await newOwner(), await newMember()];
    const { taskId } = await newQuest(owner);
    await sql().query(
      `insert into private.task_tokens (task_id, user_id, participant_email, subscribes, reward_points)
       values ($1, $2, $3, true, 10)`,
      [taskId, member.id, member.email],
    );
    await unwrap(member.client.rpc('subscribe_to_mailing_list', { p_email: member.email }));
    const { rows } = await sql().query('select id from public.mailing_list where email = $1', [member.email]);
    const started: Lock = ['select 1 from private.task_tokens where user_id = $1 for update', [member.id]];
    return { email: member.email, started, entry: rows[0].id as string };
  };

  test('the holder', async () => {
    const { email, started, entry } = await given();
    const link = await unwrap(asService().rpc('get_unsubscribe_token', { p_email: email }));
    const unsubscribe = () => asAnon().rpc('unsubscribe_from_mailing_list', { p_token: link });
    await waitsWith(started, unsubscribe, lockOf('public.mailing_list', entry));
  });

  test('an admin', async () => {
    const { started, entry } = await given();
    const { client } = await newAdmin();
    const switchOff = () => client.rpc('set_mailing_list_active', { p_entry_id: entry, p_is_active: false });
    await waitsWith(started, switchOff, lockOf('public.mailing_list', entry));
  });
});
