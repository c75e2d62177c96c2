import type { StackEnv } from './env.ts';
import type { Child, PartFailure } from './process/child.ts';

export interface StackOptions {
  /** Where the stack keeps its state; one running stack each. */
  directory: string;
  /** Forget everything that an earlier start left. */
  isFresh?: boolean;
  /** Remembered ports keep the URLs of last time; free ones suit a stack that is thrown away. */
  ports: 'remembered' | 'free';
  /** Start from the demo data of supabase/seed.sql. */
  isSeeded: boolean;
  /** Start as the platform hands a project over, without our migrations: somebody else applies them. */
  isBare?: boolean;
  /** Survive a power loss; throw-away stacks are faster without. */
  isDurable: boolean;
  /** Whatever happens to this process, the directory goes with it. */
  isEphemeral?: boolean;
  /** Do every few seconds what events ask for, such as sending mails. True unless told otherwise. */
  deliversEvents?: boolean;
  onProgress?: (line: string) => void;
  /** One line for each mail that the identity service sends; it holds the code. */
  onMail?: (line: string) => void;
  /** A part ended by itself. The stack is of no use any more: stop it. */
  onFailure: (failure: PartFailure) => void;
  /** The app's server; started in parallel. Clerk's browser files are fetched only when there is one. */
  app?: (context: { env: StackEnv; port: number; onFailure: (failure: PartFailure) => void }) => Promise<Child>;
}
