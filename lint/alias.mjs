import { fileURLToPath } from 'node:url';

/** The alias `@` in webpack's format, the only one that dependency-cruiser can read without TypeScript's API. */
export default { resolve: { alias: { '@': fileURLToPath(new URL('../src', import.meta.url)) } } };
