import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql } from '../../local/testing/clients.ts';
import { withinOneMinute } from './support/ceilings.ts';
import { FORBIDDEN, newAdmin, newMember, refusal, unwrap } from './support/factories.ts';
import { answerDuring } from './support/locks.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

interface Sent {
  address?: string | null;
  directive?: string;
  blocked?: string;
}

/** Sends a report and returns whether it was counted. */
async function report(sent: Sent = {}): Promise<boolean> {
  const { address = '203.0.113.7', directive = 'connect-src', blocked = 'https://a.example' } = sent;
  const args = { p_address: address, p_directive: directive, p_blocked: blocked, p_page: '/browse' };
  return unwrap(asService().rpc('record_csp_report', args)) as Promise<boolean>;
}

const countOf = async (sent: Promise<boolean>[]) => (await Promise.all(sent)).filter(Boolean).length;
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const forget = () =>
  sql().query('delete from private.csp_reports; delete from private.rate_limits; delete from private.write_windows');
const kept = async () => {
  const { rows } = await sql().query('select blocked, reports::integer from private.csp_reports order by blocked');
  return rows;
};

describe('content security policy reports', () => {
  test('TRUST-24 are limited to twenty a minute per address, even in parallel; other addresses are not affected', async () => {
    await forget();
    expect(await countOf(times(30, () => report()))).toBe(20);
    expect(await report({ address: '203.0.113.8' })).toBe(true);
    expect(await kept()).toEqual([{ blocked: 'https://a.example', reports: 21 }]);
    // A customer's network counts as one address, and so do all requests without one.
    expect(await countOf(times(25, (index) => report({ address: `2001:db8::${index + 1}` })))).toBe(20);
    expect(await countOf(times(25, () => report({ address: null })))).toBe(20);
    await sql().query(
      "update private.rate_limits set hits = array(select h - interval '61 seconds' from unnest(hits) h)",
    );
    expect(await report()).toBe(true);
  });

  test('TRUST-24 are limited to 300 a minute in total', async () => {
    await forget();
    await withinOneMinute();
    const others = (count: number) => countOf(times(count, (index) => report({ address: `198.51.100.${index}` })));
    expect(await others(1)).toBe(1);
    // As after 290: a busy machine takes longer than the minute for so many calls.
    await sql().query("update private.write_windows set amount = 290 where action = 'csp_reports'");
    expect(await others(20)).toBe(10);
  });

  test('TRUST-24 make at most a hundred rows a day; existing rows keep counting', async () => {
    await forget();
    const from = (index: number) => ({ address: `198.51.100.${index}`, blocked: `https://${index}.example` });
    expect(await countOf(times(120, (index) => report(from(index))))).toBe(100);
    expect(await kept()).toHaveLength(100);
    const [{ blocked }] = await kept();
    expect(await report({ blocked })).toBe(true);
    expect(await kept()).toContainEqual({ blocked, reports: 2 });
  });

  test('are counted for the directive that was violated, also when another one blocked the same', async () => {
    await forget();
    for (const directive of ['connect-src', 'img-src', 'img-src']) await report({ directive });
    const { rows } = await sql().query('select directive, reports::integer from private.csp_reports order by 1');
    expect(rows).toEqual([
      { directive: 'connect-src', reports: 1 },
      { directive: 'img-src', reports: 2 },
    ]);
  });

  test('are both counted when the first two of one violation come at once', async () => {
    await forget();
    const count = await answerDuring(
      (client) =>
        client.query(
          `insert into private.csp_reports (directive, blocked, page, last_at)
           values ('connect-src', 'https://a.example', '/', now() - interval '1 day')`,
        ),
      () => report(),
    );
    expect(count).toBe(true);
    const { rows } = await sql().query(
      "select reports::integer, page, last_at > now() - interval '1 hour' as is_new from private.csp_reports",
    );
    expect(rows).toEqual([{ reports: 2, page: '/browse', is_new: true }]);
  });

  test('TRUST-24 are deleted thirty days after the last occurrence', async () => {
    await forget();
    await report({ blocked: 'https://old.example' });
    await report({ blocked: 'https://new.example' });
    await sql().query(
      "update private.csp_reports set last_at = now() - interval '31 days' where blocked = 'https://old.example'",
    );
    await sql().query("delete from private.write_windows where action = 'remove_expired'");
    await sql().query('select private.remove_expired()');
    expect(await kept()).toEqual([{ blocked: 'https://new.example', reports: 1 }]);
  });

  test('name the page that reported last, by its first 200 characters; admins see the twenty reported last, latest first', async () => {
    await forget();
    const args = { p_address: null, p_directive: 'img-src', p_blocked: 'https://0.example' };
    for (const p_page of ['/browse', `/${'q'.repeat(200)}`])
      await unwrap(asService().rpc('record_csp_report', { ...args, p_page }));
    await sql().query(`
      update private.csp_reports set last_at = now() - interval '6 days';
      insert into private.csp_reports (directive, blocked, page, last_at)
      select 'img-src', 'https://' || n || '.example', '/', now() - interval '6 days' - n * interval '1 minute' from generate_series(1, 20) n`);
    const shown = async () => {
      const { csp_reports } = (await unwrap((await newAdmin()).client.rpc('get_system_health'))) as {
        csp_reports: { blocked: string; page: string }[];
      };
      return csp_reports;
    };
    const before = await shown();
    expect(before.map(({ blocked }) => blocked)).toEqual(times(20, (index) => `https://${index}.example`));
    expect(before[0]).toMatchObject({ page: `/${'q'.repeat(199)}`, reports: 2 });
    await unwrap(asService().rpc('record_csp_report', { ...args, p_blocked: 'https://20.example', p_page: '/quests' }));
    expect((await shown())[0]).toMatchObject({ blocked: 'https://20.example', page: '/quests', reports: 2 });
  });

  test('SEC-04 are accepted from the server only, and shown to admins only', async () => {
    await forget();
    await report();
    const args = { p_address: null, p_directive: 'img-src', p_blocked: 'inline', p_page: '/' };
    expect((await asAnon().rpc('record_csp_report', args)).status).toBe(401);
    const member = await newMember();
    expect((await member.client.rpc('record_csp_report', args)).status).toBe(403);
    expect(await refusal(member.client.rpc('get_system_health'))).toEqual(FORBIDDEN);
    expect(await unwrap((await newAdmin()).client.rpc('get_system_health'))).toMatchObject({
      csp_reports: [{ directive: 'connect-src', blocked: 'https://a.example', page: '/browse', reports: 1 }],
    });
    await sql().query("update private.csp_reports set last_at = now() - interval '7 days'");
    expect(await unwrap((await newAdmin()).client.rpc('get_system_health'))).toMatchObject({ csp_reports: [] });
  });
});
