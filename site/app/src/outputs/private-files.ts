/**
 * The browser's private file system (OPFS): results wait there, on disk, until the person saves them. They belong to this page, and
 * are removed when it is closed or the list is cleared.
 */
import { startWorker } from '../workers.ts';
import type { WriterAnswer, WriterRequest, WriterWork } from '../writer-messages.ts';
import { nameOf, type Place } from './output.ts';

/** The name of the folder of this page. A lock of this name says that the page is still there. */
const PREFIX = 'results-';
const own = `${PREFIX}${crypto.randomUUID?.() ?? String(Date.now())}`;

/** A worker that writes, because only workers can write here in all browsers. */
class Writer {
  readonly #worker = startWorker('file-writer.js');
  readonly #waiting = new Map<number, { resolve: () => void; reject: (error: unknown) => void }>();
  #count = 0;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<WriterAnswer>) => {
      const waiting = this.#waiting.get(data.request);
      this.#waiting.delete(data.request);
      if (data.error === undefined) waiting?.resolve();
      else waiting?.reject(new DOMException(data.error.message, data.error.name));
    });
    this.#worker.addEventListener('error', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the worker that writes files failed'));
      this.#waiting.clear();
    });
  }

  ask(work: WriterWork): Promise<void> {
    const request: WriterRequest = { ...work, request: ++this.#count };
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.request, { resolve, reject });
      this.#worker.postMessage(request, work.kind === 'write' ? [work.bytes.buffer] : []);
    });
  }
}

let writer: Promise<Writer | undefined> | undefined;
let count = 0;

async function begin(): Promise<Writer | undefined> {
  try {
    const root = await navigator.storage.getDirectory();
    // Held until the page is gone; the browser then gives it up.
    void navigator.locks.request(own, () => new Promise(() => undefined));
    const made = new Writer();
    await made.ask({ kind: 'begin', folder: own });
    await removeOthers(root);
    return made;
  } catch {
    return undefined; // a private window, or a browser without it
  }
}

/** Removes the results of pages that are gone, and of those that crashed. */
async function removeOthers(root: FileSystemDirectoryHandle): Promise<void> {
  const names: string[] = [];
  for await (const name of root.keys()) if (name.startsWith(PREFIX) && name !== own) names.push(name);
  for (const name of names)
    await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await root.removeEntry(name, { recursive: true }).catch(() => undefined);
    });
}

/** Starts early, so that what an earlier page left behind is removed. */
export const prepare = (): Promise<unknown> => (writer ??= begin());

/** The place; undefined if this browser has none, or not room enough. */
export async function privatePlace(size: number): Promise<Place | undefined> {
  const its = await (writer ??= begin());
  if (!its) return undefined;
  const { quota = Infinity, usage = 0 } = (await navigator.storage.estimate?.()) ?? {};
  if (size > quota - usage) return undefined;
  return {
    description: 'to the storage of this browser, from where you save it',
    async open(path) {
      const file = ++count;
      await its.ask({ kind: 'open', file });
      let written = 0;
      return {
        async write(bytes) {
          written += bytes.length;
          await its.ask({ kind: 'write', file, bytes });
        },
        async finish() {
          await its.ask({ kind: 'close', file });
          const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(own);
          const content = await (await folder.getFileHandle(String(file))).getFile();
          const unsaved = new File([content], nameOf(path), { type: 'application/octet-stream' });
          return { note: 'Ready', size: written, unsaved };
        },
        discard: () => its.ask({ kind: 'discard', file }).catch(() => undefined),
      };
    },
  };
}

/** Removes all results of this page. */
export async function removeResults(): Promise<void> {
  const its = await writer;
  await its?.ask({ kind: 'clear' }).catch(() => undefined);
}
