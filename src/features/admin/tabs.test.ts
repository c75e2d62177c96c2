import { adminTabPath, readTab } from './tabs';

it('ADMIN-01 a tab is read from the address, and an unknown one is the overview', () => {
  expect(readTab('people')).toBe('people');
  expect([readTab(null), readTab('nowhere')]).toEqual(['overview', 'overview']);
});

it('the overview has the plain address; other tabs add their name and filters', () => {
  expect(adminTabPath('overview')).toBe('/admin');
  expect(adminTabPath('overview', { q: 'ada' })).toBe('/admin?q=ada');
  expect(adminTabPath('people', { person: 'user_1' })).toBe('/admin?tab=people&person=user_1');
});
