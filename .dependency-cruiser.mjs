// Who may import whom, see docs/decisions/0013-layers.md. Paths are resolved first, so an import is judged by the file
// that it reaches and not by how it is spelled. lint/imports.test.ts plants an import of each forbidden kind.

/** A feature imports only features of its own layer and of the layers before it. */
const layers = {
  core: ['settings', 'account', 'wallet', 'projects', 'appeals', 'quests'],
  activity: ['submissions', 'rewards', 'referrals', 'feedback', 'checkout', 'mailing-list', 'notifications'],
  surfaces: ['home', 'marketplace', 'founder', 'member', 'onboarding', 'analytics', 'admin'],
};

const inFeatures = (names) => `^src/features/(?:${names.join('|')})/`;
const index = '^src/features/[^/]+/index\\.ts$';
const tests = '\\.test\\.tsx?$';
/** A feature's testing.ts or testing/, and the same of lib. */
const testing = '^src/.*/testing(?:\\.ts$|/)';

const layerRules = Object.keys(layers).flatMap((layer, position, names) => {
  const later = names.slice(position + 1).flatMap((name) => layers[name]);
  if (later.length === 0) return [];
  return {
    name: `layer-${layer}`,
    comment: `Features of the layer "${layer}" know nothing of the layers after it.`,
    severity: 'error',
    from: { path: inFeatures(layers[layer]) },
    to: { path: inFeatures(later) },
  };
});

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'Files that import each other, even for types, cannot be read one after the other.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-feature-cycle',
      comment: 'Two features that import each other are one feature, or one of them is in the wrong place.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/features/[^/]+$' },
      to: { circular: true, viaOnly: '^src/features/[^/]+$' },
    },
    ...layerRules,
    {
      name: 'feature-without-a-layer',
      comment: 'Put the new feature into a layer, at the top of .dependency-cruiser.mjs.',
      severity: 'error',
      from: {},
      to: { path: '^src/features/', pathNot: inFeatures(Object.values(layers).flat()) },
    },
    {
      name: 'feature-by-its-index',
      comment: 'Use another feature through its index.ts.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: [tests, testing] },
      to: { path: '^src/features/', pathNot: ['^src/features/$1/', index] },
    },
    {
      name: 'feature-by-its-index-in-tests',
      comment: 'Use another feature through its index.ts or its testing module.',
      severity: 'error',
      from: { path: ['^src/features/([^/]+)/.*\\.test\\.tsx?$', '^src/features/([^/]+)/.*testing(?:\\.ts$|/)'] },
      to: { path: '^src/features/', pathNot: ['^src/features/$1/', index, testing] },
    },
    {
      name: 'app-by-index-or-page',
      comment: 'The app uses a feature through its index.ts and loads its pages.',
      severity: 'error',
      from: { path: '^src/(?:app/|main\\.tsx$)', pathNot: tests },
      to: { path: '^src/features/', pathNot: [index, '^src/features/[^/]+/pages/'] },
    },
    {
      name: 'features-below-app',
      comment: 'Features know nothing of the app around them. Paths are in lib/paths.ts.',
      severity: 'error',
      from: { path: '^src/features/' },
      to: { path: '^src/(?:app/|main\\.tsx$)' },
    },
    {
      name: 'lib-and-components-below-features',
      comment: 'lib and components know nothing of features or the app.',
      severity: 'error',
      from: { path: '^src/(?:lib|components)/' },
      to: { path: '^src/(?:features/|app/|main\\.tsx$)' },
    },
    {
      name: 'ui-below-components',
      comment: 'The design system knows nothing of the composites made of it.',
      severity: 'error',
      from: { path: '^src/components/ui/' },
      to: { path: '^src/components/(?!ui/)' },
    },
    {
      name: 'server-by-queries-and-mutations',
      comment:
        'Only queries.ts and mutations.ts of a feature, and further NAME-queries.ts and NAME-mutations.ts, call the server.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          tests,
          testing,
          '^src/lib/(?:supabase|authorized-fetch|picture|realtime)\\.ts$',
          '^src/features/.+/(?:queries|mutations)\\.ts$',
          '^src/features/.+/[a-z]+-(?:queries|mutations)\\.ts$',
        ],
      },
      to: { path: ['^src/lib/(?:supabase|authorized-fetch|realtime)\\.ts$', 'node_modules/@supabase/'] },
    },
    {
      name: 'clerk-by-lib-auth',
      comment: 'Everything else asks lib/auth who is signed in.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/lib/auth/' },
      to: { path: 'node_modules/@clerk/' },
    },
    {
      name: 'tests-by-tests',
      comment: 'The product imports neither tests nor what only tests use.',
      severity: 'error',
      from: { path: '^src/', pathNot: [tests, testing] },
      to: { path: [tests, testing] },
    },
    {
      name: 'src-on-its-own',
      comment:
        'The product imports nothing of the tools beside it; it shares with the functions what no error report may hold and the words of notices.',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: {
        pathNot: ['^src/', 'node_modules/', '^supabase/functions/_shared/(?:scrub|notice-words)\\.ts$'],
        dependencyTypesNot: ['core'],
        couldNotResolve: false,
      },
    },
    {
      name: 'site-without-the-stack',
      comment: 'A hosting build does not install local/.',
      severity: 'error',
      from: { path: '^(?:vite/|vite\\.config\\.ts$)', pathNot: tests },
      to: { path: '^local/' },
    },
    {
      name: 'site-without-test-packages',
      comment: 'A hosting build installs `dependencies` alone (docs/deploy.md).',
      severity: 'error',
      from: { path: '^(?:src/|vite/|vite\\.config\\.ts$)', pathNot: [tests, testing] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'stack-without-the-product',
      comment: 'The embedded stack runs any project that looks like ours; it takes the types for its test clients.',
      severity: 'error',
      from: { path: '^local/', pathNot: tests },
      to: { path: '^(?:src|supabase|e2e|bench)/', pathNot: '^src/types/' },
    },
    {
      name: 'resolvable',
      comment: 'An import that cannot be resolved would escape all other rules.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    exclude: '^(?:dist|[.]local|[.]netlify|[.]vercel|test-results|playwright-report)/',
    doNotFollow: 'node_modules/',
    webpackConfig: { fileName: 'lint/alias.mjs' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
};
