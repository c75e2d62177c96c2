/** The rules of the beta in plain words. */
export function TermsOfUse() {
  return (
    <>
      <p>Questboard is in beta. Using it, you agree to the following.</p>
      <h3>Quests and proofs</h3>
      <p>
        Do the task yourself and prove it honestly. One submission per person and task. Owners decide with reasons; a
        rejected proof may be sent again.
      </p>
      <h3>Points and rewards</h3>
      <p>
        Points have no cash value and cannot be transferred. Rewards are limited by their stock. Points gained by
        cheating can be taken back.
      </p>
      <h3>Projects</h3>
      <p>
        Describe your project truthfully, ask only for lawful tasks and use collected emails only for what you said.
      </p>
      <h3>Accounts</h3>
      <p>One account per person. We may suspend accounts that break these rules and will say why.</p>
    </>
  );
}
