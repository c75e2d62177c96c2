import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'vite';
import { expect, it, onTestFinished } from 'vitest';
import { apiProxy } from './api-routes.ts';

it("the development server calls a function under the project's own host name", async () => {
  const asked: (string | undefined)[] = [];
  const project = createHttpServer(({ url, headers }, response) => {
    asked.push(url, headers.host);
    response.end('{}');
  });
  await new Promise<void>((resolve) => project.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(project.address() as AddressInfo).port}`;
  const server = await createServer({
    configFile: false,
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0, hmr: false, proxy: apiProxy(`http://${host}`) },
  });
  onTestFinished(async () => {
    await server.close();
    project.close();
  });
  await server.listen();
  const [address] = server.resolvedUrls?.local ?? [];
  await fetch(new URL('/api/send-email?x=1', address), { method: 'POST' });
  expect(asked).toEqual(['/functions/v1/send-email?x=1', host]);
});
