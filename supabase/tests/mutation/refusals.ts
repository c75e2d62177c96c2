import pg from 'pg';

/** Texts of the requests and statements that were refused since the last `take()`, and of all uploads: they show what was called. */
export class Refusals {
  #texts: string[] = [];

  /** Records everything that this process sends from now on. */
  constructor() {
    const note = (text: string) => this.#texts.push(text);
    const originalFetch = globalThis.fetch;
    globalThis.fetch = async (input, init) => {
      const response = await originalFetch(input, init);
      // A refused write to a table fires triggers, a refused read evaluates policies: the path names the table either
      // way.
      // So does an upload; the storage API's connections do not report at once what they have called.
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (!response.ok || pathname.startsWith('/storage/')) note(pathname);
      return response;
    };

    const original = pg.Client.prototype.query as (...args: unknown[]) => unknown;
    Object.assign(pg.Client.prototype, {
      query(this: pg.Client, ...args: unknown[]): unknown {
        const [statement] = args;
        const text = typeof statement === 'string' ? statement : String((statement as { text?: string })?.text);
        const callback = args.at(-1);
        if (typeof callback === 'function') {
          args[args.length - 1] = (error: unknown, ...rest: unknown[]) => {
            if (error) note(text);
            return callback(error, ...rest);
          };
        }
        const result = original.apply(this, args);
        if (result instanceof Promise) result.catch(() => note(text));
        return result;
      },
    });
  }

  take(): string[] {
    const texts = this.#texts;
    this.#texts = [];
    return texts;
  }
}
