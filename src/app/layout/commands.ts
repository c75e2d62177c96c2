import { adminTabPath, adminTabs } from '@/features/admin';
import type { Session } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { isStartupRole } from '@/lib/role';

/** A page in the command menu. `keywords`: synonyms to find it by. */
export type PageCommand = { to: string; label: string; keywords?: string[] };

const everyonesPages: PageCommand[] = [
  { to: paths.home, label: 'Home', keywords: ['start'] },
  { to: paths.browse(), label: 'Explore quests', keywords: ['hub', 'browse', 'find'] },
  { to: paths.browse('projects'), label: 'Explore projects', keywords: ['hub', 'browse', 'startups'] },
  { to: paths.rewards, label: 'Redeem Rewards', keywords: ['wallet', 'points', 'balance', 'leaderboard'] },
  { to: paths.pricing, label: 'Pricing', keywords: ['plans'] },
];

const membersPages: PageCommand[] = [
  { to: paths.community, label: 'Community Dashboard', keywords: ['next step', 'streak'] },
  { to: paths.myQuests, label: 'My quests', keywords: ['proofs', 'submissions'] },
  { to: paths.walletHistory, label: 'Points history', keywords: ['wallet', 'transactions', 'ledger'] },
  { to: paths.referrals, label: 'Referrals', keywords: ['invite', 'link'] },
];

const foundersPages: PageCommand[] = [
  { to: paths.founder, label: 'Project Dashboard', keywords: ['startup'] },
  { to: paths.review, label: 'Review', keywords: ['proofs', 'submissions', 'approve'] },
  { to: paths.createQuest, label: 'Create Quest', keywords: ['new'] },
  { to: paths.projectWallet, label: 'Project wallet', keywords: ['points', 'transactions', 'ledger'] },
  { to: paths.billing, label: 'Points and billing', keywords: ['buy', 'invoices', 'receipts'] },
  { to: paths.projectProfile, label: 'Project profile', keywords: ['logo', 'website'] },
];

const accountPages: PageCommand[] = [
  { to: paths.notifications, label: 'Notifications', keywords: ['inbox', 'news'] },
  { to: paths.profile, label: 'Edit Profile', keywords: ['name', 'public profile'] },
  { to: paths.settings, label: 'Settings', keywords: ['account', 'mail', 'export', 'delete'] },
];

const adminsPages: PageCommand[] = [
  ...adminTabs.map(({ value, label }) => ({ to: adminTabPath(value), label: `Admin: ${label}` })),
  { to: paths.adminData, label: 'Admin: Data', keywords: ['figures', 'charts'] },
];

const visitorsPages: PageCommand[] = [
  { to: paths.signIn(), label: 'Sign In', keywords: ['log in'] },
  { to: paths.signUp(), label: 'Get Started', keywords: ['sign up', 'join', 'register'] },
];

/** The pages that this role can open, its own first. */
export function pageCommands(session: Session): PageCommand[] {
  if (session.status === 'loading') return everyonesPages;
  if (session.status === 'signed-out') return [...everyonesPages, ...visitorsPages];
  const own = isStartupRole(session.role) ? foundersPages : membersPages;
  return [...own, ...everyonesPages, ...accountPages, ...(session.role === 'admin' ? adminsPages : [])];
}

/**
 * Entries for which every typed word is a prefix of a word in the label or keywords; matches in the label first. All
 * entries without input.
 */
export function matching<Item extends { label: string; keywords?: string[] }>(items: Item[], typed: string): Item[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const startsOf = (text: string) => text.toLowerCase().split(/\s+/);
  const fits = (text: string) => words.every((word) => startsOf(text).some((start) => start.startsWith(word)));
  const inLabel = items.filter(({ label }) => fits(label));
  const inKeywords = items.filter(({ label, keywords = [] }) => !fits(label) && fits(`${label} ${keywords.join(' ')}`));
  return [...inLabel, ...inKeywords];
}
