import { useQuery } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { renderApp } from '@/lib/testing/render';
import { ScrollToSection } from './scroll-to-section';

type PageProps = { load: () => Promise<string> };

/** What it loads stands above the section. */
function Page({ load }: PageProps) {
  const { data } = useQuery({ queryKey: ['above'], queryFn: load });
  return (
    <>
      {data && <p>{data}</p>}
      <h2 id="below">Below</h2>
      <ScrollToSection />
    </>
  );
}

/** Opens a link to the section; `scrolled` says for each scroll whether what is above had loaded. */
function open(path = '/rewards#below') {
  const scrolled: [string, boolean][] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push([this.id, screen.queryByText('Above') !== null]);
  });
  const above = Promise.withResolvers<string>();
  const { queryClient } = renderApp(<Page load={() => above.promise} />, { path });
  const finish = async () => {
    above.resolve('Above');
    await screen.findByText('Above');
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  };
  return { scrolled, finish };
}

it('a link to a section reaches it at once, and again when what is above it has loaded', async () => {
  const { scrolled, finish } = open();
  await waitFor(() => expect(scrolled).toContainEqual(['below', false]));
  await finish();
  await waitFor(() => expect(scrolled.at(-1)).toEqual(['below', true]));
});

it.each(['wheel', 'touchMove', 'keyDown', 'pointerDown'] as const)(
  'somebody who scrolls meanwhile (%s) is not taken back',
  async (input) => {
    const { scrolled, finish } = open();
    await waitFor(() => expect(scrolled).not.toEqual([]));
    fireEvent[input](document.body);
    const times = scrolled.length;
    await finish();
    expect(scrolled).toHaveLength(times);
  },
);

function Figures() {
  const { data } = useQuery({ queryKey: ['figures'], queryFn: async () => '12 quests' });
  return <p>{data}</p>;
}

function Home({ onRender }: { onRender: () => void }) {
  onRender();
  return (
    <>
      <Figures />
      <ScrollToSection />
    </>
  );
}

it('what a part of the page loads does not render the page again', async () => {
  const onRender = vi.fn();
  const { queryClient } = renderApp(<Home onRender={onRender} />, { path: '/' });
  await screen.findByText('12 quests');
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(onRender).toHaveBeenCalledTimes(1);
});

it('a link without a section scrolls nowhere', async () => {
  const { scrolled, finish } = open('/rewards');
  await finish();
  expect(scrolled).toEqual([]);
});
