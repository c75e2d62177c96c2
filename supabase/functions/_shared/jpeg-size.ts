const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Markers of a frame, whose segment holds the size: all from 0xc0 to 0xcf but the three that define tables or are reserved. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers without a segment: restarts, and one for temporary use. */
const isBare = (marker: number) => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;

/** Encoders write about a dozen. A scan of a few bytes costs the decoder a pass over all pixels, and a file has room for 500,000 of them. */
const MAX_SCANS = 100;

export const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === START_OF_IMAGE;

/**
 * The size of a JPEG, found as its decoder (libjpeg) finds it, which skips whatever stands before a marker. A reader that takes another
 * way through the file can be shown another size than the one for which the decoder then takes memory.
 * @throws Error when there is none, and for a file that would keep the decoder busy for minutes
 */
export function jpegSize(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let size: { width: number; height: number } | undefined;
  let scans = 0;
  let at = 2;
  for (;;) {
    while (at < bytes.length && bytes[at] !== 0xff) at += 1;
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at];
    at += 1;
    const isEnd = marker === undefined || marker === END_OF_IMAGE;
    if (isEnd && size) return size;
    if (marker === START_OF_SCAN) scans += 1;
    if (isEnd || scans > (size ? MAX_SCANS : 0)) throw new Error('A JPEG without a frame, or with too many scans');
    // In the data of a scan, a 0 stands behind each byte that would begin a marker.
    if (marker === 0 || isBare(marker)) continue;
    // A segment begins with its length, and that of a frame goes on with the precision, the height and the width.
    if (isFrame(marker)) size ??= { height: view.getUint16(at + 3), width: view.getUint16(at + 5) };
    at += view.getUint16(at);
  }
}
