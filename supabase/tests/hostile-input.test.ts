import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../local/testing/clients.ts';
import type { Json } from '../../src/types/database.ts';
import { FUNCTION_ACCESS } from './access/declared-functions.ts';
import { type Member, newAdmin, newMember, newOwner, suspend } from './support/factories.ts';
import { allLedgerProblems } from './support/ledger.ts';
import { changesNothing, HOSTILE_NUMBERS, HOSTILE_TEXTS, NUL, type RawAnswer, rawCall } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

interface Argument {
  name: string;
  type: string;
}

let people: { member: Member; owner: Member; admin: Member; suspended: Member };
let signatures: Map<string, Argument[]>;
let tables: string[];

const tableNames = async () =>
  (
    await sql().query<{ name: string }>(
      "select c.oid::regclass::text as name from pg_class c where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r' order by 1",
    )
  ).rows.map(({ name }) => name);

beforeAll(async () => {
  tables = await tableNames();
  people = {
    member: await newMember(),
    owner: await newOwner(),
    admin: await newAdmin(),
    suspended: await suspend(await newMember()),
  };
  const { rows } = await sql().query<{ name: string; args: Argument[] }>(`
    select p.proname as name, coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'type', format_type(a.type, null)) order by a.n)
      filter (where a.name is not null), '[]') as args
    from pg_proc p left join lateral unnest(p.proargnames[1:p.pronargs], p.proargtypes::oid[]) with ordinality a (name, type, n) on true
    where p.pronamespace = 'public'::regnamespace group by p.oid, p.proname`);
  signatures = new Map(rows.map((row) => [row.name, row.args]));
});

/** A value of the right type that belongs to nobody. */
function plain({ name, type }: Argument): Json {
  if (type === 'uuid') return randomUUID();
  if (type === 'uuid[]') return [randomUUID()];
  if (type === 'text[]') return ['community'];
  if (type === 'jsonb') return {};
  if (type === 'boolean') return true;
  if (/int|numeric/.test(type)) return 5;
  return name === 'p_user_id' ? people.member.id : 'community';
}

/** Inputs of every shape that must never get through. */
const SHAPES: Json[] = [null, '', true, [], {}, [[null]], { a: { b: 'x'.repeat(2001) } }];
const MANY: Json = Array.from({ length: 300 }, () => randomUUID());

/**
 * Inputs worth sending to an argument. What is malformed for the type is refused before the procedure runs, whichever text or number it is:
 * there one stands for all.
 */
function hostileTo({ type }: Argument): Json[] {
  if (/^(text|text\[\]|jsonb)$/.test(type)) return [...SHAPES, ...HOSTILE_TEXTS, NUL, -1, MANY];
  if (type === 'uuid[]') return [...SHAPES, NUL, -1, MANY];
  if (/int/.test(type)) return [null, '', NUL, true, [], ...HOSTILE_NUMBERS];
  return [null, '', NUL, -1, []];
}

const everyArgument = (name: string): Record<string, Json> =>
  Object.fromEntries((signatures.get(name) ?? []).map((argument) => [argument.name, plain(argument)]));

