import { afterAll, expect, it } from 'vitest';
import { closeSql, sql } from '../testing/clients.ts';

afterAll(closeSql);

const ask = async (expression: string) => (await sql().query(`select ${expression} as answer`)).rows[0]?.answer;

it('the database sorts as the hosted one: by letter, not by code point', async () => {
  const sorted = await ask(`array(select w from unnest('{b,Zebra,é,a,_,B,10,e,apple}'::text[]) w order by w)`);
  expect(sorted).toEqual(['_', '10', 'a', 'apple', 'b', 'B', 'e', 'é', 'Zebra']);
});

it('the comparison of texts knows letters and punctuation beyond ASCII, as on the hosted platform', async () => {
  expect(await ask(`tsvector_to_array(to_tsvector('pg_catalog.simple', 'café—Ärger'))`)).toEqual(['café', 'ärger']);
  expect(await ask(`cardinality(extensions.show_trgm('žluťoučký'))`)).toBe(10);
});
