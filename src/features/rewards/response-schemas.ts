import * as z from 'zod/mini';

/** Badges of a public profile. In a module of its own, so that first screens do not load the schema library. */
export const badgeRows = z.array(z.object({ badge: z.string(), week: z.string() }));
