import { expect, test } from 'vitest';
import { TestFile } from './test-files.ts';

const OUTSIDE = "import { test } from 'vitest';\nconst limit = 3;";
const FIRST = "test('first', () => {\n  limit;\n});";
const GROUP = "describe.each([\n  [1],\n])('group %i', () => {\n  test('second', () => {});\n});";
const text = (...blocks: string[]) => blocks.join('\n\n');

test('the verdict of a test is valid until the test or the code outside the tests changes', () => {
  const file = new TestFile(text(OUTSIDE, FIRST, GROUP));
  const [first, second] = [file.hashAround(4), file.hashAround(11)];
  expect(first).not.toBe(second);
  const longer = new TestFile(text(OUTSIDE, "test('new', () => {});", FIRST, GROUP));
  expect([longer.hash === file.hash, longer.holds(first), longer.holds(second)]).toEqual([false, true, true]);
  const changed = new TestFile(text(OUTSIDE, FIRST.replace('limit', 'limit + 1'), GROUP));
  expect([changed.holds(first), changed.holds(second)]).toEqual([false, true]);
  const other = new TestFile(text(OUTSIDE.replace('3', '4'), FIRST, GROUP));
  expect([other.holds(first), other.holds(second)]).toEqual([false, false]);
});
