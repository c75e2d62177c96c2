import { act } from '@testing-library/react';

/** One upload started by the code under test, with controls for the network. */
export type FakeUpload = {
  address: string;
  headers: Record<string, string>;
  body: FormData;
  isAborted: boolean;
  /** Reports progress: `loaded` of `total` bytes. */
  progress: (loaded: number, total: number) => void;
  respond: (status: number, body: unknown) => void;
  /** Fails with a network error. */
  fail: () => void;
};

/** Fakes decoding and drawing pictures, which jsdom cannot do. */
export function browserPictures({ canDecode = true, writes = 'image/webp' } = {}): void {
  vi.stubGlobal('createImageBitmap', async () => {
    if (!canDecode) throw new DOMException('The source image could not be decoded.');
    return { width: 100, height: 50 };
  });
  class FakeCanvas {
    getContext() {
      return { drawImage: () => undefined, fillRect: () => undefined };
    }
    async convertToBlob({ type }: { type: string }) {
      // As in browsers: PNG instead of a format that they cannot encode.
      return new Blob(['picture'], { type: type === writes ? type : 'image/png' });
    }
  }
  vi.stubGlobal('OffscreenCanvas', FakeCanvas);
}

/** Fakes XMLHttpRequest uploads for one test, in the order in which they start. */
export function fakeUploads(): FakeUpload[] {
  const uploads: FakeUpload[] = [];

  class FakeRequest {
    status = 0;
    responseText = '';
    upload: { onprogress?: (event: { loaded: number; total: number; lengthComputable: boolean }) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    onloadend?: () => void;
    address = '';
    headers: Record<string, string> = {};
    current: FakeUpload | null = null;

    open(_method: string, address: string) {
      this.address = address;
    }

    setRequestHeader(name: string, value: string) {
      this.headers[name] = value;
    }

    send(body: FormData) {
      this.current = {
        address: this.address,
        headers: this.headers,
        body,
        isAborted: false,
        progress: (loaded, total) => act(() => this.upload.onprogress?.({ loaded, total, lengthComputable: true })),
        respond: (status, answer) => {
          this.status = status;
          this.responseText = typeof answer === 'string' ? answer : JSON.stringify(answer);
          act(() => this.onload?.());
          this.onloadend?.();
        },
        fail: () => {
          this.onerror?.();
          this.onloadend?.();
        },
      };
      uploads.push(this.current);
    }

    abort() {
      if (this.current) this.current.isAborted = true;
      this.onabort?.();
      this.onloadend?.();
    }
  }

  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  browserPictures();
  URL.createObjectURL = () => 'blob:preview';
  URL.revokeObjectURL = () => undefined;
  return uploads;
}
