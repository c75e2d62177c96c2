import * as z from 'zod/mini';

// Apart from queries.ts, so that lists on the first route do not bring the schema library along.

const answer = z.object({ sources: z.array(z.enum(['endpoint', 'github_pull_request'])) });

/** The sources that a check can ask here. Throws for what this version of the app does not know. */
export const toCheckSources = (value: unknown) => answer.parse(value).sources;
