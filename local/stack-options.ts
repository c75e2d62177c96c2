import type { StackEnv } from './env.ts';
import type { Child, PartFailure } from './process/child.ts';

export interface StackOptions {
  /** State directory of the stack; only one stack may run in it. */
  directory: string;
  /** Discard all state of an earlier start. */
  isFresh?: boolean;
  /** Remembered ports keep the previous URLs; free ones suit a temporary stack. */
  ports: 'remembered' | 'free';
  /** Start from the demo data of supabase/seed.sql. */
  isSeeded: boolean;
  /** Start like a new hosted project, without our migrations, which the caller applies. */
  isBare?: boolean;
  /** Durable writes; throw-away stacks are faster without. */
  isDurable: boolean;
  /** Remove the directory whatever happens to this process. */
  isEphemeral?: boolean;
  /** Run the workers every few seconds, for example to send mails. True by default. */
  deliversEvents?: boolean;
  onProgress?: (line: string) => void;
  /** One line for each mail that the identity service sends, with its code. */
  onMail?: (line: string) => void;
  /** Called when a part ended unexpectedly. The stack is then unusable: stop it. */
  onFailure: (failure: PartFailure) => void;
  /** The app's server; started in parallel. Clerk's browser files are fetched only when there is one. */
  app?: (context: {
    env: StackEnv;
    port: number;
    onSpawn: (pid: number) => void;
    onFailure: (failure: PartFailure) => void;
  }) => Promise<Child>;
}
