import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { asAnon, asService, sql, testEnv } from '../../local/testing/clients.ts';
import {
  ledgerProblems,
  newAdmin,
  newMember,
  newOwner,
  newQuest,
  refusal,
  unwrap,
  walletOf,
} from './support/factories.ts';
import { changesNothing } from './support/raw.ts';
import { setUpDatabase } from './support/set-up-database.ts';

setUpDatabase();

const credit = (userId: string, points: number, key?: string, description = 'Grant') =>
  asService().rpc('credit_points_safe', {
    p_user_id: userId,
    p_points: points,
    p_description: description,
    ...(key && { p_idempotency_key: key }),
  });
const debit = (userId: string, points: number, key?: string) =>
  asService().rpc('debit_points_safe', {
    p_user_id: userId,
    p_points: points,
    p_description: 'Correction',
    ...(key && { p_idempotency_key: key }),
  });

const INSUFFICIENT = { status: 409, code: 'INSUFFICIENT_POINTS', message: 'Insufficient points balance' };
const NO_WALLET = { status: 404, code: 'WALLET_NOT_FOUND', message: 'Wallet not found' };
const INVALID = { status: 400, code: 'INVALID_POINTS', message: 'Points must be a positive number' };

describe('credit_points_safe and debit_points_safe', () => {
  test('DB-24 RULE-17 a credit raises points and lifetime, a debit lowers points only; each writes one row for the wallet', async () => {
    const member = await newMember();
    await unwrap(credit(member.id, 30));
    const id = await unwrap(debit(member.id, 12));
    const { rows: trial } = await sql().query('select trial_points from public.transfers where id = $1', [id]);
    expect(trial).toEqual([{ trial_points: null }]);
    expect(await walletOf(member.id)).toEqual({ points: 18, lifetime: 30 });
    const rows = await unwrap(
      member.client.from('transactions').select('type, points, balance_after, description').order('id'),
    );
    expect(rows).toEqual([
      { type: 'credit', points: 30, balance_after: 30, description: 'Grant' },
      { type: 'debit', points: 12, balance_after: 18, description: 'Correction' },
    ]);
    expect(await ledgerProblems()).toEqual([]);
  });

  test('C-46 DB-24 the kind of a credit follows from its description, of which 500 characters are kept', async () => {
    const member = await newMember();
    const descriptions = ['Task completion: Try it', 'A referral bonus', 'WELCOME BONUS', 'x'.repeat(501)];
    for (const description of descriptions) await unwrap(credit(member.id, 2, undefined, description));
    const rows = await unwrap(member.client.from('transactions').select('kind, description').order('id'));
    expect(rows).toEqual([
      { kind: 'task_completion', description: descriptions[0] },
      { kind: 'referral_bonus', description: descriptions[1] },
      { kind: 'welcome_bonus', description: descriptions[2] },
      { kind: 'adjustment', description: 'x'.repeat(500) },
    ]);
    const wallet = await unwrap(
      member.client.from('wallets').select('lifetime_points, leaderboard_points').eq('kind', 'user').single(),
    );
    expect(wallet).toEqual({ lifetime_points: 8, leaderboard_points: 6 });
  });

  test('TRUST-01 each transfer is one debit and one credit of the same points', async () => {
    const member = await newMember();
    const transfer = await unwrap(credit(member.id, 7));
    const { rows } = await sql().query(
      'select type, points, system_account, wallet_id is null as is_system from public.transactions where transfer_id = $1 order by type',
      [transfer],
    );
    expect(rows).toEqual([
      { type: 'credit', points: '7', system_account: null, is_system: false },
      { type: 'debit', points: '7', system_account: 'issuance', is_system: true },
    ]);
  });

  test('RULE-10 TRUST-05 a debit needs the wallet and sufficient balance; points must be positive', async () => {
    const member = await newMember();
    await unwrap(credit(member.id, 10));
    await changesNothing(async () => {
      expect(await refusal(debit(member.id, 11))).toEqual(INSUFFICIENT);
      expect(await refusal(debit(member.id, 2_147_483_647))).toEqual(INSUFFICIENT);
      for (const nobody of [randomUUID(), '', "'; drop table x; --", 'x'.repeat(2001)]) {
        expect(await refusal(debit(nobody, 1))).toEqual(NO_WALLET);
      }
      expect(await refusal(credit(' ', 1))).toEqual(NO_WALLET);
      const missing: object = { p_points: null };
      const grant = { p_user_id: member.id, p_points: 1, p_description: 'Grant', ...missing };
      expect(await refusal(asService().rpc('credit_points_safe', grant))).toEqual(INVALID);
      for (const points of [0, -5, -2_147_483_648]) {
        expect(await refusal(credit(member.id, points))).toEqual(INVALID);
        expect(await refusal(debit(member.id, points))).toEqual(INVALID);
      }
      for (const points of [2 ** 31, 0.5]) {
        expect((await refusal(credit(member.id, points))).status).toBe(400);
      }
    });
    expect((await debit(member.id, 10)).error).toBeNull();
  });

  test('TRUST-02 the same key moves points once, also in fifty concurrent calls', async () => {
    const member = await newMember();
    const [first, second] = [randomUUID(), randomUUID()];
    const credits = await Promise.all(Array.from({ length: 50 }, () => unwrap(credit(member.id, 20, first))));
    expect(new Set(credits).size).toBe(1);
    const debits = await Promise.all(Array.from({ length: 50 }, () => unwrap(debit(member.id, 5, second))));
    expect(new Set(debits).size).toBe(1);
    expect(await walletOf(member.id)).toEqual({ points: 15, lifetime: 20 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-05 fifty concurrent debits take only what is there', async () => {
    const member = await newMember();
    await unwrap(credit(member.id, 100));
    const answers = await Promise.all(Array.from({ length: 50 }, () => debit(member.id, 30)));
    expect(answers.filter((answer) => !answer.error)).toHaveLength(3);
    expect(await walletOf(member.id)).toEqual({ points: 10, lifetime: 100 });
    expect(await ledgerProblems()).toEqual([]);
  });

  test('TRUST-03 no browser token moves points: member, owner, admin or visitor', async () => {
    const [member, owner, admin] = [await newMember(), await newOwner(), await newAdmin()];
    await changesNothing(async () => {
      for (const client of [member.client, owner.client, admin.client, asAnon()]) {
        const args = { p_user_id: member.id, p_points: 5, p_description: 'Task completion: mine' };
        for (const name of ['credit_points_safe', 'debit_points_safe'] as const) {
          const refused = await refusal(client.rpc(name, args));
          expect(refused.status).toBeOneOf([401, 403]);
          expect(refused.message).toBe(`permission denied for function ${name}`);
        }
      }
    });
  });
});

test('TRUST-03 a write to the view of transactions is refused as a write to its tables is, not a failure of the server', async () => {
  const member = await newMember();
  const row = { description: 'Mine', points: 5 } as never;
  for (const { client, status } of [
    { client: member.client, status: 403 },
    { client: asAnon(), status: 401 },
    { client: asService(), status: 403 },
  ]) {
    const view = () => client.from('transactions');
    const answers = await Promise.all([
      view().insert(row),
      view().update(row).eq('user_id', member.id),
      view().delete().eq('user_id', member.id),
    ]);
    expect(answers.map((answer) => [answer.status, answer.error?.code])).toEqual(answers.map(() => [status, '42501']));
  }
});

describe('append-only tables', () => {
  test.each([
    ['transfers', 'created_at'],
    ['entries', 'user_id'],
    ['submission_history', 'created_at'],
    ['audit_log', 'created_at'],
  ])(
    'TRUST-08 public.%s refuses update, delete and truncate, for the schema owner and for a superuser',
    async (table, column) => {
      const [owner, member] = [await newOwner(), await newMember()];
      const { taskId } = await newQuest(owner);
      await unwrap(member.client.rpc('submit_proof', { p_task_id: taskId, p_text: 'x' }));
      const admin = new pg.Client({ connectionString: testEnv().ADMIN_DATABASE_URL });
      await admin.connect();
      try {
        await changesNothing(async () => {
          for (const run of [sql(), admin]) {
            for (const statement of [
              `update public.${table} set ${column} = ${column}`,
              `delete from public.${table}`,
              `truncate public.${table} cascade`,
            ]) {
              await expect(run.query(statement), statement).rejects.toThrow(`rows of public.${table} are append-only`);
            }
          }
        });
      } finally {
        await admin.end();
      }
    },
  );
});
