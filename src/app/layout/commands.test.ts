import { matchRoutes } from 'react-router-dom';
import type { Session } from '@/lib/auth';
import type { Role } from '@/lib/role';
import { appRoutes } from '../routes';
import { pageCommands } from './commands';

const as = (role: Role) => ({ status: 'signed-in', role }) as Session;
const labels = (session: Session) => pageCommands(session).map(({ label }) => label);

describe('BEY-12 pages in the command menu', () => {
  it("are those of the member's own role", () => {
    expect(labels(as('community'))).toContain('My quests');
    expect(labels(as('community'))).not.toContain('Project Dashboard');
    expect(labels(as('startup_verified'))).toContain('Project Dashboard');
    expect(labels(as('startup_verified'))).not.toContain('My quests');
    expect(labels(as('admin'))).toContain('Admin: People');
    expect(labels(as('startup_unverified')).filter((label) => label.startsWith('Admin'))).toEqual([]);
    expect(labels({ status: 'signed-out' } as Session)).toEqual(
      expect.arrayContaining(['Explore quests', 'Sign In', 'Get Started']),
    );
    expect(labels({ status: 'signed-out' } as Session)).not.toContain('Settings');
  });

  it.each(['community', 'startup_unverified', 'startup_verified', 'admin'] as const)(
    'exist, and their guards let %s in',
    (role) => {
      for (const { to } of pageCommands(as(role))) {
        const matches = matchRoutes(appRoutes({ isAuthConfigured: true }), to) ?? [];
        expect(matches.at(-1)?.route.path, to).not.toBe('*');
        const allowed = matches.flatMap(({ route: { element } }) => {
          const props = element && typeof element === 'object' && 'props' in element ? element.props : {};
          return (props as { roles?: Role[] }).roles ?? [];
        });
        if (allowed.length > 0) expect(allowed, to).toContain(role);
      }
    },
  );
});
