/** Where a dragged item lands: behind every other item whose middle is above the pointer. All in screen pixels. */
export function dropIndex(middles: readonly number[], from: number, pointerY: number): number {
  return middles.filter((middle, index) => index !== from && middle < pointerY).length;
}

/** The index of an item that a key moves by one, null at the ends and for other keys. */
export function keyIndex(key: string, from: number, count: number): number | null {
  const to = key === 'ArrowUp' ? from - 1 : key === 'ArrowDown' ? from + 1 : -1;
  return to >= 0 && to < count ? to : null;
}
