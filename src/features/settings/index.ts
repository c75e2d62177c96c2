export { type AppSettings, fetchSettings, settingsQueries, useIsBeta, useTrialPoints } from './queries';
