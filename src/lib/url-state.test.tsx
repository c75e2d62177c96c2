import { act } from '@testing-library/react';
import { renderApp } from '@/lib/testing/render';
import { useUrlChoice, useUrlReset, useUrlText } from './url-state';

type Params = {
  search: ReturnType<typeof useUrlText>;
  industry: ReturnType<typeof useUrlText>;
  sort: readonly ['new' | 'reward', (next: 'new' | 'reward') => void];
  reset: () => void;
};

function Screen({ onRender }: { onRender: (params: Params) => void }) {
  onRender({
    search: useUrlText('q'),
    industry: useUrlText('industry'),
    sort: useUrlChoice('sort', ['new', 'reward']),
    reset: useUrlReset(['q', 'sort']),
  });
  return null;
}

/** A screen with three parameters; `now()` returns those of its last render. */
function show(path: string) {
  let latest: Params | undefined;
  const handleRender = (params: Params) => {
    latest = params;
  };
  const routes = [
    { path: '/', element: <Screen onRender={handleRender} /> },
    { path: '/elsewhere', element: null },
  ];
  const { router } = renderApp(null, { path, routes });
  const now = () => {
    if (!latest) throw new Error('the screen was not rendered');
    return latest;
  };
  return { router, now };
}

describe('URL state', () => {
  it('HUB-01 HUB-02 keeps both of two changes made before a render', async () => {
    const { router, now } = show('/?tab=projects');
    const { search, industry, sort } = now();
    await act(async () => {
      search[1]('tea');
      industry[1]('Energy');
      sort[1]('reward');
    });
    expect(Object.fromEntries(new URLSearchParams(router.state.location.search))).toEqual({
      tab: 'projects',
      q: 'tea',
      industry: 'Energy',
      sort: 'reward',
    });
    expect([now().search[0], now().industry[0], now().sort[0]]).toEqual(['tea', 'Energy', 'reward']);
  });

  it('navigates once, if the same is chosen twice before a render', async () => {
    const { router, now } = show('/');
    const keys = new Set<string>();
    router.subscribe(({ location }) => keys.add(location.key));
    const [, setSort] = now().sort;
    await act(async () => {
      setSort('reward');
      setSort('reward');
    });
    expect(now().sort[0]).toBe('reward');
    expect(keys.size).toBe(1);
  });

  it('HUB-07 resets its own parameters, and omits defaults from the address', async () => {
    const { router, now } = show('/?q=tea&sort=reward&industry=Energy');
    await act(async () => now().reset());
    expect(router.state.location.search).toBe('?industry=Energy');
    await act(async () => now().sort[1]('reward'));
    await act(async () => now().sort[1]('new'));
    expect(router.state.location.search).toBe('?industry=Energy');
  });

  it('TRUST-14 a NUL in the address does not become an error of the database', () => {
    expect(show('/?q=te%00a&industry=%00').now().search[0]).toBe('tea');
  });

  it('does not reappear on a screen that is being left', async () => {
    const { router, now } = show('/');
    const { search } = now();
    await act(async () => {
      void router.navigate('/elsewhere');
      search[1]('late');
    });
    expect(router.state.location.pathname + router.state.location.search).toBe('/elsewhere');
  });
});
