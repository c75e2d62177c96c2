import { act, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { LegalLinks } from '@/app/layout/footer-parts';
import { Header } from '@/app/layout/header';
import LateParts from '@/app/layout/late-parts';
import MemberCorner from '@/app/layout/member-corner';
import { openCommandMenu } from '@/app/layout/open-command-menu';
import { useAlert } from '@/components/alert-dialogs';
import { lostSentence } from '@/components/lazy';
import { Markdown } from '@/components/markdown';
import { toast } from '@/components/ui/toast';
import { FeedbackProvider, FeedbackTab } from '@/features/feedback';
import HubPage from '@/features/marketplace/pages/hub-page';
import { NotificationBell } from '@/features/notifications';
import { fakeApi } from '@/lib/testing/fake-api';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import { profileRow } from '@/lib/testing/rows';
import { expectConsoleError } from '@/lib/testing/setup';

/** No network, or a deployment that has replaced the file. */
const lost = vi.hoisted(() => () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});
vi.mock('@/components/ui/toaster', lost);
vi.mock('@/components/alert-dialogs-content', lost);
vi.mock('@/components/markdown-renderer', lost);
vi.mock('@/app/layout/command-menu', lost);
vi.mock('@/app/layout/mobile-menu-sheet', lost);
vi.mock('@/app/layout/user-menu', lost);
vi.mock('@/app/legal/legal-dialog', lost);
vi.mock('@/features/feedback/components/beta-feedback-dialog', lost);
vi.mock('@/features/notifications/components/latest-notifications', lost);
vi.mock('@/features/marketplace/components/quest-filters', lost);

beforeEach(() => {
  expectConsoleError(/when mocking a module/);
  vi.spyOn(window, 'alert').mockImplementation(() => undefined);
});

/** What somebody has typed is still there: nothing has replaced the page. */
async function expectPageToStay(user: ReturnType<typeof renderApp>['user']) {
  await user.type(screen.getByLabelText('Title'), '!');
  expect(screen.getByLabelText('Title')).toHaveValue('Kites!');
}
const withForm = (part: ReactNode) => (
  <>
    <input aria-label="Title" defaultValue="Kites" />
    {part}
  </>
);

function Alerting() {
  const alert = useAlert();
  return (
    <button type="button" onClick={() => alert('We could not confirm whether it went through.')}>
      Save
    </button>
  );
}

function Searching() {
  return (
    <>
      <button type="button" onClick={openCommandMenu}>
        Search
      </button>
      <LateParts />
    </>
  );
}

const Feedback = () => (
  <FeedbackProvider>
    <FeedbackTab />
  </FeedbackProvider>
);

describe('BEY-12 code that cannot be fetched takes no page away', () => {
  it('of an alert: the browser says it', async () => {
    const { user } = renderApp(withForm(<Alerting />));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(window.alert).toHaveBeenCalledWith('We could not confirm whether it went through.'));
    await expectPageToStay(user);
  });

  it('of a toast: the browser says what went wrong', async () => {
    const { user } = renderApp(withForm(null));
    act(() => toast.error('Network error'));
    await waitFor(() => expect(window.alert).toHaveBeenCalledWith('Network error'));
    await expectPageToStay(user);
  });

  it('of a text: it is read as it was written', async () => {
    renderApp(withForm(<Markdown text={'Find **three** leaves.\nAny tree.'} />));
    expect(await screen.findByText(/Find \*\*three\*\* leaves\./)).toBeInTheDocument();
    expect(screen.getByLabelText('Title')).toHaveValue('Kites');
  });

  it('of the filters: it says so in its place', async () => {
    fakeApi({ 'rpc list_published_quests': [] });
    const { user } = renderApp(withForm(<HubPage />), { identity: signedOut });
    await user.click(await screen.findByRole('button', { name: 'Filters' }));
    expect(await screen.findByText(lostSentence)).toBeInTheDocument();
    expect(screen.getByLabelText('Title')).toHaveValue('Kites');
  });

  it.each([
    ['the menu', 'Menu', <Header key="header" />, signedOut],
    ['the command menu', 'Search', <Searching key="search" />, signedOut],
    ['the feedback form', 'Share Feedback', <Feedback key="feedback" />, signedOut],
    ['a legal text', 'Privacy policy', <LegalLinks key="legal" />, signedOut],
    ['the bell', 'Notifications', <NotificationBell key="bell" />, signedIn()],
    ["the user's menu", /Your menu/, <MemberCorner key="corner" />, signedIn('admin')],
  ])('of %s: it is said with each press', async (_, name, part, identity) => {
    localStorage.setItem('questboard.welcome-email-sent.user_test', 'true');
    fakeApi({
      'rpc get_unread_notification_count': 0,
      'rpc sync_current_user': profileRow({ role: 'admin' }),
      'GET user_profiles': [profileRow({ role: 'admin' })],
    });
    const { user } = renderApp(withForm(part), { identity });
    for (const presses of [1, 2]) {
      await user.click(await screen.findByRole('button', { name }));
      await waitFor(() => expect(window.alert).toHaveBeenCalledTimes(presses));
      expect(window.alert).toHaveBeenLastCalledWith(
        expect.stringMatching(/^This could not be loaded\. Please .*reload the page\.$/),
      );
    }
    await expectPageToStay(user);
  });
});
