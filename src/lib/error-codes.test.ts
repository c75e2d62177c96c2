import { functionCodes } from './errors';

const functionErrors = Object.values(
  import.meta.glob<string>('../../supabase/functions/_shared/errors.ts', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).join('\n');

it('the list of error codes has none that no edge function answers with', () => {
  expect(functionCodes.filter((code) => !functionErrors.includes(`${code}:`))).toEqual([]);
});
