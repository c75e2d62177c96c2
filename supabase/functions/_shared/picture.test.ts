import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { DENO_ENVIRONMENT, OFFLINE_FLAGS } from '../../../local/functions/deno-process.ts';
import { FUNCTIONS_DIRECTORY, program } from '../../../local/paths.ts';
import { picture } from '../../../local/testing/pictures.ts';

/** Runs a script of `inspect(name)` and other Deno code on files, in an instance of its own; the number that it logs. */
function measure(files: Record<string, Uint8Array>, script: string): number {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-picture-'));
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(directory, name), bytes);
    const code = `
      import { inspectPicture } from '${new URL('picture.ts', import.meta.url)}';
      const directory = '${directory}';
      const inspect = async (name) => await inspectPicture(await Deno.readFile(directory + '/' + name));
      ${script}`;
    const config = `--config=${join(FUNCTIONS_DIRECTORY, 'verify-upload/deno.json')}`;
    const env = { ...process.env, ...DENO_ENVIRONMENT };
    return Number(execFileSync(program('deno'), ['eval', ...OFFLINE_FLAGS, config, code], { env, encoding: 'utf8' }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

it('keeps the pixels of no picture that it has inspected: one of 2,000 a side takes 16 MB', async () => {
  const jpeg = await picture(1, { type: 'jpeg', width: 2_000, height: 2_000 });
  const kept = measure(
    { jpeg },
    `for (let time = 0; time < 5; time += 1) await inspect('jpeg');
    console.log(Deno.memoryUsage().external);`,
  );
  expect(kept).toBeLessThan(16_000_000);
});

it('an instance that has met the largest picture of each format stays below the 256 MB of the platform', async () => {
  const types = ['png', 'jpeg', 'webp'] as const;
  const pictures = async (width: number, height: number) =>
    Object.fromEntries(await Promise.all(types.map(async (type) => [type, await picture(1, { type, width, height })])));
  const used = measure(
    await pictures(2_560, 2_560),
    `for (const name of ${JSON.stringify(types)}) await inspect(name);
    console.log(Deno.memoryUsage().rss);`,
  );
  expect(used).toBeLessThan(256_000_000);
  const refused = measure(
    await pictures(2_561, 16),
    `let refused = 0;
    for (const name of ${JSON.stringify(types)}) await inspect(name).catch(({ code }) => (refused += code === 'PICTURE_TOO_LARGE'));
    console.log(refused);`,
  );
  expect(refused).toBe(types.length);
});

it('is told the size of a jpeg that the decoder reads, and not another one behind it', async () => {
  const jpeg = Buffer.from(await picture(1, { type: 'jpeg' }));
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
  const frame = jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2));
  const large = Buffer.from(frame);
  large.writeUInt16BE(9_000, 5);
  large.writeUInt16BE(9_000, 7);
  // Before a marker, decoders skip any number of such bytes.
  const fill = Buffer.from([0xff]);
  const behind = Buffer.concat([Buffer.from([0, 2]), frame, Buffer.alloc(0x1_00_00)]);
  const two = Buffer.concat([jpeg.subarray(0, at), fill, large, jpeg.subarray(at + frame.length), behind]);
  const filled = Buffer.concat([jpeg.subarray(0, at), fill, jpeg.subarray(at)]);
  const found = measure(
    { two, filled, cut: jpeg.subarray(0, at + 6) },
    `const codeOf = (name) => inspect(name).then(({ mime }) => mime, ({ code }) => code);
    const codes = [await codeOf('two'), await codeOf('filled'), await codeOf('cut')];
    console.log(Number(codes.join() === 'PICTURE_TOO_LARGE,image/jpeg,NOT_A_PICTURE'));`,
  );
  expect(found).toBe(1);
});

it('refuses a jpeg of more scans than any encoder writes, each of which costs a pass over all its pixels', async () => {
  const jpeg = Buffer.from(await picture(1, { type: 'jpeg' }));
  const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
  const withScans = (count: number) =>
    Buffer.concat([jpeg.subarray(0, -2), ...Array(count).fill(scan), jpeg.subarray(-2)]);
  const found = measure(
    { some: withScans(40), many: withScans(101) },
    `const codeOf = (name) => inspect(name).then(({ mime }) => mime, ({ code }) => code);
    const codes = [await codeOf('some'), await codeOf('many')];
    console.log(Number(codes.join() === 'image/jpeg,NOT_A_PICTURE'));`,
  );
  expect(found).toBe(1);
});

