import { failures } from './errors.ts';

/** Counts attempts by key in a window that starts with the first one; in memory, so a restart resets it. */
export class Limiter {
  readonly #maximum: number;
  readonly #windowMs: number;
  readonly #windows = new Map<string, { tries: number; endsAt: number }>();

  constructor(maximum: number, windowMs: number) {
    this.#maximum = maximum;
    this.#windowMs = windowMs;
  }

  /**
   * Counts an attempt and throws 429 when there were too many. Call it before the slow work of the attempt: counting
   * failures afterwards would let a burst of parallel attempts through.
   */
  take(key: string): void {
    const now = Date.now();
    for (const [other, window] of this.#windows) if (window.endsAt <= now) this.#windows.delete(other);
    const window = this.#windows.get(key) ?? { tries: 0, endsAt: now + this.#windowMs };
    if (window.tries >= this.#maximum) throw failures.tooManyRequests(Math.ceil((window.endsAt - now) / 1000));
    window.tries += 1;
    this.#windows.set(key, window);
  }

  forgive(key: string): void {
    this.#windows.delete(key);
  }
}
