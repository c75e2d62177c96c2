import { createAppRouter } from './root';

/** The key under which the scroll position of a document opened at the current history entry is kept. */
function openDocument(): string {
  const router = createAppRouter([{ path: '*' }]);
  router.dispose();
  return router.state.location.key;
}

it('a document opened in the same tab does not take over the scroll position of the one before; a reloaded one keeps its own', () => {
  window.history.replaceState(null, '', '/browse');
  const first = openDocument();
  expect(openDocument()).toBe(first);
  // What the browser does for an address that somebody types: a new entry without a state.
  window.history.pushState(null, '', '/rewards');
  expect(openDocument()).not.toBe(first);
});
