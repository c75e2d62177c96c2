/** Joins class names. None of them may contradict another: components have variants instead (lib/testing/setup-dom.ts checks it). */
export { clsx as cn } from 'clsx';
