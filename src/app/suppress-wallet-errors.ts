/**
 * Browser wallets fight over `window.ethereum` and throw 'Cannot redefine property' into every page they are in. That is
 * not ours to report (ERR-06). Returns how to stop.
 */
export function suppressWalletErrors(): () => void {
  const handleError = (event: ErrorEvent) => {
    if (!event.message?.includes('Cannot redefine property')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('error', handleError, true);
  return () => window.removeEventListener('error', handleError, true);
}
