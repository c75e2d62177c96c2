import { changedDatabase } from './vitest.config.ts';

/** With conditions that report what they are: see observed-conditions.ts. */
export default changedDatabase('supabase/tests/mutation/observing-server.ts', { name: 'conditions' });
