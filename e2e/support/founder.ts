import type { BrowserContext, Page } from '@playwright/test';
import { newMember, newOwner, newQuest, type Owner, unwrap } from '../../supabase/tests/support/factories.ts';
import { expect, signUp } from '../fixtures.ts';

const LINK = 'https://blog.example/kitebox';

/** A new founder with a verified project and the 500 points of the trial, signed in in the given browser context. */
export async function newFounder(context: BrowserContext, label = 'founder'): Promise<Owner> {
  const { userId, email, client } = await signUp(context, label);
  await unwrap(client.rpc('switch_role', { p_role: 'startup' }));
  const startup = await unwrap(
    client.rpc('create_startup_profile', { p_name: `Kitebox ${userId.slice(-8)}`, p_industry: 'SaaS' }),
  );
  return { id: userId, email, name: label, client, claims: {}, startup };
}

/** Completes a quest of another project, so that the founder passes the gate before the first own quest. */
export async function completeSomeQuest(founder: Owner): Promise<void> {
  const { taskId } = await newQuest(await newOwner('neighbour'));
  await unwrap(founder.client.rpc('submit_proof', { p_task_id: taskId, p_url: LINK }));
}

/** A new member and their proof of a task. Rejects when the proof is refused. */
export async function submitAsNewMember(taskId: string, proof: { p_url?: string; p_text?: string } = { p_url: LINK }) {
  const member = await newMember();
  const submission = await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, ...proof }));
  return { member, submission };
}

/** A new member's rating of a project. */
export async function rateProject(startupId: string, rating: number): Promise<void> {
  const member = await newMember('rater');
  await unwrap(
    member.client.rpc('submit_project_feedback', {
      p_project_id: startupId,
      p_rating: rating,
      p_feedback_text: 'Tried it, told it.',
    }),
  );
}

/** Expects the open alert to have exactly this text, and closes it. */
export async function expectAlert(page: Page, sentence: string): Promise<void> {
  const alert = page.getByRole('alertdialog', { name: 'Please note' });
  await expect(alert).toContainText(sentence);
  await alert.getByRole('button', { name: 'OK' }).click();
  await expect(alert).toBeHidden();
}
