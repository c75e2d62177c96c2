import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';

/** Contents of a database: one entry per object, "index public.tasks_campaign" → its full definition. */
export type Catalogue = Map<string, Record<string, unknown>>;

/** Schemas of the product. Of the platform's, policies and triggers on its tables are listed too. */
const OWN = `('public', 'private')`;

/** A sorted access list, because the catalogue keeps the order of the grants. */
const acl = (column: string) => `(select jsonb_agg(g::text order by g::text) from unnest(${column}) g)`;

/**
 * One query per kind of object, returning its identity and full definition. Uses the system catalogue only, so that it
 * does not share the blind spots of the engine that writes migrations.
 */
const QUERIES: string[] = [
  `select 'schema ' || n.nspname, jsonb_build_object('owner', n.nspowner::regrole, 'acl', ${acl('n.nspacl')},
     'comment', obj_description(n.oid, 'pg_namespace'))
   from pg_namespace n where n.nspname in ${OWN}`,
  `select 'extension ' || e.extname, jsonb_build_object('schema', e.extnamespace::regnamespace) from pg_extension e`,
  `select 'default privileges ' || concat_ws(' ', d.defaclrole::regrole, d.defaclnamespace::regnamespace, d.defaclobjtype),
     jsonb_build_object('acl', ${acl('d.defaclacl')}) from pg_default_acl d`,
  `select concat_ws(' ', 'relation', c.relkind, c.oid::regclass), jsonb_build_object('owner', c.relowner::regrole, 'acl', ${acl('c.relacl')},
     'rls', c.relrowsecurity, 'forced', c.relforcerowsecurity, 'options', c.reloptions, 'persistence', c.relpersistence,
     'replica identity', c.relreplident, 'comment', obj_description(c.oid, 'pg_class'),
     'view', case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end)
   from pg_class c where c.relnamespace::regnamespace::text in ${OWN} and c.relkind not in ('i', 'I')`,
  `select 'column ' || a.attrelid::regclass || '.' || a.attname, jsonb_build_object(
     'position', row_number() over (partition by a.attrelid order by a.attnum),
     'type', format_type(a.atttypid, a.atttypmod), 'not null', a.attnotnull, 'identity', a.attidentity, 'generated', a.attgenerated,
     'default', pg_get_expr(d.adbin, d.adrelid), 'acl', ${acl('a.attacl')}, 'collation', a.attcollation::regcollation,
     'statistics', a.attstattarget, 'storage', a.attstorage, 'comment', col_description(a.attrelid, a.attnum))
   from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where c.relnamespace::regnamespace::text in ${OWN} and c.relkind not in ('i', 'I', 'S') and a.attnum > 0 and not a.attisdropped`,
  `select 'constraint ' || x.conrelid::regclass || '.' || x.conname, jsonb_build_object('definition', pg_get_constraintdef(x.oid),
     'validated', x.convalidated, 'comment', obj_description(x.oid, 'pg_constraint'))
   from pg_constraint x where x.connamespace::regnamespace::text in ${OWN}`,
  `select 'index ' || i.indexrelid::regclass, jsonb_build_object('definition', pg_get_indexdef(i.indexrelid), 'valid', i.indisvalid,
     'comment', obj_description(i.indexrelid, 'pg_class'))
   from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace::regnamespace::text in ${OWN}`,
  `select 'trigger ' || t.tgrelid::regclass || '.' || t.tgname, jsonb_build_object('definition', pg_get_triggerdef(t.oid),
     'enabled', t.tgenabled, 'comment', obj_description(t.oid, 'pg_trigger'))
   from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where c.relnamespace::regnamespace::text in ('public', 'private', 'storage') and not t.tgisinternal`,
  `select 'policy ' || p.polrelid::regclass || '.' || p.polname, jsonb_build_object('command', p.polcmd, 'permissive', p.polpermissive,
     'roles', (select jsonb_agg(r::regrole::text order by r::regrole::text) from unnest(p.polroles) r),
     'using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid),
     'comment', obj_description(p.oid, 'pg_policy'))
   from pg_policy p`,
  `select 'function ' || p.oid::regprocedure, jsonb_build_object('definition', pg_get_functiondef(p.oid), 'owner', p.proowner::regrole,
     'acl', ${acl('p.proacl')}, 'comment', obj_description(p.oid, 'pg_proc'))
   from pg_proc p where p.pronamespace::regnamespace::text in ${OWN} and p.prokind in ('f', 'p')`,
  `select 'type ' || t.oid::regtype, jsonb_build_object('kind', t.typtype, 'owner', t.typowner::regrole, 'acl', ${acl('t.typacl')},
     'labels', (select jsonb_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid),
     'base', format_type(t.typbasetype, t.typtypmod), 'not null', t.typnotnull, 'default', t.typdefault,
     'comment', obj_description(t.oid, 'pg_type'))
   from pg_type t where t.typnamespace::regnamespace::text in ${OWN} and t.typelem = 0`,
  `select 'sequence ' || s.seqrelid::regclass, to_jsonb(s) - 'seqrelid' from pg_sequence s`,
  `select 'event trigger ' || e.evtname, jsonb_build_object('event', e.evtevent, 'function', e.evtfoid::regprocedure, 'enabled', e.evtenabled)
   from pg_event_trigger e`,
  `select 'publication ' || p.pubname, to_jsonb(p) - 'oid' || jsonb_build_object('tables', (
     select jsonb_agg(t.schemaname || '.' || t.tablename order by t.schemaname, t.tablename)
     from pg_publication_tables t where t.pubname = p.pubname))
   from pg_publication p`,
];

export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const catalogue: Catalogue = new Map();
  // With an empty search path every name is printed with its schema.
  await client.query(`set search_path = ''`);
  for (const query of QUERIES) {
    const { rows } = await client.query<[string, Record<string, unknown>]>({ text: query, rowMode: 'array' });
    for (const [object, definition] of rows) catalogue.set(object, definition);
  }
  // Rows inserted by the schema, such as settings and buckets, without their creation dates.
  const tables = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace::regnamespace::text in ${OWN} and c.relkind = 'r' or c.oid = 'storage.buckets'::regclass`,
  );
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ row: string }>(
      `select (to_jsonb(t) - array['created_at', 'updated_at'])::text as row from ${name} t order by 1`,
    );
    catalogue.set(`rows of ${name}`, { rows: rows.map(({ row }) => row) });
  }
  return catalogue;
}

/** One line per object that is not the same in both, none when they are equal. */
export function compareCatalogues(from: Catalogue, to: Catalogue): string[] {
  const objects = [...new Set([...from.keys(), ...to.keys()])].sort();
  return objects.flatMap((object) => {
    const [before, after] = [from.get(object), to.get(object)];
    if (before === undefined) return [`+ ${object}`];
    if (after === undefined) return [`- ${object}`];
    if (isDeepStrictEqual(before, after)) return [];
    const aspects = Object.keys(after).filter((aspect) => !isDeepStrictEqual(before[aspect], after[aspect]));
    const details = aspects.map(
      (aspect) => `${aspect} ${JSON.stringify(before[aspect])} -> ${JSON.stringify(after[aspect])}`,
    );
    return [`~ ${object}: ${details.join(', ')}`];
  });
}
