import { localRole } from './roles';

it('C-10 switching gives the startup role that the database returned', () => {
  expect(localRole('startup', 'startup_verified')).toBe('startup_verified');
  expect(localRole('startup', 'startup_unverified')).toBe('startup_unverified');
  expect(localRole('community', 'community')).toBe('community');
});

it('C-11 for an admin it changes only the local role', () => {
  expect(localRole('startup', 'admin')).toBe('startup_unverified');
  expect(localRole('community', 'admin')).toBe('community');
});
