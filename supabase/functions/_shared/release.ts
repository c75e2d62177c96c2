/** Hash of the deployed sources: set by `npm run deploy:functions` and returned by health checks. */
export const RELEASE = 'unstamped';
