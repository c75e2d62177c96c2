import { screen, waitFor, within } from '@testing-library/react';
import * as csv from '@/lib/csv';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import MailingListTab from './mailing-list-tab';
import type { Subscriber } from './queries';

const subscriber: Subscriber = {
  id: 'entry-1',
  email: 'reader@example.org',
  source: 'website',
  campaign_id: '12345678-aaaa-4bbb-8ccc-1234567890ab',
  user_id: 'user_2abcdefgh',
  subscribed_at: '2026-02-01T10:00:00Z',
  is_active: true,
  status: 'active',
  unsubscribed_at: null,
  cursor: 'cursor-1',
};

function open(path = '/admin?tab=mailing-list') {
  const { cursor: _, ...row } = subscriber;
  const api = fakeApi({
    'rpc admin_list_subscribers': [
      subscriber,
      { ...subscriber, id: 'entry-2', email: 'gone@example.org', is_active: false, status: 'unsubscribed' },
      { ...subscriber, id: 'entry-3', email: 'new@example.org', is_active: false, status: 'pending' },
    ],
    'rpc get_mailing_list_stats': {
      total_subscribers: 34,
      recent_subscribers: 9,
      campaign_subscribers: 12,
      subscribers_by_source: { website: 22, campaign: 12 },
    },
    'rpc set_mailing_list_active': {},
    'rpc record_admin_export': undefined,
    'GET mailing_list': [{ ...row, metadata: { page_url: 'https://example.org' } }],
  });
  return { ...renderApp(<MailingListTab />, { identity: signedIn('admin'), path }), api };
}

async function figures() {
  const cards = within(await screen.findByRole('region', { name: 'Mailing list figures' }));
  return cards
    .getAllByRole('term')
    .map((term) => [
      term.textContent,
      ...[...(term.parentElement?.querySelectorAll('dd') ?? [])].map((d) => d.textContent),
    ]);
}

describe('mailing list', () => {
  it('ADMIN-07 shows the four cards', async () => {
    open();
    expect(await figures()).toEqual([
      ['Total Subscribers', '34', 'confirmed, and not unsubscribed'],
      ['Recent 7 days', '9', 'of the total'],
      ['From Quests', '12', 'ticked when they sent a proof'],
      ['Website Signups', '22', 'by the form in the footer'],
    ]);
  });

  it('C-112 ADMIN-07 other sources have a card, so that the cards add up', async () => {
    const { api } = open();
    api.routes['rpc get_mailing_list_stats'] = {
      total_subscribers: 40,
      recent_subscribers: 9,
      campaign_subscribers: 12,
      subscribers_by_source: { website: 22, campaign: 12, footer: 6 },
    };
    expect((await figures()).at(-1)).toEqual(['Other', '6', 'imported, or from an earlier form']);
  });

  it('ADMIN-07 requests the first 20 and shows address, source, shortened ids, day and badge', async () => {
    const { api } = open();
    const [, first, second, third] = await screen.findAllByRole('row');
    if (!first || !second || !third) throw new Error('rows are missing');
    const cells = within(first).getAllByRole('cell');
    expect(cells.slice(0, 6).map((cell) => cell.textContent)).toEqual([
      'reader@example.org',
      'website',
      '12345678',
      'user_2ab',
      'Feb 1, 2026',
      'Active',
    ]);
    expect(within(second).getByText('Inactive')).toBeInTheDocument();
    expect(within(third).getByText('Pending')).toBeInTheDocument();
    expect(api.calls.find(({ path }) => path === 'rpc/admin_list_subscribers')?.params.get('p_limit')).toBe('20');
  });

  it('C-50 deactivates an address', async () => {
    const { user, api } = open();
    await user.click(await screen.findByRole('button', { name: 'Deactivate reader@example.org' }));
    expect(await screen.findByText('reader@example.org gets no more mailings')).toBeInTheDocument();
    expect(api.calls.find(({ path }) => path === 'rpc/set_mailing_list_active')?.body).toEqual({
      p_entry_id: 'entry-1',
      p_is_active: false,
    });
  });

  it('C-99 an address that a lost call has switched off leaves the list of the active ones', async () => {
    const { user, api } = open('/admin?tab=mailing-list&status=active');
    api.routes['rpc set_mailing_list_active'] = () => {
      api.routes['rpc admin_list_subscribers'] = [];
      return offline();
    };
    await user.click(await screen.findByRole('button', { name: 'Deactivate reader@example.org' }));
    expect(await screen.findByText(/it may have gone through/)).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('button', { name: /Deactivate/ })).not.toBeInTheDocument());
  });

  it('C-82 offers no switch for an unconfirmed address', async () => {
    open();
    expect(await screen.findByRole('button', { name: 'Activate gone@example.org' })).toBeInTheDocument();
    expect(screen.getByText('new')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /new@example.org/ })).not.toBeInTheDocument();
  });

  it('ADMIN-08 C-55 Export Emails downloads a CSV named after the mailing list', async () => {
    const files: { blob: Blob; name: string }[] = [];
    vi.spyOn(csv, 'downloadBlob').mockImplementation((blob, name) => void files.push({ blob, name }));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Export Emails' }));
    expect(await screen.findByText('Exported 1 row of the mailing list')).toBeInTheDocument();
    expect(files[0]?.name).toMatch(/^mailing_list_\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await files[0]?.blob.text())?.replace('\uFEFF', '').trim().split('\r\n');
    expect(lines?.[0]).toBe(
      '"id","email","source","campaign_id","user_id","subscribed_at","is_active","status","metadata"',
    );
    expect(lines?.[1]).toContain('"reader@example.org","website"');
  });

  it('ADMIN-08 says that the export failed, until the next one has succeeded', async () => {
    const { user, api } = open();
    const rows = api.routes['GET mailing_list'];
    vi.spyOn(csv, 'downloadBlob').mockImplementation(() => undefined);
    api.routes['GET mailing_list'] = refuse(500, null, 'deadlock detected');
    await user.click(await screen.findByRole('button', { name: 'Export Emails' }));
    expect(await screen.findByText('Failed to export mailing list')).toBeInTheDocument();
    api.routes['GET mailing_list'] = rows;
    await user.click(screen.getByRole('button', { name: 'Export Emails' }));
    expect(await screen.findByText('Exported 1 row of the mailing list')).toBeInTheDocument();
    expect(screen.queryByText('Failed to export mailing list')).not.toBeInTheDocument();
  });
});
