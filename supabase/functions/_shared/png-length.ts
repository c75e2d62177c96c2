import { Readable } from 'node:stream';
import { constants, createInflate } from 'node:zlib';

const SIGNATURE_BYTES = 8;
/** Before the data of a chunk stand its length and type, and behind it a checksum. */
const HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;
/** The type of a chunk that holds pixels, in ASCII. */
const IDAT = 0x49_44_41_54;

/**
 * Whether the data of a PNG are no longer than its pixels can be. The decoder unpacks everything, also what no pixel uses, and a megabyte can
 * become a gigabyte.
 * @throws Error when the data are not compressed as they must be
 */
export async function isPngOfItsLength(bytes: Uint8Array, width: number, height: number): Promise<boolean> {
  // A pixel has at most four channels of two bytes; what an interlaced picture has besides is less than another row and column.
  const most = 8 * (width + 1) * (height + 1);
  let length = 0;
  const unpacked = Readable.from([dataOf(bytes)]).pipe(createInflate({ finishFlush: constants.Z_SYNC_FLUSH }));
  for await (const part of unpacked) {
    length += part.length;
    if (length > most) return false;
  }
  return true;
}

/** The content of all chunks that hold pixels, in one piece: a file has room for almost a million of them, each of which costs a step. */
function dataOf(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data = new Uint8Array(bytes.length);
  let length = 0;
  let at = SIGNATURE_BYTES;
  while (at + HEAD_BYTES <= bytes.length) {
    const start = at + HEAD_BYTES;
    const end = start + view.getUint32(at);
    if (view.getUint32(at + 4) === IDAT) {
      const part = bytes.subarray(start, end);
      data.set(part, length);
      length += part.length;
    }
    at = end + CHECKSUM_BYTES;
  }
  return data.subarray(0, length);
}
