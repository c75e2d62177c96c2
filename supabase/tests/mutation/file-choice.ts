import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { PROJECT_ROOT } from '../../../local/paths.ts';

/** Which functions call a function or use a table, by the names in their bodies, and which tables fire which triggers. */
export interface CallGraph {
  bodies: Map<string, string>;
  /** Tables by the name of the trigger function that they call. */
  triggers: Map<string, string[]>;
  /** Functions that policies ask. */
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
  const policies = await client.query<{ text: string }>(
    "select coalesce(string_agg(concat(qual, ' ', with_check), ' '), '') as text from pg_policies",
  );
  return {
    bodies: new Map(functions.rows.map(({ name, body }) => [name, body])),
    triggers: new Map(triggers.rows.map(({ name, tables }) => [name, tables])),
    policies: policies.rows[0]?.text ?? '',
  };
}

const mentions = (text: string, name: string): number => text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;

/** Names whose mention leads to a function or table, with how many steps away they are. */
function namesAround({ bodies, triggers }: CallGraph, subject: string): Map<string, number> {
  const steps = new Map([[subject, 0]]);
  const queue = [subject];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const next = (steps.get(name) ?? 0) + 1;
    const callers = [...bodies].filter(([, body]) => mentions(body, name) > 0).map(([caller]) => caller);
    for (const caller of [...callers, ...(triggers.get(name) ?? [])]) {
      if (steps.has(caller)) continue;
      steps.set(caller, next);
      queue.push(caller);
    }
  }
  return steps;
}

/**
 * The test files that say most about a function or a table: by how often they name it, or what calls it, and how much else they
 * name. Whether a test reaches it is measured when it runs.
 */
export function chooseFiles(graph: CallGraph, subject: string, files: Iterable<string>, most: number): string[] {
  const name = /^(?:function|table) (?:\w+\.)?(\w+)/.exec(subject)?.[1] ?? subject;
  const names = namesAround(graph, name);
  const chosen = [...files]
    .map((file) => {
      const text = readFileSync(join(PROJECT_ROOT, file), 'utf8');
      const all = [...graph.bodies.keys()].reduce((sum, other) => sum + mentions(text, other), 1);
      const near = [...names].reduce((sum, [other, steps]) => sum + mentions(text, other) * 0.4 ** steps, 0);
      return { file, score: near / Math.sqrt(all) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ file }) => file);
  const matrix = mentions(graph.policies, name) > 0 ? ['supabase/tests/access-matrix.test.ts'] : [];
  return [...new Set([...matrix, ...chosen])].slice(0, most);
}
