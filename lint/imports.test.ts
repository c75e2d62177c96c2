import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

type Planted = { file: string; text: string };
const files = (texts: Record<string, string>): Planted[] =>
  Object.entries(texts).map(([file, text]) => ({ file, text: `${text}\n` }));

/** Files that break a rule, by the rule that must reject them. */
const forbidden: Record<string, Record<string, string>> = {
  'feature-by-its-index': {
    'src/features/rewards/probe-relative.ts': "export { walletQueries } from '../wallet/queries';",
    'src/features/rewards/probe-alias.ts': "export { walletQueries } from '@/features/wallet/queries';",
    'src/features/rewards/probe-all.ts': "export * from '../wallet/queries';",
    'src/features/rewards/probe-effect.ts': "import '../wallet/queries';",
    'src/features/rewards/probe-type.ts': "export type { Wallet } from '../wallet/queries';",
    'src/features/rewards/probe-inline-type.ts':
      "import { type Wallet } from '../wallet/queries';\nexport type Copy = Wallet;",
    'src/features/rewards/probe-dynamic.ts':
      "export const load = async () => (await import('../wallet/queries')).keys;",
    'src/features/rewards/probe-lazy.tsx':
      "export const tabs = [{ tab: lazy(() => import('@/features/wallet/components/points-chip')) }];",
  },
  'feature-by-its-index-in-tests': {
    'src/features/rewards/probe.test.ts': "export * from '../wallet/queries';",
  },
  'app-by-index-or-page': {
    'src/app/probe-inside.ts': "export * from '@/features/wallet/queries';",
    'src/app/probe-lazy.ts': "export const load = () => import('../features/wallet/queries');",
  },
  'features-below-app': {
    'src/features/rewards/probe-app.ts': "export * from '../../app/routes';",
  },
  'lib-and-components-below-features': {
    'src/components/probe.ts': "export * from '@/features/quests';",
    'src/components/ui/probe.ts': "export * from '@/features/quests';",
    'src/lib/probe.ts': "export * from '../features/wallet';",
    'src/lib/probe-app.ts': "export * from '../app/routes';",
  },
  'ui-below-components': {
    'src/components/ui/probe-composite.ts': "export * from '../data-table';",
  },
  'layer-core': {
    'src/features/wallet/probe-activity.ts': "export * from '@/features/rewards';",
    'src/features/wallet/probe-surface.ts': "export type * from '../onboarding';",
  },
  'layer-activity': {
    'src/features/rewards/probe-surface.ts': "export * from '@/features/onboarding';",
  },
  'feature-without-a-layer': {
    'src/features/unheard-of/probe.ts': "export * from './inside';",
    'src/app/probe-unheard-of.ts': "export const load = () => import('@/features/unheard-of/pages/page');",
  },
  'server-by-queries-and-mutations': {
    'src/features/wallet/components/probe.tsx':
      "import { supabase } from '@/lib/supabase';\nexport const Probe = () => <>{String(supabase())}</>;",
    'src/features/wallet/probe-queries-helper.ts': "export { supabase } from '../../lib/supabase';",
    'src/features/wallet/probe-fetch.ts': "export * from '../../lib/authorized-fetch';",
    'src/features/wallet/probe-client.ts': "export * from '@supabase/postgrest-js';",
    'src/lib/probe-supabase.ts': "export * from './supabase';",
  },
  'clerk-by-lib-auth': {
    'src/features/account/probe-clerk.ts': "export { useUser } from '@clerk/react';",
  },
  'tests-by-tests': {
    'src/features/rewards/probe-testing.ts': "export * from './testing';",
    'src/features/rewards/probe-rows.ts': "export * from '@/lib/testing/rows';",
  },
  'src-on-its-own': {
    'src/features/rewards/probe-tool.ts': "export * from '../../../vite/hosting/rules';",
  },
  'site-without-the-stack': {
    'vite/probe.ts': "export * from '../local/paths.ts';",
  },
  'site-without-test-packages': {
    'vite/probe-package.ts': "export { Hono } from 'hono';",
    'src/lib/probe-package.ts': "export const load = () => import('jose');",
  },
  'stack-without-the-product': {
    'local/probe.ts': "export * from '../src/lib/format.ts';",
  },
  resolvable: {
    'src/features/rewards/probe-nowhere.ts': "export * from '@/features/rewards/nowhere';",
  },
};

