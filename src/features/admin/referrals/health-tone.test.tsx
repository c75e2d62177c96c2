import { healthTone } from './referrals-tab';

it('ADMIN-10 the health score is green at 90 or more, yellow at 75 or more, red below', () => {
  expect([100, 90, 89, 75, 74, 0].map(healthTone)).toEqual([
    'action',
    'action',
    'warning',
    'warning',
    'danger',
    'danger',
  ]);
});
