import { createRoot, hydrateRoot } from 'react-dom/client';
import { paintedPages } from './app/painted-pages';
import { Root } from './app/root';
import { suppressWalletErrors } from './app/suppress-wallet-errors';
import { rootOptions, startErrorTracking } from './lib/error-tracking';
import { startHydration } from './lib/use-is-hydrated';
import './styles/index.css';

suppressWalletErrors();
startErrorTracking();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

if (root.dataset.painted === undefined) createRoot(root, rootOptions()).render(<Root />);
else void takeOver(root);

/** The page's code first: until then its markup stands, and nothing may replace it by a placeholder. */
async function takeOver(painted: HTMLElement): Promise<void> {
  // When it cannot be had, the app says so itself.
  await paintedPages[window.location.pathname]?.preload().catch(() => undefined);
  // From here on React hears presses, and takes over what was pressed first.
  window.earlyPresses?.stop();
  startHydration();
  hydrateRoot(painted, <Root />, rootOptions());
}
