import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePorts, probeFreePort, rememberedPorts } from './ports.ts';

test('ports chosen at the same moment differ, although all of them are free', async () => {
  // Without reservations, 600 ports out of 12,000 would almost certainly contain a duplicate.
  const ports = await Promise.all(Array.from({ length: 600 }, probeFreePort));
  expect(new Set(ports).size).toBe(600);
});

/**
 * A port as another process reserves it before it listens. Below the ports of outgoing connections, one of which could take it as soon as it is
 * given up.
 */
function reserveElsewhere(): Promise<Socket> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => socket.close(() => resolve(reserveElsewhere())));
    socket.bind({ port: randomInt(20_000, 32_000), address: '127.0.0.1', exclusive: true }, () => resolve(socket));
  });
}

test('the ports of the last start are used again, but for one that another start has just chosen', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-ports-'));
  const other = await reserveElsewhere();
  const last = { ...(await freePorts()), mail: other.address().port };
  writeFileSync(join(directory, 'ports.json'), JSON.stringify(last));
  try {
    const { mail, ...others } = await rememberedPorts(directory);
    expect(last).toMatchObject(others);
    expect(mail).not.toBe(last.mail);
    other.close();
    writeFileSync(join(directory, 'ports.json'), JSON.stringify(last));
    expect(await rememberedPorts(directory)).toEqual(last);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
