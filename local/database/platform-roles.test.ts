import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { withClient } from './connection.ts';
import { readMigrations } from './migrations.ts';
import { readSchemaFiles } from './schema-files.ts';
import { withScratchDatabases } from './scratch-databases.ts';

beforeAll(() => loadModule());

interface Part {
  sql: string;
  /** A policy on a platform table, which postgres may create without owning the table. */
  isPlatformPolicy: boolean;
}

/** A migration's statements, consecutive ones of the same kind joined. */
function partsOf(sql: string): Part[] {
  const bytes = Buffer.from(sql);
  const parts: Part[] = [];
  for (const { stmt, stmt_location: start = 0, stmt_len: length } of parseSync(sql).stmts ?? []) {
    const text = bytes.subarray(start, length === undefined ? undefined : start + length).toString();
    const isPlatformPolicy =
      stmt !== undefined && 'CreatePolicyStmt' in stmt && stmt.CreatePolicyStmt.table?.schemaname === 'storage';
    const last = parts.at(-1);
    if (last?.isPlatformPolicy === isPlatformPolicy) last.sql += `;${text}`;
    else parts.push({ sql: text, isPlatformPolicy });
  }
  return parts;
}

/**
 * Applies migrations with the roles of a hosted project, where postgres is not a member of the roles that own the
 * platform's tables. The embedded stack makes it a member, because allowing policies without ownership takes an
 * extension of the platform. Everything is rolled back.
 */
async function apply(client: pg.Client, parts: Part[]): Promise<string[]> {
  await client.query('begin');
  try {
    await client.query('revoke supabase_storage_admin, supabase_realtime_admin from postgres');
    for (const { sql, isPlatformPolicy } of parts) {
      await client.query(isPlatformPolicy ? 'reset role' : 'set local role postgres');
      await client.query(sql);
    }
    await client.query('reset role');
    const { rows } = await client.query<{ name: string }>(
      "select polname as name from pg_policy where polrelid = 'storage.objects'::regclass",
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.query('rollback');
  }
}

describe('the migrations', () => {
  it("need only rows and policies in the platform's schemas, whoever owns their tables", () =>
    withScratchDatabases({ bare: async () => undefined }, ({ bare }) =>
      withClient(bare.replace('//postgres:', '//supabase_admin:'), async (client) => {
        const parts = readMigrations().flatMap(({ sql }) => partsOf(sql));
        expect(await apply(client, parts)).toEqual(expect.arrayContaining(['proofs_insert', 'proofs_read']));

        const planted = [
          "comment on policy proofs_read on storage.objects is 'Planted'",
          'create index planted on storage.objects (owner)',
          'alter table realtime.messages add column planted text',
        ];
        for (const sql of planted) {
          await expect(apply(client, [...parts, { sql, isPlatformPolicy: false }]), sql).rejects.toThrow(
            /must be owner|permission denied/,
          );
        }
      }),
    ));
});

/** All nodes of this kind in a syntax tree. */
function nodesOf(tree: unknown, kind: string): Record<string, unknown>[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, node]) => [...(name === kind ? [node] : []), ...nodesOf(node, kind)]);
}

/** Bodies of the SQL functions, and those statements of the PL/pgSQL functions that can change rows; expressions do not parse alone. */
function queriesOf(sql: string): string[] {
  const bytes = Buffer.from(sql);
  return (parseSync(sql).stmts ?? []).flatMap(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
    if (stmt === undefined || !('CreateFunctionStmt' in stmt)) return [];
    const text = bytes.subarray(start, length === undefined ? undefined : start + length).toString();
    const [, body] = /\blanguage sql\b[^$]*\$\$([\s\S]*)\$\$/.exec(text) ?? [];
    if (body !== undefined) return [body];
    const expressions = nodesOf(parsePlPgSQLSync(text), 'PLpgSQL_expr').map(({ query }) => String(query));
    return expressions.filter((query) => /^\s*(with|insert|update|delete)\b/i.test(query));
  });
}

/** Tables that these functions update or delete from without a `where`. */
const unfiltered = (sql: string) =>
  queriesOf(sql)
    .map((query) => parseSync(query))
    .flatMap((tree) => [...nodesOf(tree, 'UpdateStmt'), ...nodesOf(tree, 'DeleteStmt')])
    .filter(({ whereClause }) => whereClause === undefined)
    .map(({ relation }) => (relation as { relname: string }).relname);

describe('the procedures', () => {
  it('update and delete only with a where clause: the API’s connections refuse everything else (safeupdate)', () => {
    expect(readSchemaFiles().flatMap(({ sql }) => unfiltered(sql))).toEqual([]);

    const planted = (language: string, body: string) =>
      `create function public.planted() returns void language ${language} as $$ ${body} $$;`;
    for (const body of [
      'update public.one set n = (select m from public.two where m = 1);',
      'with gone as (delete from public.one returning n) insert into public.two select n from gone where n > 1;',
    ]) {
      expect(unfiltered(planted('sql', body)), body).toEqual(['one']);
      expect(unfiltered(planted('plpgsql', `begin ${body} end`)), body).toEqual(['one']);
    }
    expect(unfiltered(planted('sql', 'delete from public.one where true;'))).toEqual([]);
  });
});
