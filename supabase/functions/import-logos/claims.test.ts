import { afterAll, beforeAll, expect, it } from 'vitest';
import { CRON_SECRET } from '../_testing/backend.ts';
import { type Served, serveFunctions } from '../_testing/served-functions.ts';

let served: Served;

beforeAll(async () => {
  served = await serveFunctions();
});
afterAll(() => served.close());

it('claims one logo at a time, so that one that ends the function costs no other a try', async () => {
  const waiting = ['a', 'b', 'c'].map((name) => ({
    startup_id: name,
    owner_user_id: `user_${name}`,
    url: `https://127.0.0.1/${name}.png`,
  }));
  const claims: string[][] = [];
  served.backend.procedures.set('claim_logo_imports', ({ p_limit }) => {
    const claim = waiting.splice(0, Number(p_limit ?? 10));
    claims.push(claim.map(({ startup_id }) => startup_id));
    return claim;
  });
  served.backend.procedures.set('report_worker_run', () => null);
  const answer = await served.post('import-logos', {}, { authorization: `Bearer ${CRON_SECRET}` });
  expect(await answer.json()).toEqual({ ok: true, imported: 0, failed: 3 });
  expect(claims).toEqual([['a'], ['b'], ['c'], []]);
});
