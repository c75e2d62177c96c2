import * as rows from '@/lib/testing/quest-rows';
import type { OwnedProject, Subscription } from './queries';

/** Ids for tests of the project side; they are UUIDs because some screens check that. */
export const projectId = '5b3c1f0e-0000-4000-8000-000000000001';

/** The industries as HUB-03 lists them. */
export const twentyIndustries = (
  'Technology, Fintech, Healthcare, Education, E-commerce, SaaS, AI/ML, Blockchain/Crypto, Gaming, Social Media, Real Estate, ' +
  'Food & Beverage, Fashion, Travel, Transportation, Energy, Manufacturing, Media & Entertainment, Non-profit, Other'
).split(', ');

/** A verified project of the user that renderApp signs in; override what matters. */
export const projectRow = (overrides: Partial<OwnedProject> = {}): OwnedProject =>
  rows.projectRow({
    id: projectId,
    owner_user_id: 'user_test',
    name: 'Paper Kite',
    website: 'https://paperkite.example.com',
    description: 'Kites for small offices',
    industry: 'SaaS',
    created_at: '2026-01-05T12:00:00Z',
    ...overrides,
  });

export function subscription(overrides: Partial<Subscription> = {}): Subscription {
  return {
    id: 'sub-1',
    startup_id: projectId,
    owner_user_id: 'user_test',
    plan_id: 'og_lifetime',
    status: 'active',
    current_period_end: null,
    payment_ref: 'pi_1',
    amount_cents: 9900,
    created_at: '2026-01-06T12:00:00Z',
    updated_at: '2026-01-06T12:00:00Z',
    receipt_url: null,
    ...overrides,
  };
}
