import { lazyPage } from './lazy-page';

/** The page of every route, each in a chunk of its own, except for those of signing in, which share one. */
export const HomePage = lazyPage(() => import('@/features/home/pages/home-page'));
export const HubPage = lazyPage(() => import('@/features/marketplace/pages/hub-page'));
export const QuestPage = lazyPage(() => import('@/features/marketplace/pages/quest-page'));
export const ProjectPage = lazyPage(() => import('@/features/marketplace/pages/project-page'));

export const FounderDashboardPage = lazyPage(() => import('@/features/founder/pages/dashboard-page'));
export const ProjectCreatePage = lazyPage(() => import('@/features/projects/pages/project-create-page'));
export const ProjectEditPage = lazyPage(() => import('@/features/projects/pages/project-edit-page'));
/** Redirects to create or edit (C-30). */
export const ProjectProfilePage = lazyPage(async () => ({
  default: (await import('@/features/projects/pages/project-edit-page')).ProjectProfilePage,
}));
export const DevelopersPage = lazyPage(() => import('@/features/projects/pages/developers-page'));
export const QuestCreatePage = lazyPage(() => import('@/features/quests/pages/quest-create-page'));
export const QuestEditPage = lazyPage(() => import('@/features/quests/pages/quest-edit-page'));
export const SubmissionsPage = lazyPage(() => import('@/features/submissions/pages/submissions-page'));
export const ReviewPage = lazyPage(() => import('@/features/submissions/pages/review-page'));
export const FounderWalletPage = lazyPage(() => import('@/features/founder/pages/wallet-page'));
export const BillingPage = lazyPage(() => import('@/features/checkout/pages/billing-page'));
export const SubscribePage = lazyPage(() => import('@/features/checkout/pages/subscribe-page'));

export const RewardsPage = lazyPage(() => import('@/features/rewards/pages/rewards-page'));
export const MemberProfilePage = lazyPage(() => import('@/features/rewards/pages/member-profile-page'));
export const ReferralsPage = lazyPage(() => import('@/features/referrals/pages/referrals-page'));
export const MemberDashboardPage = lazyPage(() => import('@/features/member/pages/dashboard-page'));
export const MyQuestsPage = lazyPage(() => import('@/features/member/pages/my-quests-page'));
export const ProfilePage = lazyPage(() => import('@/features/member/pages/profile-page'));
export const SettingsPage = lazyPage(() => import('@/features/member/pages/settings-page'));
export const NotificationsPage = lazyPage(() => import('@/features/notifications/pages/notifications-page'));
export const OnboardingPage = lazyPage(() => import('@/features/onboarding/pages/onboarding-page'));

export const AdminPage = lazyPage(() => import('@/features/admin/pages/admin-page'));
export const AdminDataPage = lazyPage(() => import('@/features/admin/pages/admin-data-page'));
export const AdminProjectEditPage = lazyPage(() => import('@/features/admin/pages/admin-project-edit-page'));

const authPages = () => import('./pages/auth-pages');
export const SignInPage = lazyPage(async () => ({ default: (await authPages()).SignInPage }));
export const SignUpPage = lazyPage(async () => ({ default: (await authPages()).SignUpPage }));
export const AuthNotConfiguredPage = lazyPage(async () => ({ default: (await authPages()).AuthNotConfiguredPage }));
export const AppDashboardPage = lazyPage(async () => ({ default: (await authPages()).AppDashboardPage }));

export const SubscriptionPage = lazyPage(() => import('@/features/mailing-list/pages/subscription-page'));
export const LegalPage = lazyPage(() => import('./legal/legal-page'));
export const NotFoundPage = lazyPage(() => import('./pages/not-found-page'));
export const PricingPage = lazyPage(() => import('./pages/pricing-page'));

/** Prerendered pages by path, with their code: pages that are the same for everybody until the session is known. */
export const prerenderedPages: Readonly<Record<string, { preload: () => Promise<void> }>> = {
  '/': HomePage,
  '/browse': HubPage,
  '/pricing': PricingPage,
  '/terms': LegalPage,
  '/privacy': LegalPage,
  '/cookies': LegalPage,
};
