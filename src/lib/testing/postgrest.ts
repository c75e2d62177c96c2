type Row = Record<string, unknown>;
/** SQL's three-valued logic: a comparison with null is neither true nor false. */
type Truth = boolean | null;
type Condition = (row: Row) => Truth;

/** PostgREST's answer to an unsupported request. */
export class PostgrestError extends Error {
  readonly status: number;
  readonly body: { code: string; message: string; details: string | null; hint: null };

  constructor(status: number, code: string, message: string, details: string | null = null) {
    super(message);
    this.status = status;
    this.body = { code, message, details, hint: null };
  }
}

/** The largest number of rows in one answer, like the server's `max-rows`. */
const maxRows = 1000;

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

/** A column's value; `path` leads through embedded rows. As in the database, an unknown column is an error. */
function read(row: Row, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const name of path) {
    if (value === null) return null;
    if (!isRow(value) || !(name in value)) {
      throw new PostgrestError(400, '42703', `column ${path.join('.')} does not exist`);
    }
    value = value[name];
  }
  return value;
}

/** Splits at the commas outside parentheses and quotes. */
function splitList(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const token of text.match(/"(?:\\.|[^"\\])*"|[\s\S]/g) ?? []) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}

const unquote = (text: string) => (/^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text);

/** A timestamp as text that sorts by time to the microsecond; anything else unchanged. */
function sortable(text: string): string {
  const fraction = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.(\d+))?(?:Z|[+-]\d\d:\d\d)$/.exec(text);
  if (!fraction) return text;
  return new Date(text).toISOString().slice(0, 19) + (fraction[1] ?? '').padEnd(6, '0');
}

/** Below, equal or above: -1, 0, 1. */
function compare(left: unknown, right: unknown): number {
  if (typeof left === 'string') {
    const [a, b] = [sortable(left), sortable(String(right))];
    return Number(a > b) - Number(a < b);
  }
  const toNumber = (value: unknown) =>
    value === 'true' || value === 'false' ? Number(value === 'true') : Number(value);
  const [a, b] = [toNumber(left), toNumber(right)];
  if (Number.isNaN(b)) throw new PostgrestError(400, '22P02', `invalid input syntax: "${right}"`);
  return Number(a > b) - Number(a < b);
}

