import { asAnon } from '../../../local/testing/clients.ts';
import { type Member, type Owner, unwrap } from './factories.ts';

export const suspendUser = (admin: Member, { id }: Member, reason = 'Scam') =>
  unwrap(admin.client.rpc('suspend_user', { p_user_id: id, p_reason: reason }));
export const lift = (admin: Member, { id }: Member) => unwrap(admin.client.rpc('lift_suspension', { p_user_id: id }));
export const revoke = (who: Member, { startup }: Owner, reason = 'Sells followers') =>
  who.client.rpc('revoke_verification', { p_startup_id: startup.id, p_reason: reason });
export const verify = (admin: Member, id: string, note = 'Checked again') =>
  unwrap(admin.client.rpc('set_startup_status', { p_startup_id: id, p_status: 'verified', p_note: note }));

/** How much of a project and its quest a visitor finds: SHOWN or HIDDEN. */
export async function shown({ startup }: Owner, campaignId: string) {
  const visitor = asAnon();
  const project = await unwrap(visitor.from('startup_profiles').select('id').eq('id', startup.id));
  const quest = await unwrap(visitor.from('campaigns').select('id').eq('id', campaignId));
  const tasks = await unwrap(visitor.from('tasks').select('id').eq('campaign_id', campaignId));
  const listed = await unwrap(visitor.rpc('list_published_quests', { p_search: `Quest of`, p_limit: 100 }));
  return {
    project: project.length,
    quest: quest.length,
    tasks: tasks.length,
    listed: listed.filter(({ id }) => id === campaignId).length,
  };
}
export const SHOWN = { project: 1, quest: 1, tasks: 1, listed: 1 };
export const HIDDEN = { project: 0, quest: 0, tasks: 0, listed: 0 };
