import type { Notification } from './queries';

/** A row for tests; override what matters. */
export function notificationRow(overrides: Partial<Notification> & { cursor?: string } = {}): Notification {
  return {
    id: 1,
    kind: 'proof_approved',
    type: 'SubmissionApproved',
    data: { campaign_id: 'q1', task: 'Try it', points: 50, held: 0 },
    created_at: '2026-02-01T12:00:00Z',
    read_at: null,
    waiting: null,
    cursor: 'c1',
    ...overrides,
  };
}
