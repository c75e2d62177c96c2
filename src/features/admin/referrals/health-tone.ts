/** Green from 90, yellow from 75, red below (ADMIN-10). */
export function healthTone(score: number): 'action' | 'warning' | 'danger' {
  if (score >= 90) return 'action';
  return score >= 75 ? 'warning' : 'danger';
}

/** The colour in words, for those who do not see it. */
export const healthWords = { action: 'Healthy', warning: 'Needs a look', danger: 'Unhealthy' } as const;
