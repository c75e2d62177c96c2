import * as z from 'zod/mini';

/** Response of check-task. In a module of its own, so that the dashboard does not load the schema library. */
export const endpointTest = z.object({ completed: z.boolean() });

/** Refusal by check-task of the test of an address. */
export const endpointProblem = z.object({ details: z.array(z.string()) });
