import type pg from 'pg';

/** Which functions call a function or use a table, by the names in their bodies, and which triggers each table fires. */
export interface CallGraph {
  bodies: Map<string, string>;
  /** Tables by the name of the trigger function that they call. */
  triggers: Map<string, string[]>;
  /** What a table's computed columns and check constraints contain, by the table's name. */
  expressions: Map<string, string>;
  /** Functions that policies call. */
  policies: string;
}

export async function readCallGraph(client: pg.ClientBase): Promise<CallGraph> {
  const functions = await client.query<{ name: string; body: string }>(
    "select proname as name, prosrc as body from pg_proc where pronamespace in ('public'::regnamespace, 'private'::regnamespace)",
  );
  const triggers = await client.query<{ name: string; tables: string[] }>(
    `select p.proname as name, array_agg(c.relname::text) as tables from pg_trigger t
     join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid where not t.tgisinternal group by 1`,
  );
  const expressions = await client.query<{ table: string; text: string }>(
    `select c.relname as table, string_agg(e.text, ' ') as text from pg_class c
     join (
       select adrelid as relid, pg_get_expr(adbin, adrelid) as text from pg_attrdef
       union all select conrelid, pg_get_constraintdef(oid) from pg_constraint where contype = 'c'
     ) e on e.relid = c.oid where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) group by 1`,
  );
  const policies = await client.query<{ text: string }>(
    "select coalesce(string_agg(concat(qual, ' ', with_check), ' '), '') as text from pg_policies",
  );
  return {
    bodies: new Map(functions.rows.map(({ name, body }) => [name, body])),
    triggers: new Map(triggers.rows.map(({ name, tables }) => [name, tables])),
    expressions: new Map(expressions.rows.map(({ table, text }) => [table, text])),
    policies: policies.rows[0]?.text ?? '',
  };
}

const counted = new Map<string, Map<string, number>>();

/** How often each word occurs in a text. */
function wordsOf(text: string): Map<string, number> {
  const known = counted.get(text);
  if (known) return known;
  const words = new Map<string, number>();
  for (const word of text.match(/\w+/g) ?? []) words.set(word, (words.get(word) ?? 0) + 1);
  counted.set(text, words);
  return words;
}

export const mentions = (text: string, name: string): number => wordsOf(text).get(name) ?? 0;

/** The bare name of `function private.transfer(…)` or `table public.wallets`. */
export const nameOf = (subject: string): string => /^(?:function|table) (?:\w+\.)?(\w+)/.exec(subject)?.[1] ?? subject;

const CALLS = /\b(?:public|private)\.(\w+)\(/g;
const WRITES = /\b(?:insert into|update|delete from)\s+(?:public|private)\.(\w+)/g;

/**
 * Every function that these texts may call, directly or not, and every table that they may write to. The texts are statements or request
 * paths: any word in them that is the name of a function or table counts.
 */
export function namesBelow({ bodies, triggers, expressions, policies }: CallGraph, texts: string[]): Set<string> {
  const names = new Set<string>();
  const queue = texts.flatMap((text) => [...wordsOf(text).keys()]).filter((word) => isSubject(word));
  // A table access may have been refused by a policy, and policies call functions for each file.
  if (texts.some((text) => /^\/(rest\/v1\/(?!rpc)|storage\/)/.test(text))) queue.push(...namedBy(policies, CALLS));
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (names.has(name)) continue;
    names.add(name);
    const text = `${bodies.get(name) ?? ''} ${expressions.get(name) ?? ''}`;
    const fired = [...triggers].filter(([, tables]) => tables.includes(name)).map(([trigger]) => trigger);
    queue.push(...namedBy(text, CALLS), ...namedBy(text, WRITES), ...fired);
  }
  return names;

  function isSubject(word: string): boolean {
    return bodies.has(word) || expressions.has(word) || [...triggers.values()].some((tables) => tables.includes(word));
  }
}

const namedBy = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);
