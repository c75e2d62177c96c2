import { newMember, unwrap } from '../../supabase/tests/support/factories.ts';

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
