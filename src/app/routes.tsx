import type { RouteObject } from 'react-router-dom';
import { isStartupRole, roles } from '@/lib/role';
import { RequireSession } from './guards';
import { AppLayout } from './layout/app-layout';
import { workScreen } from './layout/footer';
import * as pages from './pages';
import { RouteErrorPage } from './pages/error-page';

const startupRoles = roles.filter(isStartupRole);

/** Public routes, and the only ones when sign-in is not configured (ROUTE-01, 02, 05, 17). */
const alwaysOpen: RouteObject[] = [
  { path: '/', element: <pages.HomePage /> },
  { path: '/browse', element: <pages.HubPage /> },
  { path: '/browse/quest/:id', element: <pages.QuestPage /> },
  { path: '/rewards', element: <pages.RewardsPage /> },
  { path: '/pricing', element: <pages.PricingPage /> },
];

const open: RouteObject[] = [
  { path: '/quest/:id', element: <pages.QuestPage /> },
  { path: '/community/project/:id', element: <pages.ProjectPage /> },
  { path: '/m/:handle', element: <pages.MemberProfilePage /> },
  { path: '/terms', element: <pages.LegalPage text="terms" /> },
  { path: '/privacy', element: <pages.LegalPage text="privacy" /> },
  { path: '/cookies', element: <pages.LegalPage text="cookies" /> },
  { path: '/confirm-subscription', element: <pages.SubscriptionPage action="confirm" /> },
  { path: '/unsubscribe', element: <pages.SubscriptionPage action="unsubscribe" /> },
  { path: '/auth/signup/*', element: <pages.SignUpPage /> },
  { path: '/auth/*', element: <pages.SignInPage /> },
];

/** Any signed-in role (ROUTE-03, 04, 07, 12, BEY-03). */
const members: RouteObject[] = [
  { path: '/community', element: <pages.MemberDashboardPage /> },
  { path: '/community/profile', element: <pages.ProfilePage /> },
  { path: '/community/settings', element: <pages.SettingsPage /> },
  { path: '/community/quests', element: <pages.MyQuestsPage /> },
  { path: '/community/referrals', element: <pages.ReferralsPage /> },
  { path: '/community/quest/:id', element: <pages.QuestPage /> },
  { path: '/profile', element: <pages.ProfilePage /> },
  { path: '/settings', element: <pages.SettingsPage /> },
  { path: '/notifications', element: <pages.NotificationsPage /> },
  { path: '/app-dashboard', element: <pages.AppDashboardPage /> },
  { path: '/onboarding', element: <pages.OnboardingPage /> },
  { path: '/startup/subscribe', element: <pages.SubscribePage /> },
];

/** Startup roles only (ROUTE-08..11, C-29). */
const projects: RouteObject[] = [
  { path: '/startup', element: <pages.FounderDashboardPage /> },
  { path: '/startup/create', element: <pages.ProjectCreatePage /> },
  { path: '/startup/profile', element: <pages.ProjectProfilePage /> },
  { path: '/startup/profile/edit', element: <pages.ProjectEditPage /> },
  { path: '/startup/review', element: <pages.ReviewPage /> },
  { path: '/startup/wallet', element: <pages.FounderWalletPage /> },
  { path: '/startup/developers', element: <pages.DevelopersPage /> },
  { path: '/startup/billing', element: <pages.BillingPage /> },
  { path: '/startup/campaigns/new', element: <pages.QuestCreatePage /> },
  { path: '/startup/campaigns/create', element: <pages.QuestCreatePage /> },
  { path: '/startup/create-quest', element: <pages.QuestCreatePage /> },
  { path: '/startup/campaigns/:id/edit', element: <pages.QuestEditPage /> },
  { path: '/startup/campaigns/:id/submissions', element: <pages.SubmissionsPage /> },
];

/** The admin role only (ROUTE-13, ROUTE-14, C-31). */
const admins: RouteObject[] = [
  { path: '/admin', element: <pages.AdminPage /> },
  { path: '/admin/data', element: <pages.AdminDataPage /> },
  { path: '/admin/projects/:id/edit', element: <pages.AdminProjectEditPage /> },
];

const configured: RouteObject[] = [
  ...alwaysOpen,
  ...open,
  { element: <RequireSession />, handle: workScreen, children: members },
  { element: <RequireSession roles={startupRoles} />, handle: workScreen, children: projects },
  { element: <RequireSession roles={['admin']} />, handle: workScreen, children: admins },
];

const notConfigured: RouteObject[] = [...alwaysOpen, { path: '/auth/*', element: <pages.AuthNotConfiguredPage /> }];

/** The routes of the app; without an identity provider only the public ones (ROUTE-17, ROUTE-18, C-63). */
export function appRoutes(options: { isAuthConfigured: boolean }): RouteObject[] {
  return [
    {
      element: <AppLayout />,
      errorElement: <RouteErrorPage />,
      children: [
        ...(options.isAuthConfigured ? configured : notConfigured),
        { path: '*', element: <pages.NotFoundPage /> },
      ],
    },
  ];
}
