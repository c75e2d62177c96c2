import { expect, test } from 'vitest';
import { Code } from './code.ts';
import { allConditions } from './conditions.ts';
import { withReports } from './observed-conditions.ts';

/** The body with a report around each of its conditions, which are numbered in the order of their places. */
function observed(body: string): string {
  const code = new Code(body, true);
  const places = allConditions(code).map(([from, to]) => ({
    start: code.at(from)?.start ?? 0,
    end: code.at(to)?.end ?? 0,
  }));
  const inOrder = places.toSorted((a, b) => a.start - b.start || b.end - a.end);
  return withReports(
    body,
    inOrder.map((place, index) => ({ ...place, id: index + 1, description: '' })),
  ).replaceAll('observed.condition', 'seen');
}

test('conditions report what they are, each by itself and those that contain others', () => {
  expect(observed("begin if a is null or b = 'é' and c then return; end if; end")).toBe(
    "begin if seen(1, (seen(2, (a is null)) or seen(3, (seen(4, (b = 'é')) and seen(5, (c)))))) then return; end if; end",
  );
  expect(observed('begin return (select count(*) from t where x between 1 and 2); end')).toBe(
    'begin return (select count(*) from t where seen(1, (x between 1 and 2))); end',
  );
  expect(observed('begin x := case when a then 1 else 2 end; y := case b when c then 1 end; end')).toBe(
    'begin x := case when seen(1, (a)) then 1 else 2 end; y := case b when c then 1 end; end',
  );
});

test('constants, the predicates of indexes and what full joins are on report nothing', () => {
  expect(observed('begin delete from t where true; end')).toBe('begin delete from t where true; end');
  const join = 'begin return (select 1 from a full join b on a.x = b.x and a.y = b.y where a.z); end';
  expect(observed(join)).toBe(join.replace('a.z', 'seen(1, (a.z))'));
  const upsert = 'begin insert into t values (1) on conflict (a) where b and c do update set a = 1 where t.d; end';
  expect(observed(upsert)).toBe(upsert.replace('t.d', 'seen(1, (t.d))'));
});
