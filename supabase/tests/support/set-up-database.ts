import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { allLedgerProblems, forgetPeople, trackedPeople } from './ledger.ts';

/**
 * For files whose tests move points: each test answers for the people whom it has made, or who were made for the whole file; at
 * the end the ledger of everybody is looked at once.
 */
export function setUpDatabase(): void {
  let shared = trackedPeople();
  beforeEach(() => {
    shared = trackedPeople();
  });
  afterEach(() => forgetPeople(shared));
  afterAll(async () => expect(await allLedgerProblems()).toEqual([]));
}
