import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Identity } from '@/lib/auth/session';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { pagedRows } from '@/lib/testing/paged-rows';
import { projectRow } from '@/lib/testing/quest-rows';
import { renderApp, signedIn, signedOut } from '@/lib/testing/render';
import type { ProjectFeedbackEntry } from '../queries';
import { ProjectFeedback } from './project-feedback';

const stats = {
  average_rating: 4.3,
  total_reviews: 3,
  rating_distribution: { '1': 0, '2': 0, '3': 1, '4': 0, '5': 2 },
};
const noRatings = { ...stats, average_rating: 0, total_reviews: 0 };

function review(overrides: Partial<ProjectFeedbackEntry> = {}): ProjectFeedbackEntry {
  const at = '2026-02-01T12:00:00Z';
  return { id: 'review-1', rating: 5, feedback_text: 'Works well', created_at: at, updated_at: at, ...overrides };
}

/** Reviews in the table: one by the user, others by members, and one of another project, which must not be shown. */
function table(reviews: ProjectFeedbackEntry[], own?: ProjectFeedbackEntry) {
  const foreign = { ...review({ id: 'foreign', feedback_text: 'Elsewhere' }), project_id: 'p-2', user_id: 'user_test' };
  return [
    ...reviews.map((row) => ({ ...row, project_id: 'p-1', user_id: `author_of_${row.id}` })),
    ...(own ? [{ ...own, project_id: 'p-1', user_id: 'user_test' }] : []),
    foreign,
  ];
}

type Situation = {
  identity?: Identity;
  own?: ProjectFeedbackEntry;
  reviews?: ProjectFeedbackEntry[];
  routes?: Record<string, unknown>;
  projectId?: string;
  /** What else is on the page. */
  beside?: ReactNode;
};

function setUp({
  identity = signedIn(),
  own,
  reviews = own ? [] : [review()],
  routes = {},
  projectId = 'p-1',
  beside,
}: Situation = {}) {
  const api = fakeApi({
    'rpc get_project_feedback_stats': [stats],
    'GET project_feedback': table(reviews, own),
    'rpc list_project_feedback': pagedRows((params) =>
      table(reviews, own).filter((row) => row.project_id === params.get('p_project_id')),
    ),
    'GET startup_profiles': [projectRow({ id: 'p-2', owner_user_id: 'user_test' }), projectRow({ id: 'p-1' })],
    'rpc submit_project_feedback': review(),
    'rpc update_project_feedback': review(),
    ...routes,
  });
  const sent = () => api.calls.filter(({ path }) => /rpc\/(submit|update)/.test(path));
  const page = (
    <>
      {beside}
      <ProjectFeedback projectId={projectId} />
    </>
  );
  return { api, sent, ...renderApp(page, { identity }) };
}

const openForm = async ({ user }: ReturnType<typeof setUp>, name = 'Leave feedback') => {
  await user.click(await screen.findByRole('button', { name }));
  return within(screen.getByRole('form', { name: 'Rate this project' }));
};

/** Two projects are one page, which stays mounted. */
function TwoProjects() {
  const [id, setId] = useState('p-4');
  return (
    <>
      <button type="button" onClick={() => setId('p-3')}>
        The next project
      </button>
      <ProjectFeedback projectId={id} />
    </>
  );
}

