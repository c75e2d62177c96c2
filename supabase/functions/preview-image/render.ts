import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { display, text } from './words.ts';

let ready: Promise<void> | undefined;

/** An SVG as PNG, with our own fonts alone. `readModule`: the bytes of resvg's WebAssembly, read when they are first needed. */
export async function renderPng(
  svg: string,
  readModule: () => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  ready ??= readModule()
    .then((code) => initWasm(code))
    .catch((error) => {
      // Not cached, or this instance would never render another image.
      ready = undefined;
      throw error;
    });
  await ready;
  const fontBuffers = [display, text].map(({ base64 }) => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)));
  const picture = new Resvg(svg, { font: { loadSystemFonts: false, fontBuffers, defaultFontFamily: text.family } });
  try {
    const image = picture.render();
    const png = new Uint8Array(image.asPng());
    image.free();
    return png;
  } finally {
    picture.free();
  }
}
