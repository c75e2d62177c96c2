import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { AppError } from '@/lib/errors';
import { createQueryClient } from '@/lib/query-client';
import { QueryGroup } from './query-group';
import { QueryView } from './query-view';

const down = new AppError('NETWORK', 'Network error. Please check your connection and try again.', 0);

function Quests({ queryFn }: { queryFn: () => Promise<string> }) {
  const query = useQuery({ queryKey: ['quests'], queryFn });
  return (
    <QueryView query={query} failure="The quests could not be loaded" pending={<p>Loading</p>}>
      {(data) => <p>{data}</p>}
    </QueryView>
  );
}

describe('a failed read', () => {
  beforeEach(() => void vi.useFakeTimers());
  const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

  it('TRUST-14 remains on the screen during automatic retries, until the data arrives', async () => {
    let isDown = true;
    const queryFn = vi.fn(async () => {
      if (isDown) throw down;
      return 'A quest';
    });
    const client = createQueryClient();
    const show = () =>
      render(
        <QueryClientProvider client={client}>
          <Quests queryFn={queryFn} />
        </QueryClientProvider>,
      );
    const { unmount } = show();
    expect(screen.getByText('Loading')).toBeInTheDocument();
    await pass(5);
    expect(queryFn).toHaveBeenCalledTimes(3);
    expect(screen.getByRole('alert')).toHaveTextContent('The quests could not be loaded');
    expect(screen.queryByText('Trying again…')).not.toBeInTheDocument();

    // Half a minute of a server outage, sampled every half second.
    let tries = 0;
    for (let half = 0; half < 60; half++) {
      await pass(0.5);
      expect(screen.queryByText('Loading')).not.toBeInTheDocument();
      expect(screen.getByRole('alert')).toBeInTheDocument();
      if (screen.queryByText('Trying again…')) tries += 1;
    }
    expect(tries).toBeGreaterThan(0);
    expect(screen.getByRole('alert')).not.toHaveTextContent('Trying again…');

    while (screen.queryByText('Trying again…')) await pass(0.5);
    unmount();
    show();
    expect(screen.getByText('Loading')).toBeInTheDocument();
    await pass(5);
    expect(screen.getByRole('alert')).toBeInTheDocument();
    isDown = false;
    await pass(17);
    expect(screen.getByText('A quest')).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

type Answer = {
  data: string | undefined;
  error: Error | null;
  isError: boolean;
  isFetching: boolean;
  refetch: () => void;
};
const answered: Answer = { data: 'A quest', error: null, isError: false, isFetching: false, refetch: vi.fn() };
const failed: Answer = { ...answered, data: undefined, error: new Error('relation "x" …'), isError: true };

function view(query: readonly Answer[], props: { showsRefreshError?: boolean; isWaiting?: boolean } = {}) {
  render(
    <QueryView query={query} failure="The page could not be loaded" pending={<p>Loading</p>} {...props}>
      {(rows) => <p>{rows.join(', ')}</p>}
    </QueryView>,
  );
}

it('TRUST-14 a failed read says what failed and why, in safe words, and offers Retry', async () => {
  const refetch = vi.fn();
  view([{ ...failed, refetch }]);
  expect(screen.getByRole('alert')).toHaveTextContent('The page could not be loaded');
  expect(screen.getByRole('alert')).not.toHaveTextContent('relation');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(refetch).toHaveBeenCalledOnce();
});

it('several queries are shown when all have answered; Retry repeats only the failed ones', async () => {
  const [good, bad] = [vi.fn(), vi.fn()];
  view([
    { ...answered, refetch: good },
    { ...failed, refetch: bad },
  ]);
  expect(screen.queryByText(/A quest/)).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect([good.mock.calls.length, bad.mock.calls.length]).toEqual([0, 1]);
  view([answered, answered]);
  expect(screen.getByText('A quest, A quest')).toBeInTheDocument();
});

it('TRUST-14 a suspended person is led to the reason and the appeal; every retry would be refused', () => {
  const error = new AppError('SUSPENDED', 'Your account is suspended. Please contact support.', 403);
  const query = { ...failed, error };
  render(
    <MemoryRouter>
      <QueryView query={query} failure="The quests could not be loaded">
        {() => null}
      </QueryView>
    </MemoryRouter>,
  );
  expect(screen.getByRole('alert')).toHaveTextContent('Your account is suspended.');
  expect(screen.getByRole('link', { name: 'See why' })).toHaveAttribute('href', '/settings');
  expect(screen.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument();
});

it('one pending query, or a loading session, keeps the others waiting', () => {
  view([answered, { ...answered, data: undefined }]);
  view([answered], { isWaiting: true });
  expect(screen.getAllByText('Loading')).toHaveLength(2);
  expect(screen.queryByText('A quest')).not.toBeInTheDocument();
});

it('TRUST-14 a failed refresh keeps the old data, and says so if the screen wants it', () => {
  const stale = { ...answered, isError: true, error: down };
  view([stale]);
  expect(screen.getByText('A quest')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  view([stale], { showsRefreshError: true });
  expect(screen.getByRole('alert')).toHaveTextContent('Network error');
  expect(screen.getAllByText('A quest')).toHaveLength(2);
});

/** One of the queries of a page. */
function Part({ name, answer }: { name: string; answer: () => Promise<string> }) {
  const query = useQuery({ queryKey: [name], queryFn: answer, retry: false });
  return (
    <QueryView query={query} failure={`The ${name} could not be loaded`}>
      {(data) => <p>{data}</p>}
    </QueryView>
  );
}

describe('a page with several reads', () => {
  function open(answers: Record<string, () => Promise<string>>) {
    render(
      <QueryClientProvider client={createQueryClient()}>
        <QueryGroup>
          {Object.entries(answers).map(([name, answer]) => (
            <Part key={name} name={name} answer={answer} />
          ))}
        </QueryGroup>
      </QueryClientProvider>,
    );
  }

  it('TRUST-14 says once that all of them failed, names each, and retries all', async () => {
    let isDown = true;
    const answer = (text: string) => async () => {
      if (isDown) throw down;
      return text;
    };
    open({ quests: answer('A quest'), rewards: answer('A reward'), members: answer('A member') });
    expect(await screen.findByText('This page could not be loaded')).toBeInTheDocument();
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'The quests could not be loaded',
      'The rewards could not be loaded',
      'The members could not be loaded',
    ]);
    isDown = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    for (const text of ['A quest', 'A reward', 'A member']) expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('TRUST-14 shows each failure separately while part of the page is available', async () => {
    const fail = async () => {
      throw down;
    };
    open({ quests: fail, rewards: async () => 'A reward', members: fail });
    expect(await screen.findByText('A reward')).toBeInTheDocument();
    expect(screen.getAllByRole('alert').map((box) => box.firstChild?.textContent)).toEqual([
      'The quests could not be loaded',
      'The members could not be loaded',
    ]);
    expect(screen.queryByText('This page could not be loaded')).not.toBeInTheDocument();
  });
});
