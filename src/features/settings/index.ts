export { type AppSettings, settingsQueries } from './queries';
export { useIsBeta } from './use-is-beta';
