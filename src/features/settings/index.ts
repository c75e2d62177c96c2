export { type AppSettings, settingsQueries, useIsBeta } from './queries';
