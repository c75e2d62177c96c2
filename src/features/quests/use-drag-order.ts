import { type PointerEvent as ReactPointerEvent, useEffect, useRef, useState } from 'react';

/** Within this many pixels of the window's edges, dragging scrolls the page. */
const scrollZone = 72;
/** In pixels per millisecond. */
const scrollSpeed = 0.8;
/** Longest frame to scroll for, so that a page that was busy does not jump. */
const longestFrameMs = 50;

function middlesOf(list: HTMLElement): number[] {
  return [...list.children].map((item) => {
    const { top, height } = item.getBoundingClientRect();
    return top + height / 2;
  });
}

/** 1 = down, -1 = up, 0 = the pointer is not near an edge. */
function scrollDirection(pointerY: number): number {
  if (pointerY < scrollZone) return -1;
  return pointerY > window.innerHeight - scrollZone ? 1 : 0;
}

/**
 * Reorders a list by dragging handles with mouse, pen or touch. Nothing moves until the pointer is released: `drag`
 * holds what would move where, so that the drop position can be marked. A pointer that rests near an edge of the window
 * scrolls the page. Escape cancels.
 */
export function useDragOrder(onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const from = drag?.from;

  useEffect(() => {
    if (from === undefined) return;
    // No scrolling before the first move.
    let pointerY = window.innerHeight / 2;
    let before = performance.now();
    const targetAt = (y: number) => (list.current ? dropIndex(middlesOf(list.current), from, y) : from);
    const mark = (y: number) => {
      const to = targetAt(y);
      setDrag((drag) => (drag && drag.to !== to ? { from, to } : drag));
    };
    let frame = requestAnimationFrame(function scroll(now) {
      const direction = scrollDirection(pointerY);
      if (direction !== 0) {
        window.scrollBy(0, direction * scrollSpeed * Math.min(now - before, longestFrameMs));
        mark(pointerY);
      }
      before = now;
      frame = requestAnimationFrame(scroll);
    });
    const handleMove = (event: PointerEvent) => {
      pointerY = event.clientY;
      mark(pointerY);
    };
    const handleUp = (event: PointerEvent) => {
      setDrag(null);
      const to = targetAt(event.clientY);
      if (to !== from) onMove(from, to);
    };
    const giveUp = () => setDrag(null);
    const handleKey = (event: KeyboardEvent) => event.key === 'Escape' && giveUp();

    window.addEventListener('pointermove', handleMove);
    window.addEventListener('pointerup', handleUp);
    window.addEventListener('pointercancel', giveUp);
    window.addEventListener('keydown', handleKey);
    return () => {
      cancelAnimationFrame(frame);
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
