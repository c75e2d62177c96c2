import { lazy, Suspense } from 'react';
import { Spinner } from '@/components/ui/spinner';
import { OverviewTab } from '../overview/overview-tab';
import type { AdminTodo } from '../queries';
import type { AdminTab } from '../tabs';

/** Each tab comes when it is opened for the first time; the overview with the page. */
const tabs = {
  projects: lazy(async () => ({ default: (await import('../projects/projects-tab')).ProjectsTab })),
  quests: lazy(async () => ({ default: (await import('../quests/quests-tab')).QuestsTab })),
  feedback: lazy(async () => ({ default: (await import('../feedback/feedback-tab')).FeedbackTab })),
  'mailing-list': lazy(async () => ({ default: (await import('../mailing-list/mailing-list-tab')).MailingListTab })),
  referrals: lazy(async () => ({ default: (await import('../referrals/referrals-tab')).ReferralsTab })),
  analytics: lazy(async () => ({ default: (await import('../analytics/analytics-tab')).AnalyticsTab })),
  settings: lazy(async () => ({ default: (await import('../settings/settings-tab')).SettingsTab })),
  rewards: lazy(async () => ({ default: (await import('../rewards/rewards-tab')).RewardsTab })),
  redemptions: lazy(async () => ({ default: (await import('../redemptions/redemptions-tab')).RedemptionsTab })),
  people: lazy(async () => ({ default: (await import('../people/people-tab')).PeopleTab })),
  submissions: lazy(async () => ({ default: (await import('../submissions/submissions-tab')).SubmissionsTab })),
  audit: lazy(async () => ({ default: (await import('../audit/audit-tab')).AuditTab })),
  mail: lazy(async () => ({ default: (await import('../mail/mail-tab')).MailTab })),
} satisfies Record<Exclude<AdminTab, 'overview'>, unknown>;

export function TabContent({ tab, todo }: { tab: AdminTab; todo: AdminTodo }) {
  if (tab === 'overview') return <OverviewTab todo={todo} />;
  const Content = tabs[tab];
  return (
    <Suspense fallback={<Spinner label={tab === 'referrals' ? 'Loading referral statistics...' : 'Loading...'} />}>
      <Content />
    </Suspense>
  );
}
