// @vitest-environment jsdom
import { chosenRole, localRole, roleAfterSync } from './roles';

beforeEach(() => localStorage.clear());

it("AUTH-03 the locally stored role is used unless it is invalid or another person's choice", () => {
  expect(chosenRole('user_1')).toEqual({ stored: null, owner: null });
  localStorage.setItem('selectedRole', 'admin');
  expect(chosenRole('user_1')).toEqual({ stored: 'admin', owner: null });
  localStorage.setItem('questboard.role-owner', 'user_1');
  expect(chosenRole('user_1')).toEqual({ stored: 'admin', owner: 'user_1' });
  expect(chosenRole('user_2')).toEqual({ stored: null, owner: 'user_1' });
  localStorage.setItem('selectedRole', 'emperor');
  expect(chosenRole('user_1').stored).toBeNull();
});

it('C-10 switching gives the startup role that the database returned', () => {
  expect(localRole('startup', 'startup_verified')).toBe('startup_verified');
  expect(localRole('startup', 'startup_unverified')).toBe('startup_unverified');
  expect(localRole('community', 'community')).toBe('community');
});

it('C-11 for an admin it changes only the local role', () => {
  expect(localRole('startup', 'admin')).toBe('startup_unverified');
  expect(localRole('community', 'admin')).toBe('community');
});

const reload = { owner: 'u1', userId: 'u1' } as const;

describe('role after the sync', () => {
  it('C-11 a new sign-in restores the admin role, whatever role was picked', () => {
    expect(roleAfterSync({ stored: 'startup_unverified', owner: null, userId: 'u1', saved: 'admin' })).toBe('admin');
    expect(roleAfterSync({ stored: null, owner: null, userId: 'u1', saved: 'community' })).toBe('community');
  });

  it('C-11 an admin who switched roles keeps the switched role on a reload', () => {
    expect(roleAfterSync({ ...reload, stored: 'community', saved: 'admin' })).toBe('community');
    expect(roleAfterSync({ ...reload, stored: 'startup_unverified', saved: 'admin' })).toBe('startup_unverified');
  });

  it('C-10 verification upgrades a stored startup_unverified', () => {
    expect(roleAfterSync({ ...reload, stored: 'startup_unverified', saved: 'startup_verified' })).toBe(
      'startup_verified',
    );
  });

  it('C-09 a stored admin role that the server does not confirm is dropped', () => {
    expect(roleAfterSync({ ...reload, stored: 'admin', saved: 'community' })).toBe('community');
  });

  it("does not take over another person's choice on this browser", () => {
    expect(roleAfterSync({ stored: 'startup_verified', owner: 'u2', userId: 'u1', saved: 'community' })).toBe(
      'community',
    );
  });
});
