/** Points from one level to the next (REWARD-02). */
const pointsPerLevel = 1000;

export type LevelProgress = {
  level: number;

  /** Points still missing for the next level. */
  missing: number;
  /** How much of this level is done, from 0 up to 1. */
  share: number;
};

/** Level of an amount of points: floor(points / 1000) + 1 (REWARD-02). */
export function levelOf(points: number): number {
  return Math.floor(Math.max(points, 0) / pointsPerLevel) + 1;
}

/** Progress within the current level, for the ring. */
export function levelProgress(points: number): LevelProgress {
  const gathered = Math.max(points, 0) % pointsPerLevel;
  return { level: levelOf(points), missing: pointsPerLevel - gathered, share: gathered / pointsPerLevel };
}
