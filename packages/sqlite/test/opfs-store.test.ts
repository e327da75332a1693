/** Encrypted files in OPFS, over a stand-in for it whose files answer one after the other: in Node. Browsers' own is tested by opfs.long.test.ts. */
import { expect, test } from 'vitest';
import { encryptedFileSystem } from '../src/files.ts';

const key = new Uint8Array(32).fill(5);

/** So many turns of the event loop later. */
async function after(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A folder of OPFS in memory. File n of a folder answers n turns late, as under load, and has one handle at a time. */
class SlowFolder {
  readonly #files = new Map<string, { bytes: Uint8Array; isHeld: boolean; readonly turns: number }>();

  get held(): number {
    return [...this.#files.values()].filter(({ isHeld }) => isHeld).length;
  }

  async *values() {
    for (const name of [...this.#files.keys()]) yield await Promise.resolve({ name, kind: 'file' });
  }

  getFileHandle(name: string) {
    const file = this.#files.get(name) ?? { bytes: new Uint8Array(0), isHeld: false, turns: this.#files.size };
    this.#files.set(name, file);
    return Promise.resolve({
      async createSyncAccessHandle() {
        await after(file.turns);
        if (file.isHeld) throw new DOMException('it has a handle already', 'NoModificationAllowedError');
        file.isHeld = true;
        // The browser's other process has the file already; the worker doesn't know yet.
        await after(file.turns);
        const resize = (size: number): void => {
          const next = new Uint8Array(size);
          next.set(file.bytes.subarray(0, size));
          file.bytes = next;
        };
        return {
          read(into: Uint8Array, { at }: { at: number }) {
            const part = file.bytes.subarray(at, at + into.length);
            into.set(part);
            return part.length;
          },
          write(bytes: Uint8Array, { at }: { at: number }) {
            if (file.bytes.length < at + bytes.length) resize(at + bytes.length);
            file.bytes.set(bytes, at);
            return bytes.length;
          },
          truncate: resize,
          getSize: () => file.bytes.length,
          flush: () => undefined,
          close: () => void (file.isHeld = false),
        };
      },
    });
  }
}

test('a program that was refused holds no file afterwards, however late the browser answers', async () => {
  const slow = new SlowFolder();
  const folder = slow as unknown as FileSystemDirectoryHandle;
  const first = await encryptedFileSystem(folder, { key });
  first.writeFile('/letter', 'marzipan');
  await expect(encryptedFileSystem(folder, { key })).rejects.toThrow(
    'cannot open the files in OPFS, which another tab or worker may have open: it has a handle already',
  );
  first.unmount();
  expect(slow.held).toBe(0);
  const second = await encryptedFileSystem(folder, { key });
  expect(new TextDecoder().decode(second.readFile('/letter'))).toBe('marzipan');
  second.unmount();
  await expect(encryptedFileSystem(folder, { key: key.map(() => 6) })).rejects.toThrow('wrong key');
  expect(slow.held).toBe(0);
});
