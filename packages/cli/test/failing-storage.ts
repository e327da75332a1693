/**
 * A disk in memory whose power can be cut at any operation. Each sector that was not flushed is then either on the medium or not.
 * So are names, in their order, until their folder is flushed.
 *
 * The disk is that of one process, which ends with the power, or of several (`simulated-process.ts`).
 */
import { Failure } from '../src/command.ts';
import { processNumberOf, type Processes } from '../src/disk/process-identity.ts';
import type { Information, Path, Storage, StoredFile } from '../src/disk/storage.ts';

/** The operation, and all after it, did not come back. */
export class PowerCut extends Error {}

/** How much of the unflushed content is there after a cut. */
export const fates = ['nothing', 'everything', 'anything'] as const;
export type Fate = (typeof fates)[number];

interface Write {
  readonly at: number;
  readonly bytes: Uint8Array;
}

class Node {
  readonly inode: number;
  /** The content that programs see. */
  seen: Uint8Array;
  /** The content that is on the medium for certain, and the writes that may be. */
  certain: Uint8Array;
  writes: Write[] = [];
  modified = 0n;

  constructor(inode: number, bytes: Uint8Array) {
    this.inode = inode;
    this.seen = bytes;
    this.certain = bytes;
  }
}

const SECTOR = 512;

const FIRST_PROCESS = 1;

const noSuchFile = (path: Path): Failure =>
  new Failure(`${path.toString()}: No such file`, {
    cause: Object.assign(new Error(), { code: 'ENOENT', errno: -2 }),
  });

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
  /** FAT has none. */
  hardLinks = true;
  /** The number of the process whose disk this is. */
  process = FIRST_PROCESS;
  /** Processes that have not ended. */
  readonly alive = new Set([FIRST_PROCESS]);
  #boot = 0;
  #identities = 0;
  #names = new Map<string, Node>();
  #certainNames = new Map<string, Node>();
  #renamings: ((names: Map<string, Node>) => void)[] = [];
  #nodes = 0;
  readonly processes = this.processesOf(() => this.process);

  /** The knowledge of a process, by its number, about others. */
  processesOf(pid: () => number, pause = () => Promise.resolve()): Processes {
    const hexadecimal = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
    const start = (): string => `0000abcd-${hexadecimal(this.#boot, 8)}-0000abcd`;
    const boot = (): string => String(this.#boot);
    return {
      get boot() {
        return boot();
      },
      newIdentity: () => `${start()}-${pid()}-1-${hexadecimal(this.#identities++, 12)}`,
      lifeOf: (identity) =>
        identity.startsWith(start()) && this.alive.has(processNumberOf(identity)) ? 'alive' : 'dead',
      pause,
    };
  }

  /** The process ends, however it did, and there is another one. */
  nextProcess(): this {
    this.alive.delete(this.process);
    this.alive.add(++this.process);
    return this;
  }

  /** A file that is on the medium. */
  put(name: string, bytes: Uint8Array): this {
    this.#add(name, new Node(this.#nodes++, bytes.slice()));
    return this;
  }

  /** As if another program had written the same bytes again. */
  touch(name: string): void {
    this.#names.get(name)!.modified++;
  }

  get(name: string): Uint8Array | undefined {
    return this.#names.get(name)?.seen;
  }

  get names(): string[] {
    return [...this.#names.keys()].sort();
  }

  /** The disk when power is back. */
  restart(fate: Fate, random: () => number): Disk {
    const keep = (): boolean => fate === 'everything' || (fate === 'anything' && random() < 0.5);
    const names = new Map(this.#certainNames);
    for (const renaming of this.#renamings) {
      if (!keep()) break;
      renaming(names);
    }
    const next = new Disk();
    next.hardLinks = this.hardLinks;
    next.#boot = this.#boot + 1;
    next.#nodes = this.#nodes;
    const nodes = new Map<Node, Node>();
    for (const [name, node] of names) {
      const known = nodes.get(node);
      if (known) {
        next.#add(name, known);
        continue;
      }
      let bytes = node.certain;
      for (const [i, write] of node.writes.entries()) {
        if (fate === 'everything') {
          // The process was killed: only its last write may be torn.
          const torn = i === node.writes.length - 1 && random() < 0.5;
          const length = torn ? Math.floor(random() * write.bytes.length) : write.bytes.length;
          bytes = written(bytes, { at: write.at, bytes: write.bytes.subarray(0, length) });
        } else
          for (let from = 0; from < write.bytes.length; from += SECTOR)
            if (keep())
              bytes = written(bytes, { at: write.at + from, bytes: write.bytes.subarray(from, from + SECTOR) });
      }
      const found = new Node(node.inode, bytes.slice());
      nodes.set(node, found);
      next.#add(name, found);
    }
    return next;
  }

  #add(name: string, node: Node): void {
    this.#names.set(name, node);
    this.#certainNames.set(name, node);
  }

  copy(): Disk {
    return this.restart('everything', () => 1);
  }

  look(path: Path): Promise<Information | undefined> {
    const node = this.#names.get(path.toString());
    return Promise.resolve(node && this.#informationOf(node));
  }

  checkWritable(): Promise<void> {
    return Promise.resolve();
  }

  #informationOf(node: Node): Information {
    const links = [...this.#names.values()].filter((other) => other === node).length;
    const facts = { size: node.seen.length, regular: true, mode: 0o600, owner: 0, group: 0, modified: node.modified };
    return { ...facts, device: 'disk', inode: String(node.inode), links };
  }

  list(): Promise<Buffer[]> {
    if (this.operations > this.cutAt) return Promise.reject(new PowerCut());
    return Promise.resolve(this.names.map((name) => Buffer.from(name)));
  }

  async open(path: Path): Promise<StoredFile> {
    await this.#operation();
    const node = this.#names.get(path.toString());
    if (!node) throw noSuchFile(path);
    return this.#file(path.toString(), node);
  }

  async create(path: Path): Promise<StoredFile | undefined> {
    const name = path.toString();
    const node = new Node(this.#nodes++, new Uint8Array());
    return (await this.#addName(name, node)) ? this.#file(name, node) : undefined;
  }

  async link(from: Path, to: Path): Promise<'linked' | 'taken' | 'unsupported'> {
    if (!this.hardLinks) return 'unsupported';
    const node = this.#names.get(from.toString());
    if (!node) throw noSuchFile(from);
    return (await this.#addName(to.toString(), node)) ? 'linked' : 'taken';
  }

  /** @returns false if there is a file of that name. */
  async #addName(name: string, node: Node): Promise<boolean> {
    let added = false;
    await this.#operation(() => {
      if (this.#names.has(name)) return;
      added = true;
      this.#names.set(name, node);
      this.#renamings.push((names) => names.set(name, node));
    });
    return added;
  }

  async rename(from: Path, to: Path): Promise<void> {
    await this.#rename((names) => {
      const node = names.get(from.toString());
      if (!node) throw noSuchFile(from);
      names.delete(from.toString());
      names.set(to.toString(), node);
    });
  }

  async remove(path: Path): Promise<void> {
    await this.#rename((names) => {
      if (!names.delete(path.toString())) throw noSuchFile(path);
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
          node.modified++;
        });
        return bytes.length;
      },
      flush: async () => {
        await this.#operation();
        node.certain = node.seen;
        node.writes = [];
      },
      look: () => Promise.resolve(this.#informationOf(node)),
      give: () => Promise.resolve(true),
      permit: () => Promise.resolve(true),
      close: () => Promise.resolve(),
    };
  }
}
