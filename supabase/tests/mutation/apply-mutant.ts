import { readFileSync } from 'node:fs';
import { withClient } from '../../../local/database/connection.ts';
import { testEnv } from '../../../local/testing/clients.ts';

/** Set-up file of the mutation run: damages the test file's own database as the worker has written down. */
const statement = readFileSync(process.env.MUTATION_FILE ?? '', 'utf8');
if (statement) await withClient(testEnv().ADMIN_DATABASE_URL, (client) => client.query(statement));
