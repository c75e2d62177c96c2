import { lazyPage as lazy } from './lazy-page';

/** The page of every route, each in a chunk of its own. A page is the default export of its module. */
export const HomePage = lazy(() => import('@/features/home/pages/home-page'));

export const HubPage = lazy(() => import('@/features/marketplace/pages/hub-page'));
export const QuestPage = lazy(() => import('@/features/marketplace/pages/quest-page'));

export const ProjectPage = lazy(() => import('@/features/marketplace/pages/project-page'));
export const FounderDashboardPage = lazy(() => import('@/features/founder/pages/dashboard-page'));
export const ProjectCreatePage = lazy(() => import('@/features/projects/pages/project-create-page'));
export const ProjectEditPage = lazy(() => import('@/features/projects/pages/project-edit-page'));
/** Redirects to create or edit (C-30). */
export const ProjectProfilePage = lazy(() => import('@/features/projects/pages/project-profile-page'));

export const DevelopersPage = lazy(() => import('@/features/projects/pages/developers-page'));

export const QuestCreatePage = lazy(() => import('@/features/quests/pages/quest-create-page'));
export const QuestEditPage = lazy(() => import('@/features/quests/pages/quest-edit-page'));
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

export const AdminPage = lazy(() => import('@/features/admin/pages/admin-page'));
export const AdminDataPage = lazy(() => import('@/features/admin/pages/admin-data-page'));
export const AdminProjectEditPage = lazy(() => import('@/features/admin/pages/admin-project-edit-page'));

export const SignInPage = lazy(() => import('./pages/sign-in-page'));
export const SignUpPage = lazy(() => import('./pages/sign-up-page'));
export const AppDashboardPage = lazy(() => import('./pages/app-dashboard-page'));
export const ConfirmSubscriptionPage = lazy(() => import('@/features/mailing-list/pages/confirm-subscription-page'));
export const UnsubscribePage = lazy(() => import('@/features/mailing-list/pages/unsubscribe-page'));
export const LegalPage = lazy(() => import('./pages/legal-page'));
export const NotFoundPage = lazy(() => import('./pages/not-found-page'));
export const PricingPage = lazy(() => import('./pages/pricing-page'));
export const AuthNotConfiguredPage = lazy(() => import('./pages/auth-not-configured-page'));
