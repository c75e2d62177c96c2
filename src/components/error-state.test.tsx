import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { AppError } from '@/lib/errors';
import { createQueryClient } from '@/lib/query-client';
import { ErrorState } from './error-state';

const down = new AppError('NETWORK', 'Network error. Please check your connection and try again.', 0);

function Quests({ queryFn }: { queryFn: () => Promise<string> }) {
  const query = useQuery({ queryKey: ['quests'], queryFn });
  if (query.isPending) return <p>Loading</p>;
  if (query.isError && !query.data) {
    return (
      <ErrorState
        title="The quests could not be loaded"
        error={query.error}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  return <p>{query.data}</p>;
}

describe('a read that failed', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

  it('TRUST-14 stays on the screen while it is tried again by itself, until the data is there', async () => {
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

    // Half a minute of a server that stays down, looked at every half second.
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
