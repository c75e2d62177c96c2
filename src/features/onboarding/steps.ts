import type { LucideIcon } from 'lucide-react';
import { Compass, Megaphone, Store, Wallet } from 'lucide-react';
import { paths } from '@/lib/paths';
import { isStartupRole, type Role } from '@/lib/role';

/** One step of the wizard: what to do and where it is done. */
export type OnboardingStep = { id: string; title: string; text: string; action: string; to: string; icon: LucideIcon };

const community: readonly OnboardingStep[] = [
  {
    id: 'first-quest',
    title: 'Complete your first quest',
    text: 'Pick a quest, do its tasks and send your proof. Points arrive as soon as it is approved.',
    action: 'Find a quest',
    to: paths.community,
    icon: Compass,
  },
  {
    id: 'check-wallet',
    title: 'Check your wallet',
    text: 'See your points, your level and what you can redeem them for.',
    action: 'Open your wallet',
    to: paths.rewards,
    icon: Wallet,
  },
];

const startup: readonly OnboardingStep[] = [
  {
    id: 'create-profile',
    title: 'Create your project profile',
    text: 'A name, a logo and a sentence about what you build. It is what people see on every quest.',
    action: 'Create profile',
    to: paths.startupCreate,
    icon: Store,
  },
  {
    id: 'first-campaign',
    title: 'Create your first campaign',
    text: 'Choose a template, set the reward and publish. Your trial budget covers the first 500 points.',
    action: 'Create campaign',
    to: paths.campaignCreate,
    icon: Megaphone,
  },
  {
    id: 'check-wallet',
    title: 'Check your wallet',
    text: 'Follow how many points are free, set aside for quests and paid out.',
    action: 'Open project wallet',
    to: paths.startupWallet,
    icon: Wallet,
  },
];

/** The steps of a role (ONB-02, ONB-03, C-66). Admins see the community's. */
export function onboardingSteps(role: Role): readonly OnboardingStep[] {
  return isStartupRole(role) ? startup : community;
}
