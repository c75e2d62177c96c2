import { remainingSlots } from './quest';

describe('remainingSlots', () => {
  it('QUEST-07 is what completed and pending submissions leave, never below zero', () => {
    expect(remainingSlots({ max_completions: 20, approved_count: 5, pending_count: 0, kept_count: 0 })).toBe(15);
    expect(remainingSlots({ max_completions: 20, approved_count: 5, pending_count: 2, kept_count: 0 })).toBe(13);
    expect(remainingSlots({ max_completions: 20, approved_count: 5, pending_count: 2, kept_count: 1 })).toBe(12);
    expect(remainingSlots({ max_completions: 3, approved_count: 5, pending_count: 0, kept_count: 0 })).toBe(0);
  });
});
