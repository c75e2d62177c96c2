import { z } from 'zod';
import { withClient } from '../database/connection.ts';
import { applyMigrations, readMigrations } from '../database/migrations.ts';
import { withScratchDatabases } from '../database/scratch-databases.ts';

/** The result of the procedure get_deployment_report for a database. */
export const reportSchema = z.object({
  migrations: z.array(z.string()).nullable(),
  /** A hash by "function public.x()", "policy storage.objects.y" and the like. */
  objects: z.record(z.string(), z.string()),
  tables_without_rls: z.array(z.string()),
  buckets: z.array(
    z.object({
      id: z.string(),
      public: z.boolean(),
      file_size_limit: z.number().nullable(),
      allowed_mime_types: z.array(z.string()).nullable(),
    }),
  ),
  has_owner_email: z.boolean(),
  token_issuer: z.string().nullable(),
  sees_client_address: z.boolean(),
  schedules: z.array(z.object({ name: z.string().nullable(), schedule: z.string(), active: z.boolean() })).nullable(),
  workers: z.array(
    z.object({
      worker: z.string(),
      schedule: z.string(),
      is_late: z.boolean(),
      last_problem: z.string().nullable(),
      seconds_since_success: z.number().nullable(),
    }),
  ),
  outbox: z.object({
    waiting_seconds: z.number().nullable(),
    failed: z.number(),
    last_error: z.string().nullable(),
  }),
});

export type Report = z.infer<typeof reportSchema>;

let expected: Promise<Report> | undefined;

/** The report of a database freshly created from supabase/migrations, on the embedded PostgreSQL. */
export function expectedReport(): Promise<Report> {
  expected ??= withScratchDatabases(
    { deployed: (client) => applyMigrations(client, readMigrations()) },
    async ({ deployed }) => {
      const { rows } = await withClient(deployed, (client) =>
        client.query('select public.get_deployment_report() as report'),
      );
      return reportSchema.parse(rows[0].report);
    },
  );
  return expected;
}
