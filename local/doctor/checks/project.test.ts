import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import { describe, expect, it, onTestFinished } from 'vitest';
import { functionsRelease, stampedCopy, UNSTAMPED } from '../../functions/release.ts';
import { testEnv } from '../../testing/clients.ts';
import { examineWith, serveApp, setUpDeployment } from '../../testing/deployment.ts';
import { compareRelease } from './functions.ts';

const env = testEnv();
setUpDeployment();

describe('with a project', () => {
  /** The stack under test, with some responses replaced. */
  async function projectThat(build: (app: Hono) => void): Promise<string[]> {
    const { url, close } = await serveApp((app) => {
      build(app);
      app.all('*', (context) => {
        const { pathname, search } = new URL(context.req.url);
        return proxy(`${env.SUPABASE_URL}${pathname}${search}`, { raw: context.req.raw });
      });
    });
    onTestFinished(close);
    return (await examineWith({ VITE_SUPABASE_URL: url })).map(({ subject }) => subject);
  }
  const auth = (answer: object) => (app: Hono) => app.get('/auth/v1/settings', (context) => context.json(answer));
  const schemas = (answer: object) => (app: Hono) =>
    app.get('/rest/v1/nothing', (context) => context.json(answer, 406));

  it.each<[string, (app: Hono) => unknown, string]>([
    ['with open sign-up', auth({ disable_signup: false }), 'Sign-ups'],
    ['with anonymous sign-ins', auth({ disable_signup: true, external: { anonymous_users: true } }), 'Sign-ups'],
    [
      'whose Auth gives no settings',
      (app) => app.get('/auth/v1/settings', (context) => context.notFound()),
      'Sign-ups',
    ],
    [
      'that exposes our helpers (PostgREST 12)',
      schemas({ message: 'The schema must be one of the following: public, private' }),
      'Exposed schemas',
    ],
    [
      'that exposes our helpers (PostgREST 14)',
      schemas({ message: 'Invalid schema: x', hint: 'Only the following schemas are exposed: public, private' }),
      'Exposed schemas',
    ],
    [
      'that offers GraphQL',
      (app) => app.post('/graphql/v1', (context) => context.json({ data: { __typename: 'Query' } })),
      'GraphQL',
    ],
    [
      'without a row limit',
      (app) => app.get('/rest/v1/rpc/probe_row_ceiling', (context) => context.json(Array.from({ length: 2_000 }))),
      'Row ceiling',
    ],
    [
      'without a function',
      (app) => app.get('/functions/v1/unsubscribe/health', (context) => context.notFound()),
      'Function unsubscribe',
    ],
    [
      'with an older function',
      (app) => app.get('/functions/v1/unsubscribe/health', (context) => context.json({ ok: true, release: 'older' })),
      'Function unsubscribe',
    ],
    [
      'with a function that requires a token',
      (app) => app.get('/functions/v1/unsubscribe/health', (context) => context.json({}, 401)),
      'Function unsubscribe',
    ],
    [
      'with a function that lacks a variable',
      (app) =>
        app.get('/functions/v1/unsubscribe/health', (context) =>
          context.json({ code: 'NOT_CONFIGURED', details: ['SITE_URL: missing'] }, 500),
        ),
      'Function unsubscribe',
    ],
    [
      'where visitors can read addresses',
      (app) => app.get('/rest/v1/user_profiles', (context) => context.json([])),
      'Visitors',
    ],
  ])('%s, reports it', async (_what, build, subject) => {
    expect(await projectThat((app) => void build(app))).toContain(subject);
  });
});

describe('with functions', () => {
  it('accepts only those of this checkout', () => {
    expect(compareRelease('Function x', functionsRelease(), functionsRelease()).state).toBe('fine');
    expect(compareRelease('Function x', 'other', functionsRelease()).state).toBe('problem');
    expect(compareRelease('Function x', undefined, functionsRelease()).state).toBe('problem');
    expect(compareRelease('Function x', UNSTAMPED, functionsRelease()).state).toBe('skipped');
  });

  it('identifies deployed ones by their stamp, which changes with their source', () => {
    const { directory, remove } = stampedCopy();
    onTestFinished(remove);
    const copy = join(directory, 'supabase/functions');
    expect(readFileSync(join(copy, '_shared/release.ts'), 'utf8')).toContain(`'${functionsRelease()}'`);
    expect(functionsRelease(copy)).toBe(functionsRelease());
    // An interrupted deployment leaves the copy behind.
    expect(readdirSync(copy).filter((file) => file.startsWith('.env'))).toEqual([]);
    appendFileSync(join(copy, 'unsubscribe/index.ts'), '// changed');
    expect(functionsRelease(copy)).not.toBe(functionsRelease());
  });
});
