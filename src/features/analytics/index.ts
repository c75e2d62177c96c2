export { AnalyticsTracker } from './components/analytics-tracker';
export { ConsentBanner } from './components/consent-banner';
export { ConsentLink } from './consent';
export { usePageViews } from './use-page-views';
