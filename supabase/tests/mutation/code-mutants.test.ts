import { describe, expect, test } from 'vitest';
import { codeMutants } from './code-mutants.ts';

const squeeze = (text: string) => text.replace(/\s+/g, ' ').replace(' ;', ';').trim();

/** The mutants of a statement inside a procedure. */
const inProcedure = (statement: string) =>
  codeMutants(`begin ${statement} end`, 'plpgsql').map(({ code }) =>
    squeeze(squeeze(code).slice('begin'.length, -'end'.length)),
  );

describe('mutants of procedures', () => {
  test('decide conditions, and remove their terms one by one', () => {
    expect(inProcedure("if a is null or b and c then perform private.raise_error('X', 'No', 400); end if;")).toEqual([
      "if false then perform private.raise_error('X', 'No', 400); end if;",
      "if true then perform private.raise_error('X', 'No', 400); end if;",
      "if a is null or c then perform private.raise_error('X', 'No', 400); end if;",
      "if a is null or b then perform private.raise_error('X', 'No', 400); end if;",
      "if b and c then perform private.raise_error('X', 'No', 400); end if;",
      "if a is null then perform private.raise_error('X', 'No', 400); end if;",
      "if a is not null or b and c then perform private.raise_error('X', 'No', 400); end if;",
    ]);
  });

  test('are none that change nothing', () => {
    expect(inProcedure('delete from private.x where true;')).toEqual(['delete from private.x where false;', 'null;']);
  });

  test('move bounds and limits', () => {
    const mutants = inProcedure('v := x < 20 and y between 1 and 3;');
    expect(mutants).toEqual(
      expect.arrayContaining([
        'v := x <= 20 and y between 1 and 3;',
        'v := x < 19 and y between 1 and 3;',
        'v := x < 20000 and y between 1 and 3;',
        'v := x < 20 and y between 2 and 3;',
        'v := x < 20 and y between 1 and 4;',
        'v := y between 1 and 3;',
        'v := x < 20;',
      ]),
    );
    expect(mutants).toHaveLength(7);
    expect(inProcedure('v := x < now();')).toEqual([]);
  });

  test('remove statements that write, refuse and lock', () => {
    expect(inProcedure('update t set n = n + 1 where id = a; select n into m from t where id = a for update;')).toEqual(
      expect.arrayContaining([
        'null; select n into m from t where id = a for update;',
        'update t set n = n - 1 where id = a; select n into m from t where id = a for update;',
        'update t set n = n + 1 where true; select n into m from t where id = a for update;',
        'update t set n = n + 1 where id = a; select n into m from t where id = a;',
      ]),
    );
  });

  test('swap payer and payee', () => {
    expect(inProcedure("v := private.transfer(f(a, b), c, 5, 'credit');")).toEqual(
      expect.arrayContaining([
        "v := private.transfer(c, f(a, b), 5, 'credit');",
        "v := private.transfer(f(a, b), c, 5, 'debit');",
      ]),
    );
  });

  test('respect strings, comments and assignments', () => {
    expect(inProcedure("update t set a = 'x > 1 and y', b = $q$ 2 = 3 $q$ /* or 4 */ where c;")).toEqual([
      "update t set a = 'x > 1 and y', b = $q$ 2 = 3 $q$ /* or 4 */ where true;",
      'null;',
      'update t set b = $q$ 2 = 3 $q$ /* or 4 */ where c;',
      "update t set a = 'x > 1 and y' /* or 4 */ where c;",
    ]);
  });

  test('leave a join what it is', () => {
    expect(
      codeMutants('select from a join b on c and d left join e on left(f, g)', 'sql').map(({ code }) => squeeze(code)),
    ).toEqual([
      'select from a join b on d left join e on left(f, g)',
      'select from a join b on c left join e on left(f, g)',
    ]);
  });

  test('do not take the end of a case for part of a term', () => {
    expect(codeMutants('select case when a then b end = c and d', 'sql').map(({ code }) => squeeze(code))).toEqual(
      expect.arrayContaining([
        'select case when a then b end = c',
        'select d',
        'select case when false then b end = c and d',
      ]),
    );
  });
});
