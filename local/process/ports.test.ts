import { createSocket } from 'node:dgram';
import { once } from 'node:events';
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

test('the ports of the last start are used again, but for one that another start has just chosen', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-ports-'));
  // As another process reserves it before it listens.
  const other = createSocket('udp4').bind({ port: 0, address: '127.0.0.1', exclusive: true });
  await once(other, 'listening');
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
