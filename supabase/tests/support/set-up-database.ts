import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { closeSql } from '../../../local/testing/clients.ts';
import { allLedgerProblems, forgetPeople, trackedPeople } from './ledger.ts';

/**
 * For files whose tests use the database: each test answers for the people whom it has made, or who were made for the whole file;
 * at the end the ledger of everybody is looked at once, and the connections are closed.
 */
export function setUpDatabase(): void {
  let shared = trackedPeople();
  beforeEach(() => {
    shared = trackedPeople();
  });
  afterEach(() => forgetPeople(shared));
  afterAll(async () => {
    try {
      expect(await allLedgerProblems()).toEqual([]);
    } finally {
      await closeSql();
    }
  });
}
