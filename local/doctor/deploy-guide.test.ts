import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT, program } from '../paths.ts';

const guide = readFileSync(join(PROJECT_ROOT, 'docs/deploy.md'), 'utf8');
const PROJECT = 'abcdefghijklmnopqrst';

/** Every command in the guide: lines of its shell blocks, and inline code that starts like one. */
const commands = [
  ...[...guide.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.split('\n').map((line) => line.replace(/\s+#.*$/, '').trim()),
  ),
  ...[...guide.matchAll(/`((?:npx|npm|node|cp) [^`]+)`/g)].map(([, command = '']) => command.replace(/\s+/g, ' ')),
].filter((command) => command !== '');

const supabaseCommands = commands.filter((command) => command.startsWith('npx supabase '));

/** A folder in its state after `supabase link`. */
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'questboard-guide-'));
  cpSync(join(PROJECT_ROOT, 'supabase'), join(folder, 'supabase'), {
    recursive: true,
    filter: (path) => !/\/(functions\/[^/]+\/|tests|\.temp|\.env)/.test(path),
  });
  mkdirSync(join(folder, 'supabase/.temp'));
  writeFileSync(join(folder, 'supabase/.temp/project-ref'), PROJECT);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The CLI's output. No hosted project can be reached here, so most commands end with an error after that. */
function supabase(args: string[]): Promise<string> {
  return new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      CLERK_DOMAIN: 'clerk.questboard.example',
      SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}`,
      DO_NOT_TRACK: '1',
    };
    execFile(program('supabase'), [...args, '--agent=no'], { cwd: folder, env }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

describe('docs/deploy.md', () => {
  it('contains commands', () => {
    expect(commands.length).toBeGreaterThan(10);
    expect(supabaseCommands.length).toBeGreaterThan(6);
  });

  it('names no file to copy that does not exist', () => {
    const copied = commands.flatMap((command) => /^cp (\S+)/.exec(command)?.[1] ?? []);
    expect(copied).toHaveLength(2);
    expect(copied.filter((file) => !existsSync(join(PROJECT_ROOT, file)))).toEqual([]);
  });

  const pushes = supabaseCommands.filter((command) => command.includes('db push'));

  it.concurrent.each([...new Set(pushes.map((command) => command.replace(' --dry-run', '')))])(
    '"%s" works on the linked project, not on a database of this machine',
    async (command) => {
      const args = command.replace('npx supabase ', '').split(' ');
      expect(await supabase([...args, '--dry-run'])).toContain(`Target: project ${PROJECT}`);
    },
  );

  it('control: without --remote the CLI works on this machine', async () => {
    expect(await supabase(['db', 'push', '--dry-run'])).toContain('Target: local stack');
  });

  it('`config push` sends no development address to a project, and closes its own sign-up', async () => {
    const config = readFileSync(join(PROJECT_ROOT, 'supabase/config.toml'), 'utf8');
    expect(config).not.toMatch(/localhost|127\.0\.0\.1|0\.0\.0\.0/);
    expect(config).toContain('site_url = "env(VITE_SITE_URL)"');
    expect(config).toMatch(/enable_signup = false\nenable_anonymous_sign_ins = false/);
    expect(await supabase(['config', 'push', '--remote'])).toContain(`Target: project ${PROJECT}`);
  });

  it('says how every secret is replaced', () => {
    const table = guide.slice(guide.indexOf('## 10. Replacing a key'), guide.indexOf('## With Docker instead'));
    const secrets = ['.env.example', 'supabase/functions/.env.example'].flatMap((file) =>
      [
        ...readFileSync(join(PROJECT_ROOT, file), 'utf8').matchAll(
          /^(\w*(?:SECRET|API_KEY|_KEY|PASSWORD)\w*|GITHUB_TOKEN|DATABASE_URL)=/gm,
        ),
      ].map(([, name = '']) => name),
    );
    /** What the table calls by the vendor's name. */
    const inWords: Record<string, string> = {
      SUPABASE_SECRET_KEY: 'secret key of Supabase',
      VITE_SUPABASE_ANON_KEY: 'publishable key of Supabase',
      VITE_CLERK_PUBLISHABLE_KEY: 'publishable key of Clerk',
    };
    expect(secrets.length).toBeGreaterThan(7);
    expect(secrets.filter((name) => !table.includes(inWords[name] ?? name))).toEqual([]);
  });

  it('a release builds the site with every variable that a build by hand reads', () => {
    const variables = [...readFileSync(join(PROJECT_ROOT, '.env.example'), 'utf8').matchAll(/^(VITE_\w+)=/gm)];
    const workflow = readFileSync(join(PROJECT_ROOT, '.github/workflows/deploy.yml'), 'utf8');
    expect(variables.length).toBeGreaterThan(9);
    expect(variables.filter(([, name]) => !workflow.includes(` ${name}: `)).map(([, name]) => name)).toEqual([]);
  });

  it.concurrent.each([...new Set(supabaseCommands)])(
    '"%s" is a command of the pinned CLI, with its options',
    async (command) => {
      const words = command.replace('npx supabase ', '').split(' ');
      const path = words.slice(0, words.findIndex((word, index) => index > 0 && word.startsWith('-')) >>> 0);
      const help = await supabase([...path.filter((word) => /^[a-z]+$/.test(word)), '--help']);
      const options = words.filter((word) => word.startsWith('--'));
      expect(help).toMatch(/usage/i);
      for (const option of options) expect(help).toContain(option);
    },
  );
});
