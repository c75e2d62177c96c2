// @vitest-environment jsdom
import { createStorageStore } from './storage';

const otherTab = (key: string | null) => window.dispatchEvent(new StorageEvent('storage', { key }));

it('notifies of changes in this tab, in another one and of a cleared storage, until unsubscribed', () => {
  const [onChange, onOtherTab] = [vi.fn(), vi.fn()];
  const store = createStorageStore('theme', 'theme-changed', onOtherTab);
  const stop = store.subscribe(onChange);
  store.notify();
  expect(onChange).toHaveBeenCalledTimes(1);
  expect(onOtherTab).not.toHaveBeenCalled();
  otherTab('questboard.theme');
  otherTab(null);
  otherTab('selectedRole');
  expect(onChange).toHaveBeenCalledTimes(3);
  expect(onOtherTab).toHaveBeenCalledTimes(2);
  stop();
  store.notify();
  otherTab('questboard.theme');
  expect(onChange).toHaveBeenCalledTimes(3);
});
