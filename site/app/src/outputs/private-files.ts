/**
 * The browser's private file system (OPFS): results wait there, on disk, until the person saves them. They are encrypted under a key that
 * only the memory of this page has: so nothing that can be read stays after the page, however it ends. They are decrypted while they are
 * saved, by a download of the service worker. They are removed by a new run, when the list is cleared, and when the page is closed; what a
 * crash leaves, the next page removes.
 */
import { chunked } from 'lanewise/stream.js';
import { randomBytes } from 'lanewise/utils.js';
import { isAlone } from '../alone.ts';
import { startWorker } from '../workers.ts';
import { openDownload } from './download.ts';
import type { WriterAnswer, WriterRequest, WriterWork } from '../writer-messages.ts';
import { Advice } from '../explain.ts';
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

const key = randomBytes(32);

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

/** Saves a stored result by a download, in which it is decrypted; rejects if a byte of it was changed. */
async function saveStored(file: number, name: string, size: number): Promise<void> {
  const controller = navigator.serviceWorker.controller;
  if (!controller) throw new Advice('The page cannot start a download now. Try once more.');
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(own);
  const stored = await (await folder.getFileHandle(String(file))).getFile();
  const output = await openDownload(controller, name, size);
  try {
    await chunked(key)
      .decrypt(stored)
      .pipeTo(new WritableStream<Uint8Array<ArrayBuffer>>({ write: (bytes) => output.write(bytes) }));
    await output.finish();
  } catch (error) {
    await output.discard();
    throw error;
  }
}

/** Starts early, so that files of an earlier page are removed. */
export const prepare = (): Promise<unknown> => (writer ??= begin());

/**
 * The place; undefined if this browser has none, or not room enough, if other pages could read it, or without a service worker, which saves
 * what is there.
 */
export async function privatePlace(size: number): Promise<Place | undefined> {
  if (!isAlone || !navigator.serviceWorker?.controller) return undefined;
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
      const sealer = await chunked(key).sealer();
      const store = (bytes: Uint8Array<ArrayBuffer>): Promise<void> => its.ask({ kind: 'write', file, bytes });
      // The header is the sealer's own, and the bytes are handed over.
      await store(sealer.header.slice());
      return {
        async write(bytes) {
          written += bytes.length;
          await store(sealer.push(bytes));
        },
        async finish() {
          await store(sealer.end());
          await its.ask({ kind: 'close', file });
          const name = nameOf(path);
          const size = written;
          const remove = (): Promise<void> => its.ask({ kind: 'discard', file }).catch(() => undefined);
          return { note: 'Ready', size, unsaved: { name, save: () => saveStored(file, name, size), remove } };
        },
        discard() {
          sealer.destroy();
          return its.ask({ kind: 'discard', file }).catch(() => undefined);
        },
      };
    },
  };
}

/** Removes all results of this page, which goes: its browser may not let it finish, but the key is lost then. */
export function removeAtEnd(): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted || !writer) return;
    void navigator.storage
      .getDirectory()
      .then((root) => root.removeEntry(own, { recursive: true }))
      .catch(() => undefined);
  });
}
