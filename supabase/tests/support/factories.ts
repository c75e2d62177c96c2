import { randomUUID } from 'node:crypto';
import { asService, asUser, newPersona, type Persona, sql, type TestClient } from '../../../local/testing/clients.ts';
import type { Database, Json } from '../../../src/types/database.ts';
import { trackPerson } from './ledger.ts';

export { ledgerProblems } from './ledger.ts';

type Tables = Database['public']['Tables'];

/** A signed-in member with profile and wallet. */
export interface Member extends Persona {
  client: TestClient;
  /** Token claims other than the subject. */
  claims: Record<string, unknown>;
}

/** An owner with a verified project and the 500 points of the trial. */
export interface Owner extends Member {
  startup: Tables['startup_profiles']['Row'];
}

export interface Quest {
  campaign: Tables['campaigns']['Row'];
  /** The tasks in order; a new quest has one. */
  tasks: Tables['tasks']['Row'][];
  taskId: string;
}

/** Signs in a new member as the app does: token, then `sync_current_user`. */
export async function newMember(label = 'member', claims: Record<string, unknown> = {}): Promise<Member> {
  const persona = newPersona(label);
  const client = await asUser(persona, claims);
  trackPerson(persona.id);
  await unwrap(client.rpc('sync_current_user', {}));
  return { ...persona, client, claims };
}

/** Credits a member's wallet; resolves to the id of the transfer. */
export const grantPoints = (member: Member, points: number): Promise<number> =>
  unwrap(asService().rpc('credit_points_safe', { p_user_id: member.id, p_points: points, p_description: 'Grant' }));

export async function newMemberWithPoints(points: number): Promise<Member> {
  const member = await newMember();
  await grantPoints(member, points);
  return member;
}

/** An admin through signed metadata. */
export const newAdmin = (): Promise<Member> => newMember('admin', { public_metadata: { role: 'admin' } });

export async function newOwner(label = 'owner'): Promise<Owner> {
  const member = await newMember(label);
  const startup = await unwrap(
    member.client.rpc('create_startup_profile', { p_name: `Project of ${member.name}`, p_industry: 'SaaS' }),
  );
  return { ...member, startup };
}

/** An owner whose project is also verified outside beta, where that takes an admin's decision. */
export async function newVerifiedOwner(label = 'owner'): Promise<Owner> {
  const owner = await newOwner(label);
  await sql().query("select private.mark_verified($1, 'test', 'verified by the test')", [owner.startup.id]);
  return owner;
}

/** An owner whose project an admin has reviewed, so that payments from its trial budget are not held (C-94). */
export async function newCheckedOwner(label = 'owner'): Promise<Owner> {
  const owner = await newVerifiedOwner(label);
  await sql().query('update public.startup_profiles set checked_at = now() where id = $1', [owner.startup.id]);
  return owner;
}

export interface QuestOptions {
  campaign?: Record<string, Json>;
  task?: Record<string, Json>;
}

/** A published quest with one task of 10 points and 5 slots by default. */
export async function newQuest(owner: Owner, { campaign, task }: QuestOptions = {}): Promise<Quest> {
  const created = await unwrap(
    owner.client.rpc('create_quest', {
      p_startup_id: owner.startup.id,
      p_campaign: { title: `Quest of ${owner.name}`, summary: 'Try it', details_md: 'Details', ...campaign },
      p_task: {
        title: 'Try the product',
        type: 'signup',
        instructions_md: 'Sign up and tell us what you saw.',
        reward_points: 10,
        max_completions: 5,
        requires_proof: true,
        proof_type: 'link',
        ...task,
      },
    }),
  );
  const tasks = await unwrap(owner.client.from('tasks').select().eq('campaign_id', created.id).order('order_index'));
  const [first] = tasks;
  if (!first) throw new Error('the new quest has no task');
  return { campaign: created, tasks, taskId: first.id };
}

/** Sends a text as proof; by default one that nobody else has sent, since repeated texts are flagged. */
export const submitProof = (who: Member, taskId: string, text = `By ${who.name}: ${randomUUID()}`) =>
  who.client.rpc('submit_proof', { p_task_id: taskId, p_text: text });

