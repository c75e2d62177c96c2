/** The keys of the admin's queries; all of them begin with the same one, so that one call makes them all stale. */
export const adminKeys = {
  all: ['admin'] as const,
  todo: ['admin', 'todo'] as const,
  list: (name: string, filters: unknown) => ['admin', name, 'list', filters] as const,
  stats: (name: string) => ['admin', name, 'stats'] as const,
  platformStats: (days: number) => ['admin', 'platform', 'stats', days] as const,
  activity: (days: number) => ['admin', 'platform', 'activity', days] as const,
  project: (id: string) => ['admin', 'projects', 'detail', id] as const,
  projectQuests: (id: string) => ['admin', 'projects', 'quests', id] as const,
  projectHistory: (id: string) => ['admin', 'projects', 'history', id] as const,
  person: (userId: string) => ['admin', 'people', 'profile', userId] as const,
  personWallets: (userId: string) => ['admin', 'people', 'wallets', userId] as const,
  referralReport: ['admin', 'referrals', 'report'] as const,
  referralHealth: ['admin', 'referrals', 'health'] as const,
  rewards: ['admin', 'rewards'] as const,
  systemStatus: ['admin', 'system-status'] as const,
  systemHealth: ['admin', 'system-health'] as const,
};
