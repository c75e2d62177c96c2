import { describe, expect, it } from 'vitest';
import { databaseCodes } from '../../src/lib/error-codes.ts';
import { functionsIn, readCatalogue, readMigrations, toMarkdown } from './error-catalogue.ts';

const sql = readMigrations();
const catalogue = readCatalogue(sql);
const codes = catalogue.map(({ code }) => code);

describe('errors of the database', () => {
  it('are listed in docs/errors.md exactly as the migrations raise them', async () => {
    await expect(toMarkdown(catalogue)).toMatchFileSnapshot('../../docs/errors.md');
  });

  it('are exactly the codes whose sentences the app shows', () => {
    expect([...databaseCodes].sort()).toEqual(codes);
  });

  it('have a sentence each, and one status', () => {
    expect(catalogue.filter(({ sentences, statuses }) => sentences.length === 0 || statuses.length !== 1)).toEqual([]);
  });

  it('named in the comments of procedures exist', () => {
    const named = [...sql.matchAll(/Errors: ([A-Z_, ]+)/g)].flatMap(([, list = '']) =>
      list.match(/[A-Z]+(?:_[A-Z]+)*/g),
    );
    expect(named.length).toBeGreaterThan(100);
    expect([...new Set(named)].filter((code) => !codes.includes(code ?? ''))).toEqual([]);
  });

  it('are raised through private.fail alone: no procedure raises a message of its own', () => {
    const raising = functionsIn(sql).filter(({ body }) => /\braise (exception|warning|notice)\b/.test(body));
    expect(raising.map(({ name }) => name)).toEqual(['private.fail', 'private.refuse_change']);
  });
});