it('refuses a png whose data go on behind its last pixel, where a megabyte can become a gigabyte', async () => {
  const png = Buffer.from(await picture(1));
  const at = png.indexOf('IDAT') - 4;
  const end = at + 12 + png.readUInt32BE(at);
  const pixels = inflateSync(png.subarray(at + 8, end - 4));
  const withData = (...parts: Buffer[]) => Buffer.concat([png.subarray(0, at), ...parts, png.subarray(end)]);
  const chunk = (data: Buffer) => {
    const content = Buffer.concat([Buffer.from('IDAT'), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(content));
    return Buffer.concat([length, content, checksum]);
  };
  const more = deflateSync(Buffer.concat([pixels, Buffer.alloc(20_000_000)]));
  const usual = deflateSync(pixels);
  const found = measure(
    {
      usual: withData(chunk(usual.subarray(0, 1)), chunk(usual.subarray(1))),
      long: withData(chunk(more)),
      split: withData(chunk(more.subarray(0, 900)), chunk(more.subarray(900))),
      unpacked: withData(chunk(pixels)),
    },
    `const codeOf = (name) => inspect(name).then(({ mime }) => mime, ({ code }) => code);
    const codes = [await codeOf('usual'), await codeOf('long'), await codeOf('split'), await codeOf('unpacked')];
    console.log(Number(codes.join() === 'image/png,NOT_A_PICTURE,NOT_A_PICTURE,NOT_A_PICTURE'));`,
  );
  expect(found).toBe(1);
});

it('counts the data of a png in one piece, however many chunks they stand in', async () => {
  // Chunks without a byte: step by step they take five seconds, and in one piece less than one.
  const chunk = Buffer.from('\0\0\0\0IDAT\x35\xaf\x06\x1e', 'latin1');
  const png = Buffer.from(await picture(1));
  const at = png.indexOf('IDAT') - 4;
  const chunks = Buffer.concat(Array.from({ length: 800_000 }, () => chunk));
  const took = measure(
    { png: Buffer.concat([png.subarray(0, at), chunks, png.subarray(at)]) },
    `const start = performance.now();
    await inspect('png');
    console.log(performance.now() - start);`,
  );
  expect(took).toBeLessThan(3_000);
});

it('refuses a file of a type that it does not take without searching it for sizes, which can take half an hour', async () => {
  const box = (type: string, ...content: Uint8Array[]) => {
    const head = Buffer.from(`size${type}`, 'latin1');
    head.writeUInt32BE(Buffer.concat([head, ...content]).length);
    return Buffer.concat([head, ...content]);
  };
  // Each of its sizes makes a reader search the rest of the file for another box, which takes ten seconds or more here. A refusal takes one
  // millisecond, so the bound tells the two apart on a busy machine, too.
  const size = box('ispe', Buffer.from([0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 16]));
  const sizes = box('iprp', box('ipco', ...Array.from({ length: 60_000 }, () => size)));
  const heif = Buffer.concat([box('ftyp', Buffer.from('mif1\0\0\0\0', 'latin1')), box('meta', Buffer.alloc(4), sizes)]);
  const took = measure(
    { heif },
    `const start = performance.now();
    const code = await inspect('heif').catch(({ code }) => code);
    console.log(code === 'NOT_A_PICTURE' ? performance.now() - start : NaN);`,
  );
  expect(took).toBeLessThan(5_000);
});

it('blames no picture for a codec that could not be loaded, and loads it for the next one', async () => {
  const isUnblamed = measure(
    { jpeg: await picture(1, { type: 'jpeg' }) },
    `const { readFile } = Deno;
    Deno.readFile = async (path) => {
      if (String(path).endsWith('.wasm')) throw new Deno.errors.NotFound();
      return await readFile(path);
    };
    const code = await inspect('jpeg').catch(({ code }) => code);
    Deno.readFile = readFile;
    await inspect('jpeg');
    console.log(Number(code === 'UNEXPECTED'));`,
  );
  expect(isUnblamed).toBe(1);
});

it.each(['png', 'jpeg', 'webp'] as const)('a %s that cannot be read breaks none that comes after it', async (type) => {
  const readable = measure(
    { good: await picture(1, { type }) },
    `const { readFile } = Deno;
    const good = await readFile(directory + '/good');
    // Always the same damage: to single bytes behind the header.
    let seed = 1;
    const random = (below) => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) % below;
    const damage = () => {
      const bytes = good.slice();
      for (let count = 0; count < 8; count += 1) bytes[40 + random(bytes.length - 40)] = random(256);
      return bytes;
    };
    console.warn = console.error = () => {};
    for (let time = 0; time < 1_000; time += 1) await inspectPicture(damage()).catch(() => {});
    await inspect('good');
    console.log(1);`,
  );
  expect(readable).toBe(1);
});