/** LIKE as a regular expression; PostgREST accepts `*` for `%`. */
function like(pattern: string, flags: string): RegExp {
  const source = pattern.replace(/\\?[\s\S]/g, (token) => {
    if (token === '%' || token === '*') return '[\\s\\S]*';
    if (token === '_') return '[\\s\\S]';
    return (token.length > 1 ? token.slice(1) : token).replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, flags);
}

const constants: Record<string, unknown> = { null: null, true: true, false: false };

type Operator = (value: unknown, operand: string) => Truth;
const ifKnown =
  (test: (value: unknown, operand: string) => boolean): Operator =>
  (value, operand) =>
    value === null ? null : test(value, operand);

const operators: Record<string, Operator> = {
  eq: ifKnown((value, operand) => compare(value, operand) === 0),
  neq: ifKnown((value, operand) => compare(value, operand) !== 0),
  gt: ifKnown((value, operand) => compare(value, operand) > 0),
  gte: ifKnown((value, operand) => compare(value, operand) >= 0),
  lt: ifKnown((value, operand) => compare(value, operand) < 0),
  lte: ifKnown((value, operand) => compare(value, operand) <= 0),
  like: ifKnown((value, operand) => like(operand, '').test(String(value))),
  ilike: ifKnown((value, operand) => like(operand, 'i').test(String(value))),
  in: ifKnown(
    (value, operand) =>
      operand !== '()' && splitList(operand.slice(1, -1)).some((item) => compare(value, unquote(item)) === 0),
  ),
  is: (value, operand) => value === constants[operand],
};

const not = (truth: Truth): Truth => (truth === null ? null : !truth);

/** `eq.5`, `not.in.(a,b)`: what follows the column. */
function parseExpression(path: readonly string[], text: string): Condition {
  const [, negation, name = '', operand = ''] = /^(not\.)?([a-z]+)\.([\s\S]*)$/.exec(text) ?? [];
  const operator = operators[name];
  if (!operator || (name === 'is' && !(operand in constants))) {
    throw new PostgrestError(400, 'PGRST100', `"failed to parse filter (${text})"`);
  }
  return (row) => {
    const truth = operator(read(row, path), operand);
    return negation ? not(truth) : truth;
  };
}

/** `or(a.eq.1,and(b.lt.2,c.is.null))`, `not.and(…)` or one comparison within them. */
function parseCondition(text: string): Condition {
  const group = /^(not\.)?(and|or)\(([\s\S]*)\)$/.exec(text);
  if (!group) {
    const [, column = '', expression = '', operand = ''] = /^([^.]+)\.((?:not\.)?[a-z]+\.)([\s\S]*)$/.exec(text) ?? [];
    return parseExpression([unquote(column)], expression + unquote(operand));
  }
  const [, negation, kind, list = ''] = group;
  const conditions = splitList(list).map(parseCondition);
  const decisive = kind === 'or';
  return (row) => {
    const truths = conditions.map((condition) => condition(row));
    const truth = truths.includes(decisive) ? decisive : truths.includes(null) ? null : !decisive;
    return negation ? not(truth) : truth;
  };
}

/** `name`, `*` or `table(name)`, the last with or without `!inner`. */
type Column = { name: string; isInner: boolean; columns: Column[] | null };

function parseSelect(text: string): Column[] {
  return splitList(text).map((part) => {
    const embedded = /^([^!(]+)(!inner)?\(([\s\S]*)\)$/.exec(part);
    if (!embedded) return { name: part, isInner: false, columns: null };
    const [, name = '', inner, columns = ''] = embedded;
    return { name, isInner: Boolean(inner), columns: parseSelect(columns) };
  });
}

function pick(row: Row, columns: readonly Column[]): Row {
  const entries = columns.flatMap(({ name, columns: inner }): [string, unknown][] => {
    if (name === '*') return Object.entries(row);
    const value = read(row, [name]);
    if (!inner || !isRow(value)) return [[name, value]];
    return [[name, Array.isArray(value) ? value.map((item: Row) => pick(item, inner)) : pick(value, inner)]];
  });
  return Object.fromEntries(entries);
}

const reserved = ['select', 'order', 'limit', 'offset'];
const groups = ['and', 'or', 'not.and', 'not.or'];

/** Every filter of the request. A filter on an embedded table restricts the rows only if it is joined with `!inner`. */
function parseFilters(params: URLSearchParams, columns: readonly Column[]): Condition[] {
  return [...params].flatMap(([key, value]): Condition[] => {
    if (reserved.includes(key)) return [];
    if (groups.includes(key)) return [parseCondition(key + value)];
    const path = key.split('.');
    if (path.length > 1 && !columns.some(({ name, isInner }) => isInner && name === path[0])) {
      throw new PostgrestError(400, 'PGRST108', `'${path[0]}' is not an embedded resource in this request`);
    }
    return [parseExpression(path, value)];
  });
}

/** `created_at.desc,tasks(order_index),closed_at.asc.nullsfirst`. Nulls count as the greatest by default. */
function parseOrder(text: string): (a: Row, b: Row) => number {
  const keys = splitList(text).map((part) => {
    const [column = '', ...words] = part.split('.');
    const isDescending = words.includes('desc');
    const isNullFirst = words.includes('nullsfirst') || (isDescending && !words.includes('nullslast'));
    return { path: column.replace(')', '').split('('), direction: isDescending ? -1 : 1, isNullFirst };
  });
  return (a, b) => {
    for (const { path, direction, isNullFirst } of keys) {
      const [left, right] = [read(a, path), read(b, path)];
      if (left === null && right === null) continue;
      if (left === null) return isNullFirst ? -1 : 1;
      if (right === null) return isNullFirst ? 1 : -1;
      const order = compare(left, right) * direction;
      if (order !== 0) return order;
    }
    return 0;
  };
}

function parseRange(params: URLSearchParams, headers: Headers): { offset: number; limit: number } {
  const [, from = '0', to] = /^(\d+)-(\d*)$/.exec(headers.get('range') ?? '') ?? [];
  const ranged = to ? Number(to) - Number(from) + 1 : maxRows;
  const limit = Number(params.get('limit') ?? ranged);
  return { offset: Number(params.get('offset') ?? from), limit: Math.min(limit, maxRows) };
}

/**
 * PostgREST's answer to a read of a table with these `rows`: filters, order, page, columns, count and the single-row form. Features that
 * the app does not use (casts, aliases, full-text search …) fail.
 */
export function readTable(rows: readonly Row[], { method, url, headers }: Request): Response {
  const params = new URL(url).searchParams;
  const columns = parseSelect(params.get('select') ?? '*');
  const filters = parseFilters(params, columns);
  const found = rows.filter((row) => filters.every((filter) => filter(row) === true));
  const order = params.get('order');
  if (order) found.sort(parseOrder(order));
  const { offset, limit } = parseRange(params, headers);
  const page = found.slice(offset, offset + limit).map((row) => pick(row, columns));

  const isCounted = headers.get('prefer')?.includes('count=exact');
  const range = page.length > 0 ? `${offset}-${offset + page.length - 1}` : '*';
  const status = isCounted && page.length < found.length ? 206 : 200;
  const init = { status, headers: { 'content-range': `${range}/${isCounted ? found.length : '*'}` } };
  if (headers.get('accept')?.startsWith('application/vnd.pgrst.object+json')) {
    if (page.length !== 1) {
      const details = `The result contains ${page.length} rows`;
      throw new PostgrestError(406, 'PGRST116', 'JSON object requested, multiple (or no) rows returned', details);
    }
    return Response.json(page[0], init);
  }
  return method === 'HEAD' ? new Response(null, init) : Response.json(page, init);
}
