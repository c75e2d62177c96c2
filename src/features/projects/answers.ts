import * as z from 'zod/mini';

/** What check-task says of an address. Apart from mutations.ts, which the dashboard loads, as the schema library is. */
export const tested = z.object({ completed: z.boolean() });
