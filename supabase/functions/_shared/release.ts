/** Which sources these functions were made from: `npm run deploy:functions` puts their hash here, and health checks tell it. */
export const RELEASE = 'unstamped';
