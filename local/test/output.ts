import { Writable } from 'node:stream';

/** Keeps what a step writes until the step has ended, so that the outputs of steps side by side do not mix. */
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
