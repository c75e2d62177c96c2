// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { useMediaQuery } from './use-media-query';

it('follows its query, and subscribes once for all renders', () => {
  const lists = new Map<string, EventTarget & { matches: boolean; addEventListener: ReturnType<typeof vi.fn> }>();
  const listOf = (media: string) => {
    const target = new EventTarget();
    const listen = vi.fn(target.addEventListener.bind(target));
    const list = lists.get(media) ?? Object.assign(target, { matches: media === 'wide', addEventListener: listen });
    lists.set(media, list);
    return list;
  };
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => listOf(media) as unknown as MediaQueryList);
  const { result, rerender } = renderHook(useMediaQuery, { initialProps: 'wide' });
  rerender('wide');
  expect(result.current).toBe(true);
  expect(listOf('wide').addEventListener).toHaveBeenCalledTimes(1);
  act(() => {
    listOf('wide').matches = false;
    listOf('wide').dispatchEvent(new Event('change'));
  });
  expect(result.current).toBe(false);
  rerender('narrow');
  expect(listOf('narrow').addEventListener).toHaveBeenCalledTimes(1);
  act(() => {
    listOf('narrow').matches = true;
    listOf('narrow').dispatchEvent(new Event('change'));
  });
  expect(result.current).toBe(true);
});
