import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { prerenderedPages } from './app/pages';
import { Root } from './app/root';
import { rootOptions, startErrorTracking } from './lib/error-tracking';
import { loadFormats } from './lib/format';
import { tolerateTranslation } from './lib/tolerate-translation';
import { startHydration } from './lib/use-is-hydrated';

startErrorTracking();
tolerateTranslation();
// The first format of a page makes the browser load its language data, 45 ms on a phone: in a task of its own, before anything renders.
const hasFormats = new Promise<void>((resolve) =>
  setTimeout(() => {
    loadFormats();
    resolve();
  }),
);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

// In transitions, so that the browser gets to paint and to react between the parts of the page.
const render = (container: HTMLElement) => startTransition(() => createRoot(container, rootOptions()).render(<Root />));

if (root.dataset.prerendered === undefined) render(root);
else void hydrate(root);

/** Loads the page's code before hydrating, so that no loading state replaces the prerendered markup. */
async function hydrate(container: HTMLElement): Promise<void> {
  const isLoaded = await prerenderedPages[window.location.pathname]?.preload().then(
    () => true,
    () => false,
  );
  await hasFormats;
  // From here on React handles clicks, and replays those that were recorded.
  window.earlyPresses?.stop();
  // Without its code the page cannot be hydrated. The app shows why.
  if (isLoaded === false) return render(container);
  startHydration();
  startTransition(() => void hydrateRoot(container, <Root />, rootOptions()));
}
