import * as z from 'zod/mini';

/** What a public profile says that a member has reached. Apart from queries.ts, which first screens load, as the schema library is. */
export const badgeRows = z.array(z.object({ badge: z.string(), week: z.string() }));
