import { lazyPage as lazy } from './lazy-page';

/**
 * The page of every route, each in a chunk of its own:
 * `lazy(() => import('@/features/marketplace/pages/hub-page'))`, with the page as the module's default export.
 */
export const HomePage = lazy(() => import('@/features/home/pages/home-page'));

export const HubPage = lazy(() => import('@/features/marketplace/pages/hub-page'));
export const QuestPage = lazy(() => import('@/features/marketplace/pages/quest-page'));

export const ProjectPage = lazy(async () => ({
  default: (await import('@/features/marketplace/pages/project-page')).ProjectPage,
}));
export const FounderDashboardPage = lazy(async () => ({
  default: (await import('@/features/founder/pages/dashboard-page')).FounderDashboardPage,
}));
export const ProjectCreatePage = lazy(async () => ({
  default: (await import('@/features/projects/pages/project-create-page')).ProjectCreatePage,
}));
export const ProjectEditPage = lazy(async () => ({
  default: (await import('@/features/projects/pages/project-edit-page')).ProjectEditPage,
}));
/** Redirects to create or edit (C-30). */
export const ProjectProfilePage = lazy(async () => ({
  default: (await import('@/features/projects/pages/project-edit-page')).ProjectProfilePage,
}));

export const DevelopersPage = lazy(() => import('@/features/projects/pages/developers-page'));

export const QuestCreatePage = lazy(async () => ({
  default: (await import('@/features/quests/pages/quest-create-page')).QuestCreatePage,
}));
export const QuestEditPage = lazy(async () => ({
  default: (await import('@/features/quests/pages/quest-edit-page')).QuestEditPage,
}));
export const SubmissionsPage = lazy(() => import('@/features/submissions/pages/submissions-page'));
export const ReviewPage = lazy(() => import('@/features/submissions/pages/review-page'));
export const FounderWalletPage = lazy(() => import('@/features/founder/pages/wallet-page'));
export const BillingPage = lazy(() => import('@/features/checkout/pages/billing-page'));
export const SubscribePage = lazy(() => import('@/features/checkout/pages/subscribe-page'));

export const RewardsPage = lazy(() => import('@/features/rewards/pages/rewards-page'));
export const MemberProfilePage = lazy(() => import('@/features/rewards/pages/member-profile-page'));
export const ReferralsPage = lazy(() => import('@/features/referrals/pages/referrals-page'));
export const MemberDashboardPage = lazy(() => import('@/features/member/pages/dashboard-page'));
export const MyQuestsPage = lazy(() => import('@/features/member/pages/my-quests-page'));
export const ProfilePage = lazy(() => import('@/features/member/pages/profile-page'));
export const SettingsPage = lazy(() => import('@/features/member/pages/settings-page'));
export const NotificationsPage = lazy(() => import('@/features/notifications/pages/notifications-page'));
export const OnboardingPage = lazy(() => import('@/features/onboarding/pages/onboarding-page'));

export const AdminPage = lazy(async () => ({ default: (await import('@/features/admin/pages/admin-page')).AdminPage }));
export const AdminDataPage = lazy(async () => ({
  default: (await import('@/features/admin/pages/admin-data-page')).AdminDataPage,
}));
export const AdminProjectEditPage = lazy(async () => ({
  default: (await import('@/features/admin/pages/admin-project-edit-page')).AdminProjectEditPage,
}));

export const SignInPage = lazy(() => import('./pages/sign-in-page'));
export const SignUpPage = lazy(() => import('./pages/sign-up-page'));
export const AppDashboardPage = lazy(() => import('./pages/app-dashboard-page'));
export const ConfirmSubscriptionPage = lazy(() => import('@/features/mailing-list/pages/confirm-subscription-page'));
export const UnsubscribePage = lazy(() => import('@/features/mailing-list/pages/unsubscribe-page'));
export const LegalPage = lazy(() => import('./pages/legal-page'));
export const NotFoundPage = lazy(async () => ({ default: (await import('./pages/not-found-page')).NotFoundPage }));
export const PricingPage = lazy(() => import('./pages/pricing-page'));
export const AuthNotConfiguredPage = lazy(() => import('./pages/auth-not-configured-page'));
