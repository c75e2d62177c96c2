/** What is kept and why, as the product really does it. */
export function PrivacyPolicy() {
  return (
    <>
      <p>This is what Questboard keeps about you, and what for.</p>
      <h3>Your account</h3>
      <p>
        Your name, email address and sign-in are kept by our identity provider. We keep a copy of your name and email,
        your role, your points and what you did to earn or spend them.
      </p>
      <h3>Your proofs</h3>
      <p>
        Links, texts and screenshots that you submit are seen by you, by the owner of the quest and by our admins.
        Nobody else can open them.
      </p>
      <h3>Emails that quests collect</h3>
      <p>Some quests ask for an email address. If you give one, the owner of that quest receives it.</p>
      <h3>After you delete your account</h3>
      <p>
        We remove your name, addresses, profile, proofs and files. The record of points stays, under an id that no
        longer leads to you. We also keep a keyed hash of each email address that you had verified, so that referral
        bonuses, trial points and plans are given once per person. It cannot be turned back into the address.
      </p>
      <h3>The leaderboard</h3>
      <p>The public leaderboard shows your points with a masked name.</p>
      <h3>Your choices</h3>
      <p>
        Every mailing has a link that ends it. To see or delete what we keep about you, write to us through Share
        Feedback.
      </p>
    </>
  );
}
