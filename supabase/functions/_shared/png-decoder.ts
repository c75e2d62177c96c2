/** What the module of @jsquash/png exports, as far as decoding needs it. */
interface Decoder {
  memory: WebAssembly.Memory;
  decode(at: number, length: number): number;
  __wbindgen_malloc(length: number, alignment: number): number;
  __wbindgen_free(at: number, length: number, alignment: number): void;
}

/**
 * The PNG decoder of @jsquash/png in an instance of its own: the package itself keeps one for good, and each picture that it cannot read
 * takes some of its memory along.
 */
export async function startPngDecoder(module: WebAssembly.Module): Promise<(bytes: ArrayBuffer) => Promise<ImageData>> {
  let pixels: ImageData | undefined;
  const imported = (name: string) => {
    // The names end with a hash.
    if (name.startsWith('__wbg_newwithownedu8clampedarray')) {
      return (at: number, length: number, width: number, height: number) => {
        pixels = new ImageData(new Uint8ClampedArray(decoder.memory.buffer, at >>> 0, length).slice(), width, height);
        decoder.__wbindgen_free(at, length, 1);
        return 0;
      };
    }
    return () => {
      throw new Error('The picture cannot be decoded');
    };
  };
  const names = WebAssembly.Module.imports(module).map(({ name }) => name);
  const wbg = Object.fromEntries(names.map((name) => [name, imported(name)]));
  const decoder = (await WebAssembly.instantiate(module, { wbg })).exports as unknown as Decoder;

  return async (bytes) => {
    pixels = undefined;
    const at = decoder.__wbindgen_malloc(bytes.byteLength, 1) >>> 0;
    new Uint8Array(decoder.memory.buffer).set(new Uint8Array(bytes), at);
    decoder.decode(at, bytes.byteLength);
    if (!pixels) throw new Error('The picture cannot be decoded');
    return pixels;
  };
}
