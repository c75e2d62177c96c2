import { compareCatalogues, readCatalogue } from './catalogue.ts';
import { withClient } from './connection.ts';
import { applyMigrations, type Migration } from './migrations.ts';
import { diffSchemas } from './schema-diff.ts';
import { applySchemaFiles, type SchemaFile } from './schema-files.ts';
import { withScratchDatabases } from './scratch-databases.ts';

export interface SchemaChange {
  /** One text per migration; more than one when the first has to be committed before the next can run. */
  steps: string[];
  /** Statements that lose data. */
  destructive: string[];
  /** Remaining differences after the steps, which the engine cannot express. */
  rest: string[];
}

/** Computes the steps from the migrations to the schema files, and tests them on a database. */
export async function findSchemaChange(migrations: Migration[], files: SchemaFile[]): Promise<SchemaChange> {
  return withScratchDatabases(
    {
      migrated: (client) => applyMigrations(client, migrations),
      declared: (client) => applySchemaFiles(client, files),
    },
    async ({ migrated, declared }) => {
      const { steps, destructive } = await diffSchemas(migrated, declared);
      const trial = steps.map((sql, step) => ({ version: `trial_${step}`, name: 'change', sql, hash: '' }));
      await withClient(migrated, (client) => applyMigrations(client, trial));
      const [reached, wanted] = [await withClient(migrated, readCatalogue), await withClient(declared, readCatalogue)];
      return { steps, destructive, rest: compareCatalogues(reached, wanted) };
    },
  );
}
