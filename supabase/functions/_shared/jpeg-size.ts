const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Markers of a frame, whose segment holds the size: all from 0xc0 to 0xcf but the three that define tables or are reserved. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers without a segment: restarts, and one for temporary use. */
const isBare = (marker: number) => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;

export const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === START_OF_IMAGE;

/**
 * The size of a JPEG, found as its decoder (libjpeg) finds it, which skips whatever stands before a marker. A reader that takes another
 * way through the file can be shown another size than the one for which the decoder then takes memory.
 * @throws Error when there is none
 */
export function jpegSize(bytes: Uint8Array): { width: number; height: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 2;
  for (;;) {
    while (at < bytes.length && bytes[at] !== 0xff) at += 1;
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at];
    at += 1;
    // A segment begins with its length, and that of a frame goes on with the precision, the height and the width.
    if (marker === undefined || marker === START_OF_SCAN || marker === END_OF_IMAGE || at + 7 > bytes.length)
      throw new Error('A JPEG without a frame');
    if (isFrame(marker)) return { height: view.getUint16(at + 3), width: view.getUint16(at + 5) };
    if (marker !== 0 && !isBare(marker)) at += view.getUint16(at);
  }
}
