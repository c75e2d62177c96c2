import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ask } from './ask.ts';

it('asks again when a connection ends without an answer, and once only', async () => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (request.url === '/never' || asked === 1) request.socket.destroy();
    else response.end('"here"');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await ask(url)).toMatchObject({ status: 200, body: 'here' });
  expect(asked).toBe(2);
  expect(await ask(`${url}/never`)).toMatchObject({ status: 0 });
  expect(asked).toBe(4);
});
