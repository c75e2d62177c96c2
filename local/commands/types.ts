import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEphemeralStack } from '../ephemeral-stack.ts';
import { PROJECT_ROOT } from '../paths.ts';
import { generateTypes, TYPES_FILE } from '../types-file.ts';

/** `npm run types`: writes src/types/database.ts from the current migrations. */
export async function typesCommand(): Promise<number> {
  const stack = await startEphemeralStack({ isSeeded: false });
  try {
    writeFileSync(join(PROJECT_ROOT, TYPES_FILE), await generateTypes(stack.env.DATABASE_URL));
  } finally {
    await stack.stop();
  }
  console.log(`Wrote ${TYPES_FILE}.`);
  return 0;
}
