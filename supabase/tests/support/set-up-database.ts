import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { allLedgerProblems, forgetPeople, trackedPeople } from './ledger.ts';

/**
 * For files whose tests move points: reconciles the people of each test after it, including those created for the whole
 * file, and the whole ledger at the end of the file.
 */
export function setUpDatabase(): void {
  let shared = trackedPeople();
  beforeEach(() => {
    shared = trackedPeople();
  });
  afterEach(() => forgetPeople(shared));
  afterAll(async () => expect(await allLedgerProblems()).toEqual([]));
}