describe('ratings', () => {
  it('FEED-09 shows the average with one decimal, the number of reviews and the distribution', async () => {
    setUp();
    expect(await screen.findByText('4.3')).toBeInTheDocument();
    expect(screen.getByText('3 reviews')).toBeInTheDocument();
    const bars = screen.getAllByRole('meter').map((bar) => bar.getAttribute('aria-valuetext'));
    expect(bars).toEqual(['2 reviews', '0 reviews', '1 review', '0 reviews', '0 reviews']);
  });

  it('are counted with thousands separators', async () => {
    const many = { average_rating: 5, total_reviews: 1_200, rating_distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 1_200 } };
    setUp({ routes: { 'rpc get_project_feedback_stats': [many] } });
    expect(await screen.findByText('1,200 reviews')).toBeInTheDocument();
    expect(screen.getByText('1,200')).toBeInTheDocument();
  });

  it('FEED-09 TRUST-14 statistics that fail to load are shown as zero reviews, with the failure and Retry', async () => {
    const view = setUp({
      routes: {
        'rpc get_project_feedback_stats': offline(),
        'GET project_feedback': offline(),
        'rpc list_project_feedback': offline(),
      },
    });
    expect(await screen.findByText('The ratings could not be loaded')).toBeInTheDocument();
    expect(await screen.findByText('The reviews could not be loaded')).toBeInTheDocument();
    expect(screen.getByText('0.0')).toBeInTheDocument();
    expect(screen.getByText('0 reviews')).toBeInTheDocument();
    expect(screen.queryByText('No feedback yet')).not.toBeInTheDocument();

    view.api.routes['rpc get_project_feedback_stats'] = [stats];
    const [retry] = screen.getAllByRole('button', { name: 'Retry' });
    if (retry) await view.user.click(retry);
    expect(await screen.findByText('4.3')).toBeInTheDocument();
  });

  it('DB-28 counts from the table where the procedure is missing', async () => {
    const missing = refuse(404, null, 'Could not find the function');
    const rows = [review({ rating: 2 }), review({ id: 'review-2', rating: 5 })];
    setUp({ identity: signedOut, reviews: rows, routes: { 'rpc get_project_feedback_stats': missing } });
    expect(await screen.findByText('3.5')).toBeInTheDocument();
  });

  it('shows five reviews of the project, and more on demand', async () => {
    const six = ['6', '5', '4', '3', '2', '1'].map((id) => review({ id, feedback_text: `Review ${id}` }));
    const view = setUp({ identity: signedOut, reviews: six });
    expect(await screen.findByText('Review 2')).toBeInTheDocument();
    expect(screen.queryByText('Review 1')).not.toBeInTheDocument();
    await view.user.click(await screen.findByRole('button', { name: 'Show more reviews' }));
    expect(await screen.findByText('Review 1')).toBeInTheDocument();
    expect(screen.getByText('Review 6')).toBeInTheDocument();
    expect(screen.queryByText('Elsewhere')).not.toBeInTheDocument();
  });

  it('says that there is no feedback yet', async () => {
    setUp({ reviews: [], routes: { 'rpc get_project_feedback_stats': [noRatings] } });
    expect(await screen.findByRole('heading', { name: 'No feedback yet' })).toBeInTheDocument();
  });

  it('TRUST-13 a review is shown as text, never as markup', async () => {
    setUp({ reviews: [review({ feedback_text: '<img src=x onerror=alert(1)>' })] });
    expect(await screen.findByText('<img src=x onerror=alert(1)>')).toBeInTheDocument();
  });
});

