/**
 * The files of a browser for examples that run in Node: `showSaveFilePicker` and the origin private file system, in memory. Import it
 * for its effect. Real browsers run `stream/opfs.test.ts` and `disk/opfs.test.ts`.
 */

/** A file that is being written, which takes its place when it is closed. */
class Writable extends WritableStream<Uint8Array<ArrayBuffer>> {
  constructor(closed: (parts: Uint8Array<ArrayBuffer>[]) => void) {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    super({ write: (bytes) => void parts.push(bytes.slice()), close: () => closed(parts) });
  }
  async write(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const writer = this.getWriter();
    await writer.write(bytes);
    writer.releaseLock();
  }
}

class Handle {
  readonly kind = 'file';
  readonly name: string;
  #file: File;
  constructor(name: string) {
    this.name = name;
    this.#file = new File([], name);
  }
  getFile(): Promise<File> {
    return Promise.resolve(this.#file);
  }
  createWritable(): Promise<Writable> {
    return Promise.resolve(new Writable((parts) => (this.#file = new File(parts, this.name))));
  }
}

const handles = new Map<string, Handle>();
const directory = {
  getFileHandle(name: string, { create = false } = {}): Promise<Handle> {
    let handle = handles.get(name);
    if (!handle) {
      if (!create) return Promise.reject(new DOMException(`there is no ${name}`, 'NotFoundError'));
      handles.set(name, (handle = new Handle(name)));
    }
    return Promise.resolve(handle);
  },
};

Object.defineProperty(navigator, 'storage', { value: { getDirectory: () => Promise.resolve(directory) } });
Object.defineProperty(globalThis, 'showSaveFilePicker', {
  value: ({ suggestedName = 'a file' } = {}) => Promise.resolve(new Handle(suggestedName)),
});
