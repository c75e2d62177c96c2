// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { useQuestFacets } from './quest-facets';

/** The filters in the address. */
function read(address: string) {
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(MemoryRouter, { initialEntries: [`/browse${address}`] }, children);
  const { facets, isDoneHidden, count } = renderHook(() => useQuestFacets(['Gaming', 'SaaS'], true), { wrapper }).result
    .current;
  const chosen = Object.fromEntries(Object.entries(facets).filter(([, value]) => value !== undefined));
  return { chosen, isDoneHidden, count };
}

describe('BEY-18 quest filters', () => {
  it.each([
    ['', {}, false, 0],
    ['?reward=1-10', { minReward: 1, maxReward: 10 }, false, 1],
    ['?reward=51-', { minReward: 51 }, false, 1],
    ['?proof=link', { proof: 'link' }, false, 1],
    ['?time=15', { maxMinutes: 15 }, false, 1],
    ['?time=longer', { minMinutes: 16 }, false, 1],
    ['?industry=SaaS', { industry: 'SaaS' }, false, 1],
    ['?press=1', { isOnePress: true }, false, 1],
    ['?done=hide', {}, true, 1],
    [
      '?reward=26-50&proof=text&time=5&industry=Gaming&press=1&done=hide',
      { minReward: 26, maxReward: 50, proof: 'text', maxMinutes: 5, industry: 'Gaming', isOnePress: true },
      true,
      6,
    ],
    ['?reward=7-8&proof=smell&time=x&industry=Magic&press=0&done=no', {}, false, 0],
  ])('%s is parsed as %o', (address, chosen, isDoneHidden, count) => {
    expect(read(address)).toEqual({ chosen, isDoneHidden, count });
  });
});
