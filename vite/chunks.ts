import type { Rolldown } from 'vite';

/** Modules that the public pages need most, by their paths: one file instead of thirty. */
const SHARED = [
  /react-query|query-core/,
  /src\/components\/(?:empty-state|page-header|points|query-view|show-more|spot-progress|status-badge)\./,
  /src\/features\/(?:settings\/|quests\/(?:components\/quest-card|use-member-quests))/,
  /src\/lib\/(?:format|paging|head\/page-head)\./,
];

/** Form fields without the form and schema libraries: filters need them too. */
const FIELDS = [/src\/components\/ui\/field\./, /react-(?:id|presence|use-controllable-state)\//];

/** Schemas with their library, and what validates with them: the first screens need none. */
const SCHEMAS = [/node_modules\/zod\//, /src\/lib\/drafts\./, /src\/features\/\w+\/response-schemas\./];

/** Small modules shared by several pages, which would be files of a few hundred bytes. Together they have the size of one. */
const COMMON = [
  /src\/components\/(?:copy-button|form|lazy-overlay|main-action|markdown|search-box|take-focus|url-select|use-download)\./,
  /src\/lib\/(?:picture|url-state|use-media-query|use-shown-choice)\./,
  /src\/features\/(?:account\/(?:queries|mutations|components\/og-badge)|mailing-list\/mutations|notifications\/mutations)\./,
  /src\/features\/(?:projects\/project|quests\/components\/save-quest-button|rewards\/level)\./,
  /src\/features\/(?:submissions\/(?:proof|submission)|wallet\/project-queries)\./,
  /src\/types\/database-errors\./,
  /@radix-ui\/(?:primitive|react-use-size)\//,
];

/** The same for the dashboards. */
const DASHBOARDS = /src\/(?:components\/(?:notice|stat-cards)|features\/referrals\/referral-link)\./;

/** What makes files that people download: the first screens need none. */
const DOWNLOADS = /src\/(?:lib\/csv|features\/quests\/collected-emails)\./;

/** The same for dialogs and pages with a form. */
const FORMS = /src\/(?:components\/zod-form|features\/account\/profile-mutations)\./;

/** The same for the admin's tabs. */
const ADMIN = [
  /src\/features\/admin\/(?:export|keys|mutations|tabs)\./,
  /src\/features\/admin\/components\/(?:export-button|table-cells)\./,
  /src\/features\/admin\/(?:mail|moderation|people|points)\/(?:queries|mutations)\./,
];

/** Icons take 300 bytes each: those of the same pages are combined until a file is worth its request. */
const ICONS_TOGETHER = 2000;

const is = (patterns: readonly RegExp[]) => (id: string) => patterns.some((pattern) => pattern.test(id));

/**
 * Assigns modules to chunks. By default, the build creates a file for every set of pages that share a module: 250 files, half of them under
 * a kilobyte, which compress badly. A group also includes what its modules import.
 */
const groups: Rolldown.OutputOptions['codeSplitting'] = {
  groups: [
    // The worker remains a separate file: browsers load it outside the page.
    // Libraries change less often than the app, and each file is evaluated in a task of its own (vite/script-per-chunk.ts).
    { name: 'react', tags: ['$initial'], test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 6 },
    { name: 'vendor', tags: ['$initial'], test: /node_modules\/(?!lucide-react)/, priority: 5 },
    { name: 'app', tags: ['$initial'], test: (id) => !id.endsWith('/src/service-worker.ts'), priority: 4 },
    { name: 'shared', test: is(SHARED), minShareCount: 3, priority: 3 },
    { name: 'schemas', test: is(SCHEMAS), priority: 3 },
    { name: 'fields', test: is(FIELDS), minShareCount: 6, priority: 2 },
    { name: 'common', test: is(COMMON), minShareCount: 2, priority: 1 },
    { name: 'dashboards', test: DASHBOARDS, minShareCount: 2, priority: 2 },
    { name: 'downloads', test: DOWNLOADS, priority: 2 },
    { name: 'forms', test: FORMS, minShareCount: 2, priority: 1 },
    { name: 'admin', test: is(ADMIN), minShareCount: 2, priority: 1 },
    {
      name: 'icons',
      test: /lucide-react/,
      minShareCount: 2,
      entriesAware: true,
      entriesAwareMergeThreshold: ICONS_TOGETHER,
      priority: 2,
    },
  ],
};

export const chunks: Rolldown.OutputOptions = {
  codeSplitting: groups,
  // The names of such icons would list the pages.
  chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
};
