import { describe, expect, it } from 'vitest';
import { functionsIn, readCatalogue, readSchema, toMarkdown, toTypeScript } from './error-catalogue.ts';
import { codesRaised, functionErrorsMarkdown, readFunctionErrors } from './function-error-catalogue.ts';

const sql = readSchema();
const catalogue = readCatalogue(sql);
const codes = catalogue.map(({ code }) => code);
const functionErrors = readFunctionErrors();

it('docs/errors.md lists every error exactly as the schema and the edge functions raise it', async () => {
  const text = `${toMarkdown(catalogue)}\n${functionErrorsMarkdown(functionErrors)}`;
  await expect(text).toMatchFileSnapshot('../../docs/errors.md');
});

describe('errors of the database', () => {
  it('are exactly those that the app knows', async () => {
    await expect(toTypeScript(catalogue)).toMatchFileSnapshot('../../src/types/database-errors.ts');
  });

  it('have one sentence and one status each', () => {
    expect(catalogue.filter(({ sentences, statuses }) => sentences.length !== 1 || statuses.length !== 1)).toEqual([]);
  });

  it('named in the comments of procedures exist', () => {
    const named = [...sql.matchAll(/Errors: ([A-Z_, ]+)/g)].flatMap(([, list = '']) =>
      list.match(/[A-Z]+(?:_[A-Z]+)*/g),
    );
    expect(named.length).toBeGreaterThan(100);
    expect([...new Set(named)].filter((code) => !codes.includes(code ?? ''))).toEqual([]);
  });

  it('are raised only through private.raise_error: no procedure raises a message of its own', () => {
    const raising = functionsIn(sql).filter(({ body }) => /\braise (exception|warning|notice)\b/.test(body));
    // All but the first two are warnings in the server's log, for operators.
    expect(raising.map(({ name }) => name)).toEqual([
      'private.raise_error',
      'private.prevent_mutation',
      'private.release_project_holds',
      'private.expire_subscriptions',
      'private.tell_followers',
      'private.announce_quests',
      'private.close_ended_quests',
      'private.scan_submission',
      'private.release_due_holds',
      'private.queue_digests',
      'private.remind_reviewers',
      'private.approve_overdue',
      'settle_due_reviews',
      'run_periodic_job',
    ]);
  });
});

describe('errors of the edge functions', () => {
  it('match their catalogue, and each is raised somewhere', () => {
    expect([...codesRaised().keys()].sort()).toEqual(functionErrors.map(({ code }) => code));
  });

  it('that share a code with the database share its status', () => {
    const statusOf = new Map(catalogue.map(({ code, statuses }) => [code, statuses[0]]));
    const shared = functionErrors.filter(({ code }) => statusOf.has(code));
    expect(shared.length).toBeGreaterThan(0);
    expect(shared.filter(({ code, status }) => statusOf.get(code) !== String(status))).toEqual([]);
  });
});
