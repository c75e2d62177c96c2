/**
 * Browser wallet extensions compete for `window.ethereum` and throw 'Cannot redefine property' in every page. Keeps
 * these errors from being reported (ERR-06). Returns a function that stops it.
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
