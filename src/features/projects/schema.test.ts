import { createProfileSchema, editProfileSchema, emptyProfile } from './schema';

type Schema = typeof createProfileSchema | typeof editProfileSchema;
const messages = (schema: Schema, change: object) =>
  schema
    .safeParse({ ...emptyProfile, name: 'Acme', industry: 'SaaS', ...change })
    .error?.issues.map((i) => i.message) ?? [];

test('SPROF-03 creating checks name, industry, website and logo address', () => {
  expect(messages(createProfileSchema, {})).toEqual([]);
  expect(messages(createProfileSchema, { name: ' ' })).toEqual(['Project name is required']);
  expect(messages(createProfileSchema, { industry: '' })).toEqual(['Please select an industry']);
  expect(messages(createProfileSchema, { website: 'not a site' })).toEqual(['Please enter a valid URL']);
  expect(messages(createProfileSchema, { website: 'example.com' })).toEqual([]);
  expect(messages(createProfileSchema, { logoUrl: 'nope' })).toEqual(['Please enter a valid image URL']);
});

test('SPROF-06 editing words the missing name differently and asks for no industry', () => {
  expect(messages(editProfileSchema, { name: '' })).toEqual(['Company name is required']);
  expect(messages(editProfileSchema, { industry: '' })).toEqual([]);
  expect(messages(editProfileSchema, { website: 'nope' })).toEqual(['Please enter a valid URL']);
});
