import { expect, test } from 'vitest';
import { probeFreePort } from './ports.ts';

test('ports that are chosen at the same moment differ, although all of them are free', async () => {
  // Without a reservation two of 600 among 12,000 would be the same in all but one of three million runs.
  const ports = await Promise.all(Array.from({ length: 600 }, probeFreePort));
  expect(new Set(ports).size).toBe(600);
});
