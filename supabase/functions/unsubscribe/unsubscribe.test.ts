import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../_testing/backend.ts';
import { type Served, SITE_URL, serveFunctions } from '../_testing/served-functions.ts';

let served: Served;
beforeAll(async () => {
  served = await serveFunctions();
});
afterAll(() => served.close());
beforeEach(() => {
  served.backend.calls.length = 0;
  served.backend.procedures.set('unsubscribe_from_mailing_list', ({ p_token }) => {
    if (p_token !== 'good token') throw new Refusal('INVALID_TOKEN', 'This link is not valid.', 400);
  });
});

describe('unsubscribe', () => {
  it("C-50 MAIL-02 unsubscribes through the mail program's one-click request", async () => {
    const response = await fetch(`${served.functions.url}/unsubscribe?token=good%20token`, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(await response.json()).toEqual({ ok: true });
    expect(served.backend.calls).toEqual([{ name: 'unsubscribe_from_mailing_list', args: { p_token: 'good token' } }]);
  });

  it('C-50 opening the link only redirects to the page, so that a link scanner unsubscribes nobody', async () => {
    const response = await fetch(`${served.functions.url}/unsubscribe?token=good%20token`, { redirect: 'manual' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`${SITE_URL}/unsubscribe?token=good%20token`);
    expect(served.backend.calls).toEqual([]);
  });

  it('passes on that a token is invalid and refuses a missing one', async () => {
    expect((await served.post('unsubscribe?token=bad', '')).status).toBe(400);
    expect(await (await served.post('unsubscribe', '')).json()).toMatchObject({ code: 'INVALID_INPUT' });
  });
});
