export { type AppSettings, fetchSettings, settingsQueries, useIsBeta } from './queries';
