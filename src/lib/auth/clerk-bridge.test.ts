import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClerkUIScriptAttributes, clerkUIScriptUrl } from '@clerk/react/internal';

const sdk = join(process.cwd(), 'node_modules/@clerk/react/dist');
const publishableKey = `pk_live_${btoa('clerk.questboard.example$')}`;

// The provider's servers choose the version of the script; it has to remain compatible with the pinned SDK.
it('AUTH-01 the form library is loaded from the address that the installed SDK itself uses', () => {
  const sources = globSync('*.mjs', { cwd: sdk }).map((file) => readFileSync(join(sdk, file), 'utf8'));
  expect(sources.filter((source) => source.includes('return globalThis.__internal_ClerkUICtor'))).toHaveLength(1);
  expect(readFileSync(join(import.meta.dirname, 'clerk-bridge.tsx'), 'utf8')).toContain(
    'window.__internal_ClerkUICtor',
  );
});

it("AUTH-01 the SDK takes the form library from the instance's own host", () => {
  expect(clerkUIScriptUrl({ publishableKey })).toMatch(
    /^https:\/\/clerk\.questboard\.example\/npm\/@clerk\/ui@1[\w.]*\/dist\/ui\.browser\.js$/,
  );
  expect(buildClerkUIScriptAttributes({ publishableKey })).toMatchObject({
    'data-clerk-publishable-key': publishableKey,
  });
});
