/** Why points cannot be taken back, and what an admin can do: a wallet does not go below zero. */
export const spentSentence = (name: string): string =>
  `${name} has spent these points and has fewer left. Cancel a redemption that is still pending, or take what is left with “Correct points” in the People tab.`;