/** Either succeeds or is refused as the caller's fault (4xx); never a server error, never the database's own words on a rule. */
function expectProperAnswer(answer: RawAnswer, what: string): void {
  expect(answer.status, `${what}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
  if (answer.status < 400 || answer.hint) return;
  // What remains are values that are malformed for the type.
  expect(answer.code, `${what}: ${answer.message}`).toMatch(/^(22P02|22P05|22003|22007|42883|PGRST\d+)$/);
}

const { anyone, admins, serviceRole } = FUNCTION_ACCESS;
/** To the API, functions of a row are computed columns, not procedures: they have one unnamed argument. */
const COMPUTED_COLUMNS = ['flags', 'is_flagged'];
const signedIn = FUNCTION_ACCESS.signedIn.filter((name) => !COMPUTED_COLUMNS.includes(name));
const reading = /^get_|^list_|^check_|^validate_|^current_/;

// First, because the admin's hostile calls below may suspend somebody.
describe('callers who are refused before anything else', () => {
  test('SEC-07 SEC-15 visitors: every procedure that is not public', () =>
    changesNothing(async () => {
      for (const name of [...signedIn, ...admins, ...serviceRole]) {
        const answer = await rawCall('visitor', name, everyArgument(name));
        expect([answer.status, answer.code], name).toEqual([401, '42501']);
      }
    }));

  test('SEC-04 SEC-15 TRUST-03 members and owners: every procedure of admins and of the service role', () =>
    changesNothing(async () => {
      for (const who of [people.member, people.owner]) {
        for (const name of admins) {
          const answer = await rawCall(who, name, everyArgument(name));
          expect([answer.status, answer.hint, answer.message], name).toEqual([403, 'FORBIDDEN', 'Forbidden']);
        }
        for (const name of serviceRole) {
          const answer = await rawCall(who, name, everyArgument(name));
          expect([answer.status, answer.code], name).toEqual([403, '42501']);
        }
      }
    }));

  test('suspended members: every procedure except signing in, appealing and those about their own data', () =>
    changesNothing(async () => {
      const allowed = new Set([
        'sync_current_user',
        'submit_appeal',
        'get_own_data',
        'list_collected_emails',
        'list_own_quests',
        'list_transactions',
        'get_own_project_feedback',
        'get_own_startup',
        'get_quest_limits',
        'list_own_payments',
        'get_participated_quest',
        'get_participated_tasks',
        'withdraw_email_consent',
        'get_notification_preferences',
        'get_task_verifications',
        'list_signing_secrets',
        'list_verification_calls',
        'get_unread_notification_count',
        'list_notifications',
        'mark_all_notifications_read',
        'mark_notification_read',
        'set_notification_preference',
      ]);
      expect([...allowed].filter((name) => !signedIn.includes(name))).toEqual([]);
      for (const name of [...signedIn, ...admins]) {
        if (allowed.has(name)) continue;
        const args = everyArgument(name);
        if ('p_user_id' in args) args.p_user_id = people.suspended.id;
        const answer = await rawCall(people.suspended, name, args);
        expect([answer.status, answer.hint], name).toEqual([403, 'SUSPENDED']);
      }
    }));

  test('SEC-13 other members: every procedure that takes a user id', () =>
    changesNothing(async () => {
      const names = [...signedIn].filter((name) =>
        signatures.get(name)?.some((argument) => argument.name === 'p_user_id'),
      );
      expect(names.length).toBeGreaterThan(4);
      for (const name of names) {
        const answer = await rawCall(people.owner, name, everyArgument(name));
        expect([answer.status, answer.hint], name).toEqual([403, 'FORBIDDEN']);
      }
    }));
});

describe('every procedure, whatever the input', () => {
  test.each([...anyone, ...signedIn, ...admins])(
    '%s answers hostile arguments one by one without falling over',
    async (name) => {
      const caller = admins.includes(name) ? people.admin : people.member;
      for (const argument of signatures.get(name) ?? []) {
        for (const value of hostileTo(argument)) {
          const answer = await rawCall(caller, name, { ...everyArgument(name), [argument.name]: value });
          expectProperAnswer(answer, `${name}(${argument.name} => ${JSON.stringify(value)?.slice(0, 60)})`);
        }
      }
    },
  );

  // Before any procedure runs, so the codes are the database's own (decision 24); the app words them.
  test("too deeply nested JSON is refused as the caller's fault, and changes nothing", () =>
    changesNothing(async () => {
      const nested = '['.repeat(50_000) + ']'.repeat(50_000);
      const takers = [...anyone, ...signedIn].flatMap((name) =>
        (signatures.get(name) ?? []).filter(({ type }) => type === 'jsonb').map((argument) => ({ name, argument })),
      );
      expect(takers.length).toBeGreaterThan(3);
      for (const { name, argument } of takers) {
        const text = JSON.stringify({ ...everyArgument(name), [argument.name]: 'nested' }).replace('"nested"', nested);
        const answer = await rawCall(people.member, name, text);
        expect([answer.status, answer.code, answer.message], name).toEqual([
          413,
          '54001',
          'stack depth limit exceeded',
        ]);
      }
    }));

  test('after all of them the ledger balances, and every table still exists', async () => {
    expect(await allLedgerProblems()).toEqual([]);
    expect(await tableNames()).toEqual(tables);
  });
});

/** Reads, but counts callers, so that codes cannot be enumerated. */
const COUNTED = 'get_referral_greeting';

test('reading procedures are stable, so that they answer GET requests, as a shared cache needs', async () => {
  for (const name of anyone.filter((candidate) => reading.test(candidate) && candidate !== COUNTED)) {
    const { rows } = await sql().query(
      "select provolatile from pg_proc where pronamespace = 'public'::regnamespace and proname = $1",
      [name],
    );
    expect(rows, name).toEqual([{ provolatile: 's' }]);
  }
});
