/**
 * Preloaded into each Deno process: ends it when the stack that started it is gone, so that not even `kill -9` leaves a function server behind.
 * The stack passes its own pid as the last argument, because it may be gone before this runs. It polls, because Deno runs a preload to its
 * end before the function, and a pending read would never end.
 */
import process from 'node:process';
import { setInterval } from 'node:timers';

const POLL_MS = 500;
const parent = Number(process.argv.at(-1));

setInterval(() => {
  if (process.ppid !== parent) process.exit(0);
}, POLL_MS).unref();
