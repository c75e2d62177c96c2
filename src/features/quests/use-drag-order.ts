import { type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react';

/** Within this many pixels of the window's edges, dragging scrolls the page. */
const scrollZone = 72;
const scrollStep = 14;

function middlesOf(list: HTMLElement): number[] {
  return [...list.children].map((item) => {
    const { top, height } = item.getBoundingClientRect();
    return top + height / 2;
  });
}

function scrollAtEdges(pointerY: number): void {
  if (pointerY < scrollZone) window.scrollBy(0, -scrollStep);
  else if (pointerY > window.innerHeight - scrollZone) window.scrollBy(0, scrollStep);
}

/**
 * Reorders a list by dragging handles with mouse, pen or touch. Nothing moves until the pointer is released: `drag`
 * holds what would move where, so that the drop position can be marked. Escape cancels.
 */
export function useDragOrder(onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const from = drag?.from;

  useEffect(() => {
    if (from === undefined) return;
    const targetOf = (event: PointerEvent) =>
      list.current ? dropIndex(middlesOf(list.current), from, event.clientY) : from;
    const handleMove = (event: PointerEvent) => {
      scrollAtEdges(event.clientY);
      setDrag({ from, to: targetOf(event) });
    };
    const handleUp = (event: PointerEvent) => {
      setDrag(null);
      const to = targetOf(event);
      if (to !== from) onMove(from, to);
    };
    const giveUp = () => setDrag(null);
    const handleKey = (event: KeyboardEvent) => event.key === 'Escape' && giveUp();

    window.addEventListener('pointermove', handleMove);
    window.addEventListener('pointerup', handleUp);
    window.addEventListener('pointercancel', giveUp);
    window.addEventListener('keydown', handleKey);
    return () => {
      window.removeEventListener('pointermove', handleMove);
      window.removeEventListener('pointerup', handleUp);
      window.removeEventListener('pointercancel', giveUp);
      window.removeEventListener('keydown', handleKey);
    };
  }, [from, onMove]);

  const startDrag = (index: number) => (event: ReactPointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    setDrag({ from: index, to: index });
  };
  return { list, drag, startDrag };
}

/** Drop position of a dragged item: after every other item whose middle is above the pointer. In screen pixels. */
export function dropIndex(middles: readonly number[], from: number, pointerY: number): number {
  return middles.filter((middle, index) => index !== from && middle < pointerY).length;
}

/** The index of an item that a key moves by one, null at the ends and for other keys. */
export function keyIndex(key: string, from: number, count: number): number | null {
  const to = key === 'ArrowUp' ? from - 1 : key === 'ArrowDown' ? from + 1 : -1;
  return to >= 0 && to < count ? to : null;
}
