import { fileURLToPath } from 'node:url';

/** What `@` stands for, in the only form that dependency-cruiser reads without TypeScript's API: webpack's. */
export default { resolve: { alias: { '@': fileURLToPath(new URL('../src', import.meta.url)) } } };
