import type { Identity } from '../identity/index.ts';

export interface DemoAccount {
  id: string;
  email: string;
  password: string;
  name: string;
  /** What the account demonstrates. */
  role: 'member' | 'startup' | 'admin';
}

const PASSWORD = 'questboard-demo';

/** One account for each role. Their ids are those that supabase/seed.sql uses for profiles, wallets and history. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    role: 'member',
    id: 'user_demo_member',
    email: 'member@questboard.local',
    name: 'Demo Member',
    password: PASSWORD,
  },
  {
    role: 'startup',
    id: 'user_demo_startup',
    email: 'startup@questboard.local',
    name: 'Demo Startup',
    password: PASSWORD,
  },
  { role: 'admin', id: 'user_demo_admin', email: 'admin@questboard.local', name: 'Demo Admin', password: PASSWORD },
];

/** Creates the missing demo accounts; an account that the developer has changed is left alone. */
export async function createDemoAccounts(identity: Identity): Promise<void> {
  for (const { id, email, password, name } of DEMO_ACCOUNTS) {
    if (!identity.users.find(id) && !identity.users.find(email)) {
      await identity.users.create({ id, email, password, name });
    }
  }
}
