export { type AppSettings, settingsQueries } from './queries';
