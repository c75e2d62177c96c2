import { settingsRow } from '@/lib/testing/rows';
import { changedSettings, numberProblem, settingGroups, settingsForm } from './setting-fields';

const settings = settingsRow();
const price = settingGroups.flatMap(({ fields }) => fields).find(({ key }) => key === 'og_price_cents');

describe('the settings form', () => {
  it('contains every setting of the row except id and timestamp', () => {
    const { id: _, updated_at: __, ...expected } = settings;
    expect(Object.keys(settingsForm(settings)).toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  it('sends nothing when nothing was changed', () => {
    expect(changedSettings(settings, settingsForm(settings))).toEqual([]);
  });

  it('sends only the changes, with money in cents', () => {
    const form = { ...settingsForm(settings), beta_mode: false, og_price_cents: '49.50', referrer_points: ' 600 ' };
    expect(changedSettings(settings, form).map(({ field, from, to, value }) => [field.key, from, to, value])).toEqual([
      ['beta_mode', 'on', 'off', false],
      ['referrer_points', '500', '600', 600],
      ['og_price_cents', '99', '49.50', 4950],
    ]);
  });

  it('refuses what the database would refuse', () => {
    if (price?.kind !== 'number') throw new Error('no price');
    expect(numberProblem(price, '99')).toBeUndefined();
    // Stripe charges no less than 50 cents.
    expect(numberProblem(price, '0.49')).toBe('Please enter an amount from $0.50 to $999,999.99');
    expect(numberProblem(price, '0.50')).toBeUndefined();
    expect(numberProblem(price, '-1')).toBe('Please enter an amount such as 99 or 4.50');
    expect(numberProblem(price, '')).toBe('Please enter an amount such as 99 or 4.50');
  });

  it('accepts amounts with cents, whole numbers otherwise, and both bounds', () => {
    const points = settingGroups.flatMap(({ fields }) => fields).find(({ key }) => key === 'referrer_points');
    if (price?.kind !== 'number' || points?.kind !== 'number') throw new Error('no such field');
    expect([' 4.50 ', '4.5', '100'].map((text) => numberProblem(price, text))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    for (const text of ['4.505', 'x4', '4x', '4,50', '.5']) {
      expect(numberProblem(price, text), text).toBe('Please enter an amount such as 99 or 4.50');
    }
    for (const text of ['1.5', 'x1', '1x', '']) {
      expect(numberProblem(points, text), text).toBe('Please enter a whole number');
    }
    expect([String(points.min), ` ${points.max} `].map((text) => numberProblem(points, text))).toEqual([
      undefined,
      undefined,
    ]);
    expect(numberProblem(points, '100001')).toBe('Please enter a number from 0 to 100,000');
  });

  it('omits what is not a number', () => {
    expect(changedSettings(settings, { ...settingsForm(settings), referrer_points: 'many' })).toEqual([]);
    expect(changedSettings({ ...settings, beta_mode: false }, settingsForm(settings))).toMatchObject([
      { from: 'off', to: 'on', value: true },
    ]);
  });
});
