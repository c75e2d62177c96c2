import pg from 'pg';
import { Code, shorten } from './code.ts';
import { lineOf } from './code-mutants.ts';
import { allConditions } from './conditions.ts';
import { textBetween } from './tokens.ts';

/** A condition within a function that reports what it was. */
export interface ObservedCondition {
  /** As in its reports. */
  id: number;
  /** Function, line of its body and text. */
  description: string;
  /** Byte offsets in the body. */
  start: number;
  end: number;
}

/** What a condition was; null counts as false. */
export interface Report {
  id: number;
  value: boolean;
}

/** What a line of the server's log reports, if it does. */
export function readReport(line: string): Report | undefined {
  const [, id, value] = /observed condition (\d+) (true|false)/.exec(line) ?? [];
  return id === undefined ? undefined : { id: Number(id), value: value === 'true' };
}

/** Once for each value and session, in the log, because a row or a sequence could not be written by a call that only reads. */
const REPORTER = `
  create schema observed;
  grant usage on schema observed to public;
  create function observed.condition(p_id integer, p_value boolean) returns boolean language plpgsql as $$
  declare
    v_value boolean := coalesce(p_value, false);
    v_reported text := format('observed.condition_%s_%s', p_id, v_value);
  begin
    if coalesce(current_setting(v_reported, true), '') = '' then
      raise log 'observed condition % %', p_id, case when v_value then 'true' else 'false' end;
      perform set_config(v_reported, 'yes', false);
    end if;
    return p_value;
  end $$`;

/** Replaces every function by one whose conditions report what they are. */
export async function observeConditions(client: pg.ClientBase): Promise<ObservedCondition[]> {
  const { rows } = await client.query<{ name: string; language: 'sql' | 'plpgsql'; definition: string; body: string }>(`
    select p.oid::regprocedure::text as name, l.lanname as language, pg_get_functiondef(p.oid) as definition, p.prosrc as body
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and l.lanname in ('sql', 'plpgsql') order by 1`);
  await client.query(REPORTER);
  // What reports is some times slower, and must not be refused for that.
  for (const role of ['anon', 'authenticated', 'authenticator'])
    await client.query(`alter role ${role} set statement_timeout = '90s'`);
  const observed: ObservedCondition[] = [];
  let id = 0;
  for (const { name, language, definition, body } of rows) {
    const header = definition.slice(0, definition.lastIndexOf('AS $'));
    const code = new Code(body, language === 'plpgsql');
    const conditions = allConditions(code).map(([from, to]): ObservedCondition => {
      const [start, end] = [code.at(from)?.start ?? 0, code.at(to)?.end ?? 0];
      id += 1;
      return {
        id,
        start,
        end,
        description: `${name} ${lineOf(body, start)}: ${shorten(textBetween(body, start, end))}`,
      };
    });
    const isDefined = (wanted: ObservedCondition[]) =>
      tryQuery(client, `${header}as $observed$${withReports(body, wanted)}$observed$`);
    if (await isDefined(conditions)) {
      observed.push(...conditions);
      continue;
    }
    // The names of errors that a handler is for look like conditions.
    let valid: ObservedCondition[] = [];
    for (const condition of conditions) if (await isDefined([...valid, condition])) valid = [...valid, condition];
    observed.push(...valid);
  }
  return observed;
}

async function tryQuery(client: pg.ClientBase, statement: string): Promise<boolean> {
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return false;
    throw error;
  }
}

/** The body with a call around each of these conditions, which may be within each other. */
export function withReports(body: string, conditions: ObservedCondition[]): string {
  const marks = conditions
    .flatMap(({ id, start, end }) => [
      { at: start, isEnd: false, size: end - start, text: `observed.condition(${id}, (` },
      { at: end, isEnd: true, size: end - start, text: '))' },
    ])
    // What ends here before what begins here; the outer begin first, and end last.
    .sort((a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || (a.isEnd ? a.size - b.size : b.size - a.size));
  const bytes = Buffer.from(body);
  let from = 0;
  const parts = marks.map(({ at, text }) => {
    const part = bytes.subarray(from, at).toString() + text;
    from = at;
    return part;
  });
  return parts.join('') + bytes.subarray(from).toString();
}
