import { HomePage, HubPage, LegalPage, PricingPage } from './pages';

/** Pages that are the same for everybody until somebody is known: they are rendered when the app is built. By path, with their code. */
export const paintedPages: Readonly<Record<string, { preload: () => Promise<void> }>> = {
  '/': HomePage,
  '/browse': HubPage,
  '/pricing': PricingPage,
  '/terms': LegalPage,
  '/privacy': LegalPage,
  '/cookies': LegalPage,
};
