import { type Member, newMember, unwrap } from './factories.ts';

export const codeOf = async (who: Member) => (await unwrap(who.client.rpc('create_user_referral_code'))).code;

export const claim = (who: Member, code: string, userId = who.id) =>
  who.client.rpc('process_referral_signup', { p_user_id: userId, p_code: code });

/** A member who has referred another one. */
export async function referral(): Promise<{ referrer: Member; invited: Member }> {
  const referrer = await newMember('referrer');
  const invited = await newMember('invited');
  await unwrap(claim(invited, await codeOf(referrer)));
  return { referrer, invited };
}
