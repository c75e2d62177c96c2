import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from 'react-error-boundary';
import { App } from './app/app';
import { ErrorPage } from './app/pages/error-page';
import { suppressWalletErrors } from './app/suppress-wallet-errors';
import { rootOptions, startErrorTracking } from './lib/error-tracking';
import './styles/index.css';

suppressWalletErrors();
startErrorTracking();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root, rootOptions()).render(
  <StrictMode>
    <ErrorBoundary FallbackComponent={ErrorPage}>
      <App />
    </ErrorBoundary>
  </StrictMode>,
);
