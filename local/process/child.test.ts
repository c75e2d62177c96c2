import { expect, it } from 'vitest';
import { type PartFailure, startChild } from './child.ts';

it('reports the end of a part within seconds, even while a process that it left behind holds its output open', async () => {
  let tell: (failure: PartFailure) => void = () => undefined;
  const failure = new Promise<PartFailure>((resolve) => {
    tell = resolve;
  });
  let isReady = false;
  const child = await startChild({
    name: 'The part',
    command: 'sh',
    // The sleeper inherits the output and outlives the part.
    args: ['-c', 'sleep 20 & echo started; read line; exit 3'],
    onLine: () => {
      isReady = true;
    },
    isReady: () => isReady,
    onFailure: (ended) => tell(ended),
  });
  process.kill(child.pid, 'SIGTERM');
  const begun = performance.now();
  expect(await failure).toMatchObject({ name: 'The part', lastLines: ['started'] });
  expect(performance.now() - begun).toBeLessThan(10_000);
  process.kill(-child.pid, 'SIGKILL');
});

it('reports its process before it is ready, so that one that never becomes ready is known, too', async () => {
  const seen: string[] = [];
  const child = await startChild({
    name: 'The part',
    command: 'sleep',
    args: ['20'],
    onSpawn: (pid) => seen.push(pid > 0 ? 'spawned' : 'no process'),
    isReady: () => seen.push('asked') > 3,
    onFailure: () => undefined,
  });
  expect(seen.slice(0, 2)).toEqual(['spawned', 'asked']);
  await child.stop();
});
