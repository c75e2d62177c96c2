import { z } from 'zod';
import { FunctionError } from '../_shared/errors.ts';
import { FetchRefused, type FetchTrouble, fetchPublic, type Network } from '../_shared/fetch-public.ts';
import { denoNetwork, toConnection } from '../_shared/network.ts';
import type { CheckConfig } from './config.ts';

export interface Finding {
  completed: boolean;
  /** Ids of what was found, where one action can be told from another: each counts for one task only. */
  actions?: string[];
}

/**
 * Checks whether the member with this token has done a task.
 * @param target the founder's input: an endpoint or a repository.
 * @throws FunctionError CHECK_…; its detail explains the problem to the founder.
 */
export type Connector = (target: string, token: string, config: CheckConfig) => Promise<Finding>;

const TIMEOUT_MS = 10_000;
const LIMITS = { maxBytes: 5 * 1024, timeoutMs: TIMEOUT_MS, maxRedirects: 0, accept: 'application/json' };

const TROUBLES: Record<FetchTrouble, (details: string[], cause: unknown) => FunctionError> = {
  address: (details, cause) => new FunctionError('CHECK_ADDRESS_REFUSED', details, cause),
  unreachable: (details, cause) => new FunctionError('CHECK_UNREACHABLE', details, cause),
  slow: (details, cause) => new FunctionError('CHECK_TOO_SLOW', details, cause),
  answer: (details, cause) => new FunctionError('CHECK_NOT_UNDERSTOOD', details, cause),
};

const completion = z.object({ completed: z.boolean() });
const found = z.object({ items: z.array(z.object({ id: z.int() })) });

/** `GET {address}?token=…`, answered with `{ "completed": true }` or `false`. */
const endpoint: Connector = async (target, token, config) => {
  const url = URL.parse(target);
  url?.searchParams.set('token', token);
  return await read(completion, async () => {
    const bytes = await fetchPublic(url?.href ?? target, LIMITS, networkFor(url?.hostname, config));
    return new TextDecoder().decode(bytes);
  });
};

/** A merged pull request of the repository whose description has the member's token, by GitHub's public search. */
const githubPullRequest: Connector = async (target, token, config) => {
  if (!config.GITHUB_API_URL) throw new FunctionError('CHECK_SWITCHED_OFF');
  const search = new URLSearchParams({ q: `repo:${target} is:pr is:merged in:body "${token}"`, per_page: '5' });
  const url = `${config.GITHUB_API_URL}/search/issues?${search}`;
  const { items } = await read(found, async () => {
    const response = await fetch(url, {
      headers: {
        accept: 'application/vnd.github+json',
        'user-agent': 'Questboard',
        ...(config.GITHUB_TOKEN ? { authorization: `Bearer ${config.GITHUB_TOKEN}` } : {}),
      },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Both mean GitHub's rate limit: its search of public repositories forbids nothing else.
    if (response.status === 403 || response.status === 429) throw new FunctionError('CHECK_BUSY');
    if (!response.ok) throw new FetchRefused('answer', `answered ${response.status}`);
    return await response.text();
  });
  return { completed: items.length > 0, actions: items.map(({ id }) => `github:${id}`) };
};

export const connectors: Record<'endpoint' | 'github_pull_request', Connector> = {
  endpoint,
  github_pull_request: githubPullRequest,
};

/** Available sources of a check: always the project's endpoint, a connector if it is configured. */
export const sourcesOf = (config: CheckConfig): (keyof typeof connectors)[] =>
  config.GITHUB_API_URL ? ['endpoint', 'github_pull_request'] : ['endpoint'];

async function read<Schema extends z.ZodType>(schema: Schema, ask: () => Promise<string>): Promise<z.infer<Schema>> {
  let text: string;
  try {
    text = await ask();
  } catch (error) {
    if (error instanceof FunctionError) throw error;
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    const trouble = error instanceof FetchRefused ? error.trouble : isLate ? 'slow' : 'unreachable';
    throw TROUBLES[trouble](error instanceof FetchRefused ? [`The cause: ${error.message}.`] : [], error);
  }
  const result = schema.safeParse(toJson(text));
  if (!result.success)
    throw new FunctionError('CHECK_NOT_UNDERSTOOD', ['It sent something else than the JSON that we expect.']);
  return result.data;
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A name that exists nowhere (RFC 6761); on the embedded stack it is the demo project. */
const DEMO_HOST = 'project.questboard.test';

function networkFor(host: string | undefined, { DEMO_PROJECT_URL }: CheckConfig): Network {
  if (host !== DEMO_HOST || !DEMO_PROJECT_URL) return denoNetwork;
  const { hostname, port } = new URL(DEMO_PROJECT_URL);
  return {
    resolve: async () => ['1.1.1.1'],
    connect: async () => toConnection(await Deno.connect({ hostname, port: Number(port) })),
  };
}
