/**
 * A disk in memory whose power can be cut at any operation. What was not flushed is then on the medium or is not, sector by
 * sector, in any order; so are names, which only their folder's flush makes certain, but one after the other.
 */
import { Failure } from '../src/command.ts';
import type { Path, Storage, StoredFile } from '../src/disk/storage.ts';

/** The operation, and all after it, did not come back. */
export class PowerCut extends Error {}

/** What is there after a cut of what was not flushed. */
export const fates = ['nothing', 'everything', 'anything'] as const;
export type Fate = (typeof fates)[number];

interface Write {
  readonly at: number;
  readonly bytes: Uint8Array;
}

class Node {
  readonly number: number;
  /** What programs see … */
  seen: Uint8Array;
  /** … what is on the medium for certain, and what may be. */
  certain: Uint8Array;
  writes: Write[] = [];

  constructor(number: number, bytes: Uint8Array) {
    this.number = number;
    this.seen = bytes;
    this.certain = bytes;
  }
}

const SECTOR = 512;

/** The bytes with a write in them. */
function written(bytes: Uint8Array, write: Write): Uint8Array {
  const result = new Uint8Array(Math.max(bytes.length, write.at + write.bytes.length));
  result.set(bytes);
  result.set(write.bytes, write.at);
  return result;
}

export class Disk implements Storage {
  /** Operations so far. */
  operations = 0;
  /** The operation at which power is cut … */
  cutAt = Infinity;
  /** … or which fails, and it alone. */
  failAt = Infinity;
  /** All that was written, file by file. */
  readonly log: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  #names = new Map<string, Node>();
  #certainNames = new Map<string, Node>();
  #renamings: ((names: Map<string, Node>) => void)[] = [];
  #nodes = 0;

  /** A file that is on the medium. */
  put(name: string, bytes: Uint8Array): this {
    const node = new Node(this.#nodes++, bytes.slice());
    this.#names.set(name, node);
    this.#certainNames.set(name, node);
    return this;
  }

  get(name: string): Uint8Array | undefined {
    return this.#names.get(name)?.seen;
  }

  get names(): string[] {
    return [...this.#names.keys()].sort();
  }

  /** What is found when power is back. */
  restart(fate: Fate, random: () => number): Disk {
    const keep = (): boolean => fate === 'everything' || (fate === 'anything' && random() < 0.5);
    const names = new Map(this.#certainNames);
    for (const renaming of this.#renamings) {
      if (!keep()) break;
      renaming(names);
    }
    const next = new Disk();
    for (const [name, node] of names) {
      let bytes = node.certain;
      for (const [i, write] of node.writes.entries()) {
        if (fate === 'everything') {
          // The process was killed: only what was last may be torn.
          const torn = i === node.writes.length - 1 && random() < 0.5;
          const length = torn ? Math.floor(random() * write.bytes.length) : write.bytes.length;
          bytes = written(bytes, { at: write.at, bytes: write.bytes.subarray(0, length) });
        } else
          for (let from = 0; from < write.bytes.length; from += SECTOR)
            if (keep())
              bytes = written(bytes, { at: write.at + from, bytes: write.bytes.subarray(from, from + SECTOR) });
      }
      next.put(name, bytes);
    }
    return next;
  }

  copy(): Disk {
    return this.restart('everything', () => 1);
  }

  look(path: Path) {
    const node = this.#names.get(path.toString());
    return Promise.resolve(
      node && { size: node.seen.length, regular: true, mode: 0o600, identity: String(node.number) },
    );
  }

  async open(path: Path): Promise<StoredFile> {
    await this.#operation();
    const node = this.#names.get(path.toString());
    if (!node) throw new Failure(`${path.toString()}: No such file`);
    return this.#file(path.toString(), node);
  }

  async create(path: Path): Promise<StoredFile | undefined> {
    const name = path.toString();
    if (this.#names.has(name)) return undefined;
    const node = new Node(this.#nodes++, new Uint8Array());
    await this.#rename((names) => names.set(name, node));
    return this.#file(name, node);
  }

  async rename(from: Path, to: Path): Promise<void> {
    await this.#rename((names) => {
      const node = names.get(from.toString());
      if (!node) throw new Failure(`${from.toString()}: No such file`);
      names.delete(from.toString());
      names.set(to.toString(), node);
    });
  }

  async remove(path: Path): Promise<void> {
    await this.#rename((names) => {
      if (!names.delete(path.toString())) throw new Failure(`${path.toString()}: No such file`);
    });
  }

  async flushFolder(): Promise<void> {
    await this.#operation();
    this.#certainNames = new Map(this.#names);
    this.#renamings = [];
  }

  /** The operation at which power is cut may have been done, or in part. */
  async #rename(change: (names: Map<string, Node>) => void): Promise<void> {
    await this.#operation(() => {
      change(this.#names);
      this.#renamings.push(change);
    });
  }

  async #operation(half?: () => void): Promise<void> {
    const number = this.operations++;
    await Promise.resolve();
    if (number === this.failAt) throw new Failure('Input/output error');
    if (number > this.cutAt) throw new PowerCut();
    half?.();
    if (number === this.cutAt) throw new PowerCut();
  }

  #file(name: string, node: Node): StoredFile {
    return {
      name,
      read: async (buffer, at) => {
        await Promise.resolve();
        if (this.operations > this.cutAt) throw new PowerCut();
        const some = node.seen.subarray(at, at + buffer.length);
        buffer.set(some);
        return some.length;
      },
      write: async (buffer, at) => {
        // Systems may write less than they were asked to.
        const bytes = buffer.slice(0, buffer.length > SECTOR ? buffer.length - 100 : buffer.length);
        await this.#operation(() => {
          this.log.push({ name, bytes });
          node.seen = written(node.seen, { at, bytes });
          node.writes.push({ at, bytes });
        });
        return bytes.length;
      },
      flush: async () => {
        await this.#operation();
        node.certain = node.seen;
        node.writes = [];
      },
      close: () => Promise.resolve(),
    };
  }
}