describe('rating a project', () => {
  it('FEED-06 Submit is disabled until there are stars and text, and each number of stars has its caption', async () => {
    const view = setUp();
    const form = await openForm(view);
    const submit = form.getByRole('button', { name: 'Submit feedback' });
    expect(submit).toBeDisabled();
    expect(form.getByText('Click to rate')).toBeInTheDocument();
    for (const [index, caption] of ['Poor', 'Fair', 'Good', 'Very Good', 'Excellent'].entries()) {
      const stars = index === 0 ? '1 star' : `${index + 1} stars`;
      await view.user.click(form.getByRole('radio', { name: `${stars}: ${caption}` }));
      expect(form.getByText(caption)).toBeInTheDocument();
    }
    expect(submit).toBeDisabled();
    await view.user.type(form.getByRole('textbox'), '   ');
    expect(submit).toBeDisabled();
    await view.user.type(form.getByRole('textbox'), 'Fine');
    expect(submit).toBeEnabled();
  });

  it("FEED-06 an incomplete form that is submitted anyway alerts 'Please provide both a rating and feedback.'", async () => {
    const view = setUp();
    await openForm(view);
    fireEvent.submit(screen.getByRole('form', { name: 'Rate this project' }));
    expect(await screen.findByText('Please provide both a rating and feedback.')).toBeInTheDocument();
    expect(view.sent()).toEqual([]);
  });

  it("FEED-06 without a project id it alerts 'Project ID not found.', and also when the server does not know the project", async () => {
    const view = setUp({ projectId: '' });
    await openForm(view);
    fireEvent.submit(screen.getByRole('form', { name: 'Rate this project' }));
    expect(await screen.findByText('Project ID not found.')).toBeInTheDocument();
    view.unmount();

    const other = setUp({
      routes: { 'rpc submit_project_feedback': refuse(404, 'PROJECT_NOT_FOUND', 'Project ID not found.') },
    });
    const form = await openForm(other);
    await other.user.click(form.getByRole('radio', { name: '5 stars: Excellent' }));
    await other.user.type(form.getByRole('textbox'), 'Fine');
    await other.user.click(form.getByRole('button', { name: 'Submit feedback' }));
    expect(await screen.findByText('Project ID not found.')).toBeInTheDocument();
  });

  it('FEED-07 FEED-08 a new review is created and acknowledged, and the form closes and resets', async () => {
    const view = setUp();
    const form = await openForm(view);
    await view.user.click(form.getByRole('radio', { name: '5 stars: Excellent' }));
    await view.user.type(form.getByRole('textbox'), ' Works well ');
    await view.user.click(form.getByRole('button', { name: 'Submit feedback' }));
    expect(await screen.findByText('Thank you for your feedback! It has been submitted.')).toBeInTheDocument();
    expect(view.sent().map(({ path, body }) => [path, body])).toEqual([
      ['rpc/submit_project_feedback', { p_project_id: 'p-1', p_rating: 5, p_feedback_text: 'Works well' }],
    ]);
    expect(screen.queryByRole('form')).not.toBeInTheDocument();
    const again = await openForm(view);
    expect(again.getByRole('textbox')).toHaveValue('');
    expect(again.getByText('Click to rate')).toBeInTheDocument();
  });

  it('FEED-08 an earlier review is prefilled and updated by its id', async () => {
    const view = setUp({ own: review({ id: 'review-1', rating: 3, feedback_text: 'So so' }) });
    const form = await openForm(view, 'Update your feedback');
    expect(form.getByRole('textbox')).toHaveValue('So so');
    await view.user.click(form.getByRole('radio', { name: '4 stars: Very Good' }));
    await view.user.click(form.getByRole('button', { name: 'Update feedback' }));
    await waitFor(() => expect(view.sent()).toHaveLength(1));
    expect(view.sent()[0]).toMatchObject({
      path: 'rpc/update_project_feedback',
      body: { p_feedback_id: 'review-1', p_rating: 4, p_feedback_text: 'So so' },
    });
    expect(await screen.findByText('Your review')).toBeInTheDocument();
  });

  it('the focus goes into the form that opens, and back to the button when it closes', async () => {
    const { user } = setUp();
    await user.click(await screen.findByRole('button', { name: 'Leave feedback' }));
    const form = screen.getByRole('form', { name: 'Rate this project' });
    expect(form).toHaveFocus();
    await user.click(within(form).getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Leave feedback' })).toHaveFocus();
  });

  it('FEED-08 what was typed about one project is not sent about the next', async () => {
    const api = fakeApi({
      'rpc get_project_feedback_stats': [stats],
      'GET project_feedback': [],
      'rpc list_project_feedback': [],
      'GET startup_profiles': [],
    });
    const { user } = renderApp(<TwoProjects />, { identity: signedIn() });
    await user.click(await screen.findByRole('button', { name: 'Leave feedback' }));
    await user.type(screen.getByRole('textbox'), 'About the fourth');
    await user.click(screen.getByRole('button', { name: 'The next project' }));
    expect(await screen.findByRole('button', { name: 'Leave feedback' })).toBeVisible();
    expect(screen.queryByDisplayValue('About the fourth')).not.toBeInTheDocument();
    expect(api.calls.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('what was typed is not lost by leaving the page without a question, and nobody is asked about an untouched form', async () => {
    const view = setUp({
      own: review({ rating: 3, feedback_text: 'So so' }),
      beside: ['/browse', '/community'].map((to) => (
        <Link key={to} to={to}>
          {to}
        </Link>
      )),
    });
    const form = await openForm(view, 'Update your feedback');
    await view.user.click(screen.getByRole('link', { name: '/browse' }));
    expect(view.router.state.location.pathname).toBe('/browse');
    await view.user.type(form.getByRole('textbox'), ', until the second week');
    const away = screen.getByRole('link', { name: '/community' });
    await view.user.click(away);
    await view.user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(view.router.state.location.pathname).toBe('/browse');
    expect(form.getByRole('textbox')).toHaveValue('So so, until the second week');
    await view.user.click(away);
    await view.user.click(await screen.findByRole('button', { name: 'Leave page' }));
    expect(view.router.state.location.pathname).toBe('/community');
  });

  it('offers visitors to sign in and return, and offers owners no form', async () => {
    const visitor = setUp({ identity: signedOut });
    expect(await screen.findByRole('link', { name: 'Sign in to rate' })).toHaveAttribute(
      'href',
      '/auth/signin?redirect=%2F',
    );
    visitor.unmount();
    setUp({ identity: signedIn('startup_verified'), routes: { 'rpc get_own_startup': [projectRow({ id: 'p-1' })] } });
    await screen.findByText('Works well');
    expect(screen.queryByRole('button', { name: /feedback/ })).not.toBeInTheDocument();
  });
});

it('TRUST-14 does not ask for a rating until it is known whether there is one', async () => {
  const { api, user } = setUp({ routes: { 'rpc get_own_project_feedback': offline() } });
  expect(await screen.findByText('Your own rating could not be loaded')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Leave feedback' })).not.toBeInTheDocument();
  api.routes['rpc get_own_project_feedback'] = [];
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('button', { name: 'Leave feedback' })).toBeVisible();
});

it('FEED-08 says that feedback was not sent, also to those who have left the page meanwhile', async () => {
  const answer = Promise.withResolvers<unknown>();
  const view = setUp({ routes: { 'rpc submit_project_feedback': () => answer.promise } });
  const form = await openForm(view);
  await view.user.click(form.getByRole('radio', { name: '5 stars: Excellent' }));
  await view.user.type(form.getByLabelText(/Your feedback/), 'Works well');
  await view.user.click(form.getByRole('button', { name: 'Submit feedback' }));
  await waitFor(() => expect(view.sent()).toHaveLength(1));
  await view.user.click(form.getByRole('button', { name: 'Cancel' }));
  answer.resolve(refuse(429, 'RATE_LIMITED', 'Please wait a moment before trying again.'));
  expect(await screen.findByText('Please wait a moment before trying again.')).toBeVisible();
});
