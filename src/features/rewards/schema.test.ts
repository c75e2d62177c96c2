import { addressSchema, countries, likelyCountry } from './schema';

it('C-93 countries are listed by their English names', () => {
  const list = countries();
  expect(list).toHaveLength(249);
  expect(list[0]).toEqual({ code: 'AF', name: 'Afghanistan' });
  expect(list.map(({ name }) => name)).toEqual(list.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en')));
});

it("C-93 the default country is the first one in the browser's languages", () => {
  expect(likelyCountry(['en', 'de-AT', 'en-US'])).toBe('AT');
  expect(likelyCountry(['zh-Hant-TW'])).toBe('TW');
  expect(likelyCountry(['en-150', 'fr'])).toBe('');
});

describe('C-93 an address', () => {
  const address = {
    name: ' Ada ',
    street: '1 Street',
    extra: '',
    postal_code: '',
    city: 'Town',
    region: '',
    country: 'AT',
  };
  const problems = (change: Partial<typeof address>) =>
    addressSchema.safeParse({ ...address, ...change }).error?.issues.map(({ path, message }) => [path[0], message]);

  it('is trimmed, and may omit what some countries do not have', () => {
    expect(addressSchema.parse(address)).toEqual({ ...address, name: 'Ada' });
  });

  it('says what is missing', () => {
    expect(problems({ name: ' ', street: '', city: '', country: '' })).toEqual([
      ['name', 'Please enter a name'],
      ['street', 'Please enter a street and number'],
      ['city', 'Please enter a town or city'],
      ['country', 'Please choose a country'],
    ]);
    expect(problems({ country: 'AUT' })).toEqual([['country', 'Please choose a country']]);
  });

  it.each([
    ['name', 120],
    ['street', 200],
    ['extra', 200],
    ['postal_code', 20],
    ['city', 120],
    ['region', 120],
  ] as const)('has at most as much %s as the server takes', (field, length) => {
    expect(problems({ [field]: 'x'.repeat(length) })).toBeUndefined();
    expect(problems({ [field]: 'x'.repeat(length + 1) })).toHaveLength(1);
  });
});
