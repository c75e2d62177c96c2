import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from 'react-error-boundary';
import { App } from './app/app';
import { ErrorPage } from './app/pages/error-page';
import { suppressWalletErrors } from './app/suppress-wallet-errors';
import './styles/index.css';

suppressWalletErrors();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary FallbackComponent={ErrorPage}>
      <App />
    </ErrorBoundary>
  </StrictMode>,
);
