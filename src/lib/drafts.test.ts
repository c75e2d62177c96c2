// @vitest-environment jsdom
import * as z from 'zod/mini';
import { createDrafts } from './drafts';
import { forgetPrivateStorage } from './storage';

const day = 24 * 60 * 60 * 1000;
const drafts = createDrafts('note', z.object({ text: z.string() }));

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ toFake: ['Date'] });
});
describe('BEY-11 a draft', () => {
  it('is restored for this person and this form', () => {
    drafts.write('user_1', 'a', { text: 'Half a sentence' });
    expect(drafts.read('user_1', 'a')).toEqual({ values: { text: 'Half a sentence' }, savedAt: Date.now() });
    expect(drafts.read('user_2', 'a')).toBeNull();
    expect(drafts.read('user_1', 'b')).toBeNull();
  });

  it('contains what its schema lists, and nothing else', () => {
    const values = { text: 'x', code: 'SECRET' };
    drafts.write('user_1', 'a', values);
    expect(drafts.read('user_1', 'a')?.values).toEqual({ text: 'x' });
    expect(JSON.stringify(localStorage)).not.toContain('SECRET');
  });

  it('is kept for a week, and then removed', () => {
    drafts.write('user_1', 'a', { text: 'x' });
    vi.setSystemTime(Date.now() + 7 * day - 1);
    expect(drafts.read('user_1', 'a')).not.toBeNull();
    vi.setSystemTime(Date.now() + 1);
    expect(drafts.read('user_1', 'a')).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it('is removed by null, and when its person signs out', () => {
    drafts.write('user_1', 'a', { text: 'x' });
    drafts.write('user_1', 'a', null);
    expect(localStorage).toHaveLength(0);
    drafts.write('user_1', 'a', { text: 'x' });
    forgetPrivateStorage(null);
    expect(localStorage).toHaveLength(0);
  });

  it('is ignored when another release stored it, or it cannot be parsed', () => {
    drafts.write('user_1', 'a', { text: 'x' });
    const [key = ''] = Object.keys(localStorage);
    for (const kept of ['', '{', '{"savedAt":1}', `{"savedAt":${Date.now()},"values":{"text":1}}`]) {
      localStorage.setItem(key, kept);
      expect(drafts.read('user_1', 'a'), kept).toBeNull();
    }
  });

  it('does without storage where it is disabled', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Storage is forbidden', 'SecurityError');
    });
    expect(() => drafts.write('user_1', 'a', { text: 'x' })).not.toThrow();
    expect(drafts.read('user_1', 'a')).toBeNull();
  });
});
