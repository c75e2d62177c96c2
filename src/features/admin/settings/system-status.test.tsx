import { screen, within } from '@testing-library/react';
import { setTokenSource } from '@/lib/auth/token';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { SystemStatus } from './system-status';

const fileId = '11111111-2222-4333-8444-555555555555';
const object = `/storage/v1/object/site/health/${fileId}.txt`;
const health = {
  server_version: '17.10 (Debian)',
  database_bytes: 21_400_000,
  last_event_at: null,
  outbox: { waiting: 3, failed: 1 },
  csp_reports: [],
};
const now = Date.parse('2026-02-01T10:00:00Z');

beforeEach(() => {
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(fileId);
  vi.spyOn(Date, 'now').mockReturnValue(now);
  setTokenSource(async () => 'a session token');
});
afterEach(() => setTokenSource(null));

function open(answers: Record<string, unknown> = {}) {
  const api = fakeApi({
    'rpc get_system_health': health,
    'GET /api/send-email': { ok: true },
    [`POST ${object}`]: { Key: 'x' },
    [`GET ${object}`]: () => new Response(`questboard ${now}`),
    'DELETE /storage/v1/object/site': [],
    ...answers,
  });
  return { ...renderApp(<SystemStatus />, { identity: signedIn('admin') }), api };
}

/** The text next to a component once it is measured. */
async function line(part: string): Promise<string> {
  const item = (await screen.findByText(part)).closest('li');
  if (!item) throw new Error(`no line for ${part}`);
  await within(item).findByText(/Working|Failing/);
  return item.textContent ?? '';
}

describe('ADMIN-12 C-54 system status', () => {
  it('measures the five parts and shows findings and durations', async () => {
    open();
    expect(await line('Database')).toMatch(/PostgreSQL 17\.10, 21 MB · [\d,]+ msWorking$/);
    expect(await line('Storage')).toMatch(/A file was written, read and removed · [\d,]+ msWorking$/);
    expect(await line('Authentication')).toMatch(/the database accepts it · [\d,]+ msWorking$/);
    expect(await line('Email Service')).toMatch(/3 waiting, 1 failed · [\d,]+ msWorking$/);
    expect(await line('Analytics')).toMatch(/No events yet; no outside script configured · [\d,]+ msWorking$/);
  });

  it('a failing part reports its own failure; the others are still measured', async () => {
    open({ 'GET /api/send-email': refuse(503, null, 'down'), [`GET ${object}`]: () => new Response('something else') });
    expect(await line('Email Service')).toMatch(/The function answered with status 503.*Failing$/);
    expect(await line('Storage')).toMatch(/The file came back changed.*Failing$/);
    expect(await line('Database')).toMatch(/Working$/);
  });

  it('without a session or a database the parts that need them fail', async () => {
    setTokenSource(async () => null);
    open({ 'rpc get_system_health': offline() });
    for (const part of ['Database', 'Authentication', 'Email Service', 'Analytics']) {
      expect(await line(part)).toMatch(/Failing$/);
    }
    expect(await line('Authentication')).toMatch(/No session token/);
    expect(await line('Storage')).toMatch(/Working$/);
  });

  it('measures again on request', async () => {
    const { user, api } = open({ 'rpc get_system_health': refuse(500, null, 'broken') });
    expect(await line('Database')).toMatch(/Failing$/);
    api.routes['rpc get_system_health'] = health;
    await user.click(screen.getByRole('button', { name: 'Measure again' }));
    await screen.findByText(/PostgreSQL 17/);
    expect(await line('Database')).toMatch(/Working$/);
  });

  it('also lists what has been blocked meanwhile when it measures again', async () => {
    const { user, api } = open();
    await line('Database');
    const report = {
      directive: 'img-src',
      blocked: 'https://img.example',
      page: '/',
      reports: 1,
      last_at: '2026-02-01',
    };
    api.routes['rpc get_system_health'] = { ...health, csp_reports: [report] };
    await user.click(screen.getByRole('button', { name: 'Measure again' }));
    expect(await screen.findByText('https://img.example')).toBeInTheDocument();
  });

  it('leaves no file behind that cannot be read', async () => {
    const { api } = open({ [`GET ${object}`]: refuse(500, null, 'broken') });
    expect(await line('Storage')).toMatch(/Failing$/);
    expect(api.calls.find(({ method }) => method === 'DELETE')?.body).toEqual({ prefixes: [`health/${fileId}.txt`] });
  });

  it('TRUST-24 lists CSP reports, and nothing while there are none', async () => {
    const report = { directive: 'connect-src', blocked: 'https://new.clerk.example', page: '/auth/signin' };
    const { unmount } = open();
    await line('Database');
    expect(screen.queryByText('Blocked by the security policy')).not.toBeInTheDocument();
    unmount();
    open({
      'rpc get_system_health': {
        ...health,
        csp_reports: [{ ...report, reports: 12, last_at: '2026-02-01T09:00:00Z' }],
      },
    });
    expect((await screen.findByText('https://new.clerk.example')).closest('li')).toHaveTextContent(
      /^https:\/\/new\.clerk\.example as connect-src on \/auth\/signin: 12 times, last \d+ \w+ ago$/,
    );
  });
});
