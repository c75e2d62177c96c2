import { sql } from '../../../local/testing/clients.ts';

/** Runs with every write of this kind failing for the rows that meet the condition: a damaged row that no rule foresees. */
export async function whileDamaged(write: string, condition: string, run: () => Promise<void>): Promise<void> {
  const table = write.split(' ').at(-1);
  await sql().query(`
    create function private.fail_write() returns trigger language plpgsql as $$ begin raise 'damaged'; end $$;
    create trigger fail_write before ${write} for each row when (${condition}) execute function private.fail_write()`);
  try {
    await run();
  } finally {
    await sql().query(`drop trigger fail_write on ${table}; drop function private.fail_write()`);
  }
}
