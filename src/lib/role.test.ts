// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import {
  homePathForRole,
  markRoleResolved,
  type Role,
  requireRole,
  resolveRole,
  roles,
  storeRole,
  trustUnverified,
  useIsRoleResolved,
  useResolvedRole,
} from './role';

beforeEach(() => localStorage.clear());
afterEach(() => act(() => trustUnverified(false)));

describe('roles', () => {
  it('SEC-01 are these four', () => {
    expect(roles).toEqual(['community', 'startup_unverified', 'startup_verified', 'admin']);
  });

  it('SEC-02 comes from storage, else from the provider, else is community', () => {
    expect(resolveRole(null, 'u1')).toBe('community');
    expect(resolveRole('admin', 'u1')).toBe('admin');
    storeRole('startup_unverified', 'u1');
    expect(resolveRole('admin', 'u1')).toBe('startup_unverified');
    localStorage.setItem('selectedRole', 'emperor');
    expect(resolveRole(null, 'u1')).toBe('community');
  });

  it("ignores another user's stored choice, but keeps a choice made before signing in", () => {
    storeRole('admin', 'u1');
    expect(resolveRole(null, 'u2')).toBe('community');
    storeRole('startup_unverified');
    expect(resolveRole(null, 'u2')).toBe('startup_unverified');
  });

  it('SEC-04 a failed check throws Forbidden', () => {
    expect(() => requireRole('community', ['admin'])).toThrow('Forbidden');
    expect(() => requireRole('admin', ['admin'])).not.toThrow();
  });

  it.each([
    ['startup_unverified', 'startup_verified'],
    ['startup_verified', 'startup_verified'],
    ['community', 'community'],
    ['admin', 'admin'],
  ] as const)('SEC-06 C-68 while unverified startups are trusted, %s counts as %s', (role, effective) => {
    expect(resolveRole(role, 'u1')).toBe(role);
    trustUnverified(true);
    expect(resolveRole(role, 'u1')).toBe(effective);
    storeRole(role, 'u1');
    expect(resolveRole(null, 'u1')).toBe(effective);
  });

  it('ROUTE-16 each role has its home', () => {
    expect(roles.map(homePathForRole)).toEqual(['/community', '/startup', '/startup', '/admin']);
    expect(homePathForRole(null)).toBe('/');
  });
});

describe('HEAD-05 role changes', () => {
  it('reach this tab when the setting for unverified startups changes', () => {
    const { result } = renderHook(() => useResolvedRole('startup_unverified', 'u1'));
    expect(result.current).toBe('startup_unverified');
    act(() => trustUnverified(true));
    expect(result.current).toBe('startup_verified');
  });

  it('reach this tab by the role-changed event and other tabs by the storage event', () => {
    const { result } = renderHook(() => useResolvedRole(null, 'u1'));
    expect(result.current).toBe('community');
    const onRoleChanged = vi.fn();
    window.addEventListener('role-changed', onRoleChanged, { once: true });
    act(() => storeRole('startup_verified', 'u1'));
    expect(result.current).toBe('startup_verified');
    expect(onRoleChanged).toHaveBeenCalledWith(expect.objectContaining({ detail: 'startup_verified' }));

    act(() => {
      localStorage.setItem('selectedRole', 'community');
      window.dispatchEvent(new StorageEvent('storage', { key: 'selectedRole' }));
    });
    expect(result.current).toBe('community');
  });
});

describe('SEC-02 whether the role is known', () => {
  const isFinal = (clerkRole: Role | null, userId: string | null) => {
    const { result, unmount } = renderHook(() => useIsRoleResolved(clerkRole, userId));
    unmount();
    return result.current;
  };

  it('is true for visitors, for users whose token contains a role and for those who chose one here', () => {
    expect(isFinal(null, null)).toBe(true);
    expect(isFinal('admin', 'u1')).toBe(true);
    expect(isFinal(null, 'u1')).toBe(false);
    storeRole('community', 'u2');
    expect(isFinal(null, 'u1')).toBe(false);
    storeRole('community', 'u1');
    expect(isFinal(null, 'u1')).toBe(true);
  });

  it('becomes true once the profile was loaded, and the screen is notified', () => {
    const { result } = renderHook(() => useIsRoleResolved(null, 'u3'));
    expect(result.current).toBe(false);
    act(() => markRoleResolved('u3'));
    expect(result.current).toBe(true);
    expect(isFinal(null, 'u4')).toBe(false);
  });
});
