export { AnalyticsTracker } from './components/analytics-tracker';
export { ConsentBanner, ConsentLink } from './components/consent-banner';
