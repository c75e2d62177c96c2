import { dropIndex, keyIndex } from './use-drag-order';

test('an item is dropped behind those whose middle it has passed', () => {
  const middles = [50, 150, 250];
  expect(dropIndex(middles, 0, 10)).toBe(0);
  expect(dropIndex(middles, 0, 160)).toBe(1);
  expect(dropIndex(middles, 0, 260)).toBe(2);
  expect(dropIndex(middles, 2, 10)).toBe(0);
  expect(dropIndex(middles, 1, 150)).toBe(1);
});

test('arrow keys move by one and stop at the ends', () => {
  expect(keyIndex('ArrowUp', 1, 3)).toBe(0);
  expect(keyIndex('ArrowDown', 1, 3)).toBe(2);
  expect(keyIndex('ArrowUp', 0, 3)).toBeNull();
  expect(keyIndex('ArrowDown', 2, 3)).toBeNull();
  expect(keyIndex('Enter', 1, 3)).toBeNull();
});
