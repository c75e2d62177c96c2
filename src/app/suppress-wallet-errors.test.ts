// @vitest-environment jsdom
import { suppressWalletErrors } from './suppress-wallet-errors';

let stop: () => void;
beforeEach(() => {
  stop = suppressWalletErrors();
});
afterEach(() => stop());

/** Reports an uncaught error like the browser; returns whether other listeners received it. */
function report(message: string): { isHeard: boolean; isPrevented: boolean } {
  const listener = vi.fn((event: Event) => event.preventDefault);
  window.addEventListener('error', listener);
  const event = new ErrorEvent('error', { message, cancelable: true });
  window.dispatchEvent(event);
  window.removeEventListener('error', listener);
  return { isHeard: listener.mock.calls.length > 0, isPrevented: event.defaultPrevented };
}

it("ERR-06 browser wallets' 'Cannot redefine property' errors reach neither the console nor other listeners", () => {
  const outcome = report('Uncaught TypeError: Cannot redefine property: ethereum');
  expect(outcome).toEqual({ isHeard: false, isPrevented: true });
});

it('leaves every other error alone', () => {
  expect(report('Uncaught TypeError: x is not a function')).toEqual({ isHeard: true, isPrevented: false });
});
