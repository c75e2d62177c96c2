import { expect, test } from 'vitest';
import { probeFreePort } from './ports.ts';

test('ports chosen at the same moment differ, although all of them are free', async () => {
  // Without reservations, 600 ports out of 12,000 would almost certainly contain a duplicate.
  const ports = await Promise.all(Array.from({ length: 600 }, probeFreePort));
  expect(new Set(ports).size).toBe(600);
});