/** The answer's data; throws the database's message on failure. */
export async function unwrap<T>(request: PromiseLike<{ data: T; error: unknown }>): Promise<NonNullable<T>> {
  const { data, error } = await request;
  if (error) throw new Error(`unexpected refusal: ${JSON.stringify(error)}`);
  return data as NonNullable<T>;
}

export interface Refusal {
  /** HTTP status. */
  status: number;
  /** Machine code (`hint`). */
  code: string | null;
  message: string;
}

/** Suspends a member as an admin would, without needing one. */
export async function suspend(member: Member): Promise<Member> {
  await sql().query(
    "update public.user_profiles set suspended_at = now(), suspension_reason = 'test' where user_id = $1",
    [member.id],
  );
  return member;
}

/** The refusal for callers without the right. */
export const FORBIDDEN = { status: 403, code: 'FORBIDDEN', message: 'Forbidden' };
/** The refusal for admins who would decide about themselves or their own project. */
export const OWN_MATTER = {
  status: 403,
  code: 'OWN_MATTER',
  message: 'This concerns you or your own project. Another admin has to decide it.',
};
export const SUSPENDED = {
  status: 403,
  code: 'SUSPENDED',
  message: 'Your account is suspended. Please contact support.',
};

/** The refusal of a call; fails if it succeeded. Compare with `toEqual`, so that status, code and sentence are all checked. */
export async function refusal(
  request: PromiseLike<{ data: unknown; status: number; error: { message: string; hint: string | null } | null }>,
): Promise<Refusal> {
  const { data, error, status } = await request;
  if (!error) throw new Error(`expected a refusal, got ${JSON.stringify(data)}`);
  return { status, code: error.hint, message: error.message };
}

/** Balance and lifetime points of a member's wallet, read as superuser. */
export async function walletOf(userId: string): Promise<{ points: number; lifetime: number }> {
  const { rows } = await sql().query<{ points: string; lifetime_points: string }>(
    'select points, lifetime_points from public.wallets where user_id = $1',
    [userId],
  );
  return { points: Number(rows[0]?.points ?? 0), lifetime: Number(rows[0]?.lifetime_points ?? 0) };
}

/** The submissions of a task, oldest first, read as superuser. */
export async function submissionsOf(taskId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql().query(
    'select user_id, status, reviewed_by, review_note from public.submissions where task_id = $1 order by submitted_at',
    [taskId],
  );
  return rows;
}

/** Balance of a project's wallet and of a quest's reserve, read as superuser. */
export async function projectPoints(
  startupId: string,
  campaignId?: string,
): Promise<{ free: number; reserved: number }> {
  const { rows } = await sql().query<{ kind: string; points: string }>(
    'select kind, points from public.wallets where startup_id = $1 or campaign_id = $2',
    [startupId, campaignId ?? null],
  );
  const of = (kind: string) => Number(rows.find((row) => row.kind === kind)?.points ?? 0);
  return { free: of('startup'), reserved: of('reserve') };
}

/** Runs `run` outside beta, where proofs wait for a review and projects for an admin. */
export const outsideBeta = <T>(run: () => Promise<T>): Promise<T> => withSettings({ beta_mode: false }, run);

/**
 * Runs `run` with other product settings and restores them. Settings are one row for the file's whole database: tests that call this must
 * not run concurrently.
 */
export async function withSettings<T>(
  settings: Partial<Tables['app_settings']['Row']>,
  run: () => Promise<T>,
): Promise<T> {
  const names = Object.keys(settings);
  const before = (await sql().query(`select ${names.join(', ')} from public.app_settings`)).rows[0];
  const write = (values: Record<string, unknown>) =>
    sql().query(
      `update public.app_settings set ${names.map((name, index) => `${name} = $${index + 1}`).join(', ')}`,
      names.map((name) => values[name]),
    );
  await write(settings);
  try {
    return await run();
  } finally {
    await write(before);
  }
}
