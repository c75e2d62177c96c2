import { ask, field } from '../../process/ask.ts';
import { type Finding, fine, problem } from '../finding.ts';
import type { SettingsWith } from '../settings.ts';

/** Paths below /rest/v1 that visitors must not be able to read. */
const CLOSED = [
  'user_profiles?select=email&limit=1',
  'transactions?select=id&limit=1',
  'app_settings?select=owner_email',
];

/** The project responds, accepts the publishable key, knows our procedures and refuses visitors. */
export async function checkApi({
  VITE_SUPABASE_URL,
  VITE_SUPABASE_ANON_KEY,
}: SettingsWith<'VITE_SUPABASE_URL' | 'VITE_SUPABASE_ANON_KEY'>): Promise<Finding[]> {
  const rest = `${VITE_SUPABASE_URL}/rest/v1`;
  const asVisitor = { headers: { apikey: VITE_SUPABASE_ANON_KEY } };
  const { status, body } = await ask(`${rest}/rpc/get_site_stats`, asVisitor);
  if (status === 0) return [problem('VITE_SUPABASE_URL', `nobody answers at ${VITE_SUPABASE_URL}`)];
  if (status === 401) return [problem('VITE_SUPABASE_ANON_KEY', `is not accepted: ${field(body, 'message')}`)];
  if (status === 404) return [problem('Database', 'has none of our procedures: run npx supabase db push --remote')];
  if (status !== 200) return [problem('Database', `answers ${status}: ${field(body, 'message')}`)];

  const open: string[] = [];
  for (const path of CLOSED) if ((await ask(`${rest}/${path}`, asVisitor)).status === 200) open.push(path);
  return [
    fine('API', 'answers and takes the publishable key'),
    await checkSchemas(rest, asVisitor.headers),
    await checkGraphql(VITE_SUPABASE_URL, asVisitor.headers),
    open.length === 0
      ? fine('Visitors', 'cannot read what is private')
      : problem(
          'Visitors',
          `can read ${open.join(', ')}: run npx supabase db push --remote, then npm run doctor again`,
        ),
  ];
}

/** Schemas that the platform exposes by itself; what the second one leads to is checked below. */
const HARMLESS = ['public', 'graphql_public'];

/** PostgREST lists its exposed schemas when a request names an unknown one. */
async function checkSchemas(rest: string, headers: Record<string, string>): Promise<Finding> {
  const subject = 'Exposed schemas';
  const { status, body } = await ask(`${rest}/nothing`, {
    headers: { ...headers, 'accept-profile': 'questboard_none' },
  });
  // The list is in the message up to version 12, in the hint from 13.
  const text = `${field(body, 'hint') ?? ''} ${field(body, 'message') ?? ''}`;
  const listed = /(?:one of the following|schemas are exposed): ([\w, ]+)/.exec(text)?.[1];
  if (status !== 406 || !listed) return problem(subject, `could not be read: the API answers ${status}`);
  const open = listed
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !HARMLESS.includes(name));
  return open.length === 0
    ? fine(subject, 'public alone')
    : problem(subject, `${open.join(', ')} must not be exposed (Project Settings > Data API)`);
}

/** pg_graphql, which older projects have, offers every table and procedure of ours a second time. Nothing here is written or tested for that. */
async function checkGraphql(project: string, headers: Record<string, string>): Promise<Finding> {
  const subject = 'GraphQL';
  const { body } = await ask(`${project}/graphql/v1`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  return field(body, 'data')
    ? problem(subject, 'is a second way to our tables and procedures: drop extension pg_graphql (docs/deploy.md)')
    : fine(subject, 'is off');
}
