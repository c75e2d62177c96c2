// @vitest-environment jsdom
import { AppError } from './errors';
import { sendOnce, unansweredKey } from './send-once';

const lost = () => new AppError('NETWORK', 'Network error.', 0);
const busy = () => new AppError('BUSY', 'We are very busy right now. Try again in a moment.', 503);
const refused = () => new AppError('OUT_OF_STOCK', 'Out of stock', 409);

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
});
/** Runs a call to its end, including delays. */
async function run<T>(call: Promise<T>): Promise<T | Error> {
  const outcome = call.catch((error: Error) => error);
  await vi.runAllTimersAsync();
  return outcome;
}

describe('TRUST-21 a call that moves points', () => {
  it('keeps its key until it was answered, and then gets a new one', async () => {
    const send = vi.fn(async (key: string) => key);
    const find = vi.fn(async () => null);
    const first = await run(sendOnce('redeem.answered', { send, find }));
    expect(unansweredKey('redeem.answered')).toBeNull();
    expect(await run(sendOnce('redeem.answered', { send, find }))).not.toBe(first);
    expect(find).not.toHaveBeenCalled();
  });

  it('is a new call when its content changes: the key of the lost one is not reused', async () => {
    const keys: string[] = [];
    const send = (key: string) => {
      keys.push(key);
      return Promise.reject(lost());
    };
    const find = async () => null;
    for (const content of ['first words', 'other words', 'other words']) {
      await run(sendOnce('save.content', { content, send, find }));
    }
    const [first, second, third] = keys;
    expect(second).not.toBe(first);
    expect(third).toBe(second);
  });

  it('stores its key without its content, which may be secret', async () => {
    const send = vi.fn((_key: string): Promise<string> => Promise.reject(lost()));
    await run(sendOnce('save.secret', { content: '{"code":"SESAME"}', send, find: async () => null }));
    expect(sessionStorage.getItem('questboard.unanswered.save.secret')).toBe(send.mock.calls[0]?.[0]);
  });

  it('that makes something reuses its key after a reload, whatever its content was', async () => {
    sessionStorage.setItem('questboard.unanswered.make.reloaded', 'key-before');
    const send = vi.fn(async (key: string) => key);
    const call = { content: 'a kite', tellMade: () => 'made', send, find: async () => null };
    expect(await run(sendOnce('make.reloaded', call))).toBe('key-before');
  });

  it('that makes something says what an earlier one has made, and makes another only when asked again', async () => {
    const keys: string[] = [];
    const made = new Map<string, string>();
    const call = (content: string, answer: () => Promise<string>) =>
      run(
        sendOnce('make.other', {
          content,
          tellMade: (earlier: string) => `${earlier} went through`,
          send: (key) => {
            keys.push(key);
            return answer();
          },
          find: async (key) => made.get(key) ?? null,
        }),
      );
    await call('a kite', () => Promise.reject(lost()));
    // It may still be under way: one key for both, so that one thing is made.
    await call('another', () => Promise.reject(lost()));
    expect(keys[1]).toBe(keys[0]);
    made.set(keys[0] ?? '', 'the kite');
    expect(await call('a third', async () => 'made')).toMatchObject({ message: 'the kite went through' });
    expect(keys).toHaveLength(2);
    expect(await call('a third', async () => 'made')).toBe('made');
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('releases its key after a refusal, which is passed on without a look-up', async () => {
    const find = vi.fn(async () => null);
    const error = await run(sendOnce('redeem.refused', { send: () => Promise.reject(refused()), find }));
    expect(error).toMatchObject({ code: 'OUT_OF_STOCK' });
    expect(unansweredKey('redeem.refused')).toBeNull();
    expect(find).not.toHaveBeenCalled();
  });

  it('that a busy server rejected has done nothing: its outcome is known', async () => {
    const find = vi.fn(async () => null);
    const error = await run(sendOnce('redeem.busy', { send: () => Promise.reject(busy()), find }));
    expect(error).toMatchObject({ code: 'BUSY' });
    expect(unansweredKey('redeem.busy')).toBeNull();
    expect(find).not.toHaveBeenCalled();
  });

  it.each([
    ['busy', busy],
    ['refused', refused],
  ])(
    'keeps the key of a lost call when the next one is %s, which proves nothing about the first',
    async (name, second) => {
      const keys: string[] = [];
      const answers = [lost(), second(), lost()];
      const send = (key: string): Promise<string> => {
        keys.push(key);
        const failure = answers.shift();
        return failure ? Promise.reject(failure) : Promise.resolve('done');
      };
      const find = () => Promise.reject(lost());
      for (let call = 0; call < 4; call += 1) await run(sendOnce(`redeem.kept.${name}`, { send, find }));
      expect(new Set(keys)).toEqual(new Set([keys[0]]));
      expect(keys).toHaveLength(4);
      expect(unansweredKey(`redeem.kept.${name}`)).toBeNull();
    },
  );

  it('C-99 whose answer was lost has the outcome that a look-up finds, even late', async () => {
    const onChecking = vi.fn();
    const find = vi.fn(async (_key: string): Promise<string | null> => null);
    find.mockResolvedValueOnce(null).mockRejectedValueOnce(lost()).mockResolvedValueOnce('redemption-1');
    const send = vi.fn((_key: string) => Promise.reject<string>(lost()));
    expect(await run(sendOnce('redeem.found', { send, find, onChecking }))).toBe('redemption-1');
    expect(onChecking).toHaveBeenCalledOnce();
    expect(find.mock.calls[0]).toEqual(send.mock.calls[0]);
    expect(unansweredKey('redeem.found')).toBeNull();
  });

  it.each([
    ['has had no effect says so', async () => null, 'NOT_APPLIED'],
    ['cannot be looked up says that the outcome is unknown', () => Promise.reject(lost()), 'OUTCOME_UNKNOWN'],
  ])('C-99 that %s, and is sent under the same key next time, even after a reload', async (_, find, code) => {
    const name = `redeem.${code}`;
    const send = vi.fn((_key: string): Promise<string> => Promise.reject(lost()));
    expect(await run(sendOnce(name, { send, find }))).toMatchObject({ code });
    const kept = sessionStorage.getItem(`questboard.unanswered.${name}`);
    expect(kept).toBe(send.mock.calls[0]?.[0]);
    send.mockResolvedValueOnce('done');
    expect(await run(sendOnce(name, { send, find }))).toBe('done');
    expect(send.mock.calls[1]?.[0]).toBe(kept);
  });

  it('C-99 may have succeeded if a later look-up cannot rule it out', async () => {
    const find = vi.fn(async (): Promise<string | null> => null);
    find.mockResolvedValueOnce(null).mockRejectedValue(lost());
    const error = await run(sendOnce('redeem.late', { send: () => Promise.reject(lost()), find }));
    expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', status: 0 });
    expect(find).toHaveBeenCalledTimes(3);
  });

  it('C-99 without effect says so', async () => {
    const send = () => Promise.reject(lost());
    expect(await run(sendOnce('redeem.words', { send, find: async () => null }))).toMatchObject({
      message: 'It did not go through. Please try again.',
    });
  });

  it('keeps its key in memory where storage is disabled, until it was answered', async () => {
    const forbidden = () => {
      throw new DOMException('Storage is forbidden', 'SecurityError');
    };
    for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
      vi.spyOn(Storage.prototype, method).mockImplementation(forbidden);
    }
    expect(unansweredKey('redeem.forbidden')).toBeNull();
    const send = vi.fn((_key: string): Promise<string> => Promise.reject(lost()));
    const find = async () => null;
    await run(sendOnce('redeem.forbidden', { send, find }));
    send.mockResolvedValueOnce('done');
    expect(await run(sendOnce('redeem.forbidden', { send, find }))).toBe('done');
    expect(send.mock.calls[1]).toEqual(send.mock.calls[0]);
    expect(unansweredKey('redeem.forbidden')).toBeNull();
  });
});
