import { createBrowserRouter, type RouteObject } from 'react-router-dom';

/**
 * The router of the browser. React Router keeps scroll positions by the key of a history entry, and calls the entry of every
 * document "default": a page opened from a mail, the address bar or the payment page started as far down as the one before
 * it. A key of its own stays with the entry, so that a reload and Back still find their place.
 */
export function createAppRouter(routes: RouteObject[]) {
  const { state } = window.history;
  if (!state?.key) window.history.replaceState({ ...state, key: Math.random().toString(36).slice(2) }, '');
  return createBrowserRouter(routes);
}
