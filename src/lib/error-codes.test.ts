import { databaseCodes, functionCodes } from './error-codes';

const schema = Object.values(
  import.meta.glob<string>('../../supabase/schemas/*.sql', { query: '?raw', import: 'default', eager: true }),
).join('\n');
const functionErrors = Object.values(
  import.meta.glob<string>('../../supabase/functions/_shared/errors.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('\n');

/** Codes are raised directly, or handed to one of the helpers that normalize or validate. */
const raised = [
  ...schema.matchAll(/private\.(?:raise_error|normalize_\w+|validate_\w+)\([^;]*?'([A-Z][A-Z_]{4,})'/g),
].map(([, code]) => code);

describe('the list of error codes', () => {
  it('knows every code that a procedure raises', () => {
    expect([...new Set(raised)].filter((code) => !databaseCodes.includes(code ?? ''))).toEqual([]);
  });

  it('lists no code that no procedure raises', () => {
    expect(databaseCodes.filter((code) => !schema.includes(`'${code}'`))).toEqual([]);
  });

  it('lists each code once, in order', () => {
    expect(databaseCodes).toEqual([...new Set(databaseCodes)].toSorted());
  });

  it('lists no code that no edge function answers with', () => {
    expect(functionCodes.filter((code) => !functionErrors.includes(`${code}:`))).toEqual([]);
  });
});
