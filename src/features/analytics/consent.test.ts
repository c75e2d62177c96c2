// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { readConsent, setConsent, useConsent } from './consent';

beforeEach(() => localStorage.clear());
afterEach(() => {
  Reflect.deleteProperty(navigator, 'globalPrivacyControl');
});

const askNotToBeTracked = (value: unknown) =>
  Object.defineProperty(navigator, 'globalPrivacyControl', { value, configurable: true });

describe('ANA-01 analytics consent', () => {
  it('is stored, and subscribers are notified', () => {
    const { result } = renderHook(useConsent);
    expect(result.current).toBeNull();
    act(() => setConsent('granted'));
    expect(result.current).toBe('granted');
    act(() => setConsent('denied'));
    expect(readConsent()).toBe('denied');
    act(() => setConsent(null));
    expect(result.current).toBeNull();
    localStorage.setItem('questboard.analytics-consent', 'perhaps');
    expect(readConsent()).toBeNull();
  });

  it('is refused under Global Privacy Control, unless the user agreed here', () => {
    askNotToBeTracked(true);
    expect(readConsent()).toBe('denied');
    setConsent('granted');
    expect(readConsent()).toBe('granted');
    setConsent(null);
    askNotToBeTracked(false);
    expect(readConsent()).toBeNull();
  });
});
