import { HomePage, HubPage, LegalPage, PricingPage } from './pages';

/** Prerendered pages by path, with their code: pages that are the same for everybody until the session is known. */
export const prerenderedPages: Readonly<Record<string, { preload: () => Promise<void> }>> = {
  '/': HomePage,
  '/browse': HubPage,
  '/pricing': PricingPage,
  '/terms': LegalPage,
  '/privacy': LegalPage,
  '/cookies': LegalPage,
};