/** What the rules must accept, and what the files above need. */
const allowed: Record<string, string> = {
  'src/features/rewards/legal.ts':
    "export * from '@/features/wallet';\nexport * from '../account';\nexport * from '../feedback';\nexport * from './level';",
  'src/features/rewards/legal-queries.ts': "export * from '@/lib/supabase';",
  'src/features/rewards/legal-mutations.ts': "export * from '@/lib/supabase';",
  'src/features/rewards/legal/mutations.ts': "export * from '../../../lib/supabase';",
  'src/features/rewards/legal.test.ts': "export * from '@/features/projects/testing';\nexport * from './level';",
  'src/features/home/legal.ts': "export * from '@/features/rewards';\nexport * from '@/features/onboarding';",
  'src/components/legal.ts': "export * from './ui/button';\nexport * from '@/lib/format';",
  'src/components/ui/legal.ts': "export * from '@/lib/cn';",
  'src/lib/legal.ts': "export * from '@/components/ui/button';\nexport type { Hono } from 'hono';",
  'src/lib/auth/legal.ts': "export { useUser } from '@clerk/react';",
  'src/app/legal.ts':
    "export * from '@/features/wallet';\nexport const load = () => import('@/features/home/pages/home-page');",
  'src/features/unheard-of/inside.ts': 'export const answer = 42;',
  'src/features/unheard-of/pages/page.ts': 'export const answer = 42;',
};

/** Two files that import each other, and two features that do so in files outside index.ts. */
const cycles: Record<string, string> = {
  'src/features/rewards/cycle.ts': "export * from './cycle-back';",
  'src/features/rewards/cycle-back.ts': "export type * from './cycle';",
  'src/features/referrals/half.ts': "export * from '@/features/checkout';",
  'src/features/checkout/half.ts': "export * from '@/features/referrals';",
};

type Violation = { from: string; to: string; rule: { name: string } };

/** A copy of the checkout that contains all of these. */
let copy: string;
let violations: Violation[];

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'questboard-imports-'));
  for (const name of [
    '.dependency-cruiser.mjs',
    'biome.json',
    'package.json',
    'lint',
    'src',
    'vite',
    'local',
    'supabase',
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const { file, text } of [...Object.values(forbidden), allowed, cycles].flatMap(files)) plant(file, text);
  const report = run('depcruise', ['.', '--output-type', 'json']);
  violations = JSON.parse(report).summary.violations;
}, 120_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  writeFileSync(join(copy, file), text);
}

/** Runs a program of node_modules in the copy; returns its report. */
function run(program: string, args: string[]): string {
  const path = join(root, 'node_modules/.bin', program);
  const { stdout, stderr } = spawnSync(path, args, { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return stdout || stderr;
}

const rulesBrokenBy = (file: string) =>
  new Set(violations.filter(({ from }) => from === file).map(({ rule }) => rule.name));

it.each(Object.entries(forbidden).flatMap(([rule, texts]) => files(texts).map((planted) => ({ rule, ...planted }))))(
  '$rule rejects $file: $text',
  ({ rule, file }) => {
    expect([...rulesBrokenBy(file)]).toEqual([rule]);
  },
);

it.each([
  ['no-cycle', 'src/features/rewards/cycle'],
  ['no-feature-cycle', 'src/features/referrals'],
])('%s rejects circular imports, in %s', (name, place) => {
  const found = violations.filter(({ rule, from }) => rule.name === name && from.startsWith(place));
  expect(found).not.toEqual([]);
});

it('every rule rejects something here', async () => {
  const config = await import(join(root, '.dependency-cruiser.mjs'));
  const rules: string[] = config.default.forbidden.map(({ name }: { name: string }) => name);
  expect(Object.keys(forbidden).concat('no-cycle', 'no-feature-cycle').sort()).toEqual(rules.sort());
});

it('everything else is accepted', () => {
  const planted = new Set([...Object.values(forbidden), cycles].flatMap(Object.keys));
  const rest = violations.filter(({ from, rule }) => !planted.has(from) && rule.name !== 'no-feature-cycle');
  expect(rest).toEqual([]);
});

it.each([
  ['a type', "export type Copy = import('@/features/wallet/queries').Wallet;"],
  ['the type of a module', "export type Copy = typeof import('@/features/wallet/queries');"],
  ['a name from elsewhere', 'export const load = (name: string) => import(name);'],
  ['a pattern', "export const all = import.meta.glob<string>('../wallet/*.ts');"],
])('Biome rejects an import that the import check cannot see: %s', (_kind, text) => {
  plant('src/features/rewards/hidden.ts', `${text}\n`);
  const report = run('biome', ['lint', '--vcs-enabled=false', 'src/features/rewards/hidden.ts']);
  expect(report).toContain('where the import check sees');
});
