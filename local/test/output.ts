import { Writable } from 'node:stream';

/** Buffers a step's output until the step has ended, so that the output of concurrent steps does not mix. */
export class BufferedOutput extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  print(): void {
    process.stdout.write(Buffer.concat(this.#chunks));
  }
}
