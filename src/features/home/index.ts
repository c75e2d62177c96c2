export { homeQueries } from './queries';
