// What the library does with a kernel's memory in a public call: which bytes it writes, in which order it calls the
// kernel's functions, what it reads and what it wipes. Taken down from real calls, on each engine.
//
// The library takes the methods of typed arrays when it is loaded (engine/intrinsics.ts), so what listens is put in their
// place before that. What is written to memory in any other way shows as a difference at the next call.
import type { Engine } from '../../../lanewise/src/engine.ts';
import type { Instance } from '../../../lanewise/src/engine/instance.ts';

/** Something done to the memory of one instance of a kernel. */
export type Operation =
  | { readonly op: 'write' | 'read'; readonly address: number; readonly length: number }
  /** Bytes that all get one public value. */
  | { readonly op: 'wipe'; readonly from: number; readonly to: number }
  | { readonly op: 'call'; readonly name: string; readonly parameters: readonly number[] };

/** An instance that the library holds: which of its kernels, and for messages of what length. */
export type Slot =
  | ('chacha long' | 'chacha short' | 'salsa long' | 'salsa short' | 'secretbox-chacha')
  | ('poly1305' | 'blake3 long' | 'blake3 short' | 'serpent' | 'serpent-ctr' | 'disk');

export type Recording = ReadonlyMap<Slot, readonly Operation[]>;

/** The library's modules, as far as recorded calls need them. */
export interface Library {
  readonly chacha: typeof import('../../../lanewise/src/chacha.ts');
  readonly salsa: typeof import('../../../lanewise/src/salsa.ts');
  readonly poly1305: typeof import('../../../lanewise/src/poly1305.ts').poly1305;
  readonly blake3: typeof import('../../../lanewise/src/blake3.ts');
  readonly serpent: typeof import('../../../lanewise/src/serpent.ts');
  readonly disk: typeof import('../../../lanewise/src/disk.ts');
}

/** Where a call of the kernel is made to fail: before or after the kernel's function number `call` has run. */
export interface Planted {
  readonly call: number;
  readonly time: 'before' | 'after';
}

export class PlantedError extends Error {
  override readonly name = 'PlantedError';
}

type Functions = Readonly<Record<string, (...parameters: number[]) => number | undefined>>;

/** Where a listener keeps the functions that it listens to. */
const functions = Symbol('functions');
interface Listened {
  readonly [functions]?: Functions;
}

/** An instance that is listened to. */
interface Watched {
  readonly slot: Slot;
  readonly instance: Instance<object>;
  readonly memory: Uint8Array;
  /** What memory holds if nothing was missed. */
  readonly known: Uint8Array;
  operations: Operation[];
}

const LONG = 1e6;
/** More than 256·4^5, and far from 256·4^6. */
const QUIET = 270_000;

export class Recorder {
  readonly #library: Library;
  readonly #instances: () => Readonly<Record<Slot, Instance<object>>>;
  readonly #select: (engine: Engine) => void;
  readonly #watched = new Map<ArrayBufferLike, Watched>();
  #recording = false;
  #calls = 0;
  #planted: Planted | undefined;

  private constructor(
    library: Library,
    select: (engine: Engine) => void,
    instances: () => Readonly<Record<Slot, Instance<object>>>,
  ) {
    this.#library = library;
    this.#select = select;
    this.#instances = instances;
  }

  static #made: Promise<Recorder> | undefined;

  /** There is one in a thread, which must not have loaded the library before. */
  static load(): Promise<Recorder> {
    return (Recorder.#made ??= Recorder.#load());
  }

  /** From now on the library runs on that engine. */
  select(engine: Engine): void {
    this.#select(engine);
    // From time to time a kernel that is asked for answers a known question first. Here it has done so for a while.
    for (let i = 0; i < QUIET; i++) this.#instances();
    this.#watched.clear();
    for (const [slot, instance] of Object.entries(this.#instances())) this.#watch(slot as Slot, instance);
  }

  static async #load(): Promise<Recorder> {
    let made: Recorder | undefined;
    const restore = listenToTypedArrays({
      copied: (to, from, at) => {
        if (made) made.#copied(to, from, at);
      },
      filled: (bytes, value, from, to) => {
        if (made) made.#filled(bytes, value, from, to);
      },
    });
    try {
      const { select } = await import('../../../lanewise/src/engine.ts');
      const { chachaInstance } = await import('../../../lanewise/src/chacha/binding.ts');
      const { salsaInstance } = await import('../../../lanewise/src/salsa/binding.ts');
      const { secretboxChachaInstance } = await import('../../../lanewise/src/salsa/xchacha-binding.ts');
      const { poly1305Instance } = await import('../../../lanewise/src/poly1305/binding.ts');
      const { blake3Instance } = await import('../../../lanewise/src/blake3/binding.ts');
      const { serpentInstance } = await import('../../../lanewise/src/serpent/binding.ts');
      const { diskInstance } = await import('../../../lanewise/src/disk/binding.ts');
      const { serpentCtrInstance } = await import('../../../lanewise/src/serpent/ctr-binding.ts');
      const { poly1305 } = await import('../../../lanewise/src/poly1305.ts');
      const library = {
        chacha: await import('../../../lanewise/src/chacha.ts'),
        salsa: await import('../../../lanewise/src/salsa.ts'),
        blake3: await import('../../../lanewise/src/blake3.ts'),
        serpent: await import('../../../lanewise/src/serpent.ts'),
        disk: await import('../../../lanewise/src/disk.ts'),
        poly1305,
      };
      made = new Recorder(library, select, () => ({
        'chacha long': chachaInstance(LONG),
        'chacha short': chachaInstance(0),
        'salsa long': salsaInstance(LONG),
        'salsa short': salsaInstance(0),
        'secretbox-chacha': secretboxChachaInstance(),
        poly1305: poly1305Instance(),
        'blake3 long': blake3Instance(LONG),
        'blake3 short': blake3Instance(0),
        serpent: serpentInstance(),
        'serpent-ctr': serpentCtrInstance(),
        disk: diskInstance(),
      }));
      return made;
    } finally {
      restore();
    }
  }

  /** A call that nobody listens to. */
  outside<T>(call: (library: Library) => T): T {
    return call(this.#library);
  }

  /** What a call does, and what it throws; with `planted`, what it does when the kernel fails there. */
  record(call: (library: Library) => unknown, planted?: Planted): { recording: Recording; thrown: unknown } {
    for (const watched of this.#watched.values()) {
      watched.operations = [];
      watched.known.set(watched.memory);
    }
    this.#calls = 0;
    this.#planted = planted;
    let thrown: unknown;
    this.#recording = true;
    try {
      call(this.#library);
    } catch (error) {
      thrown = error;
    }
    this.#recording = false;
    const used = [...this.#watched.values()];
    used.forEach((watched) => this.#noteMissed(watched));
    const recording = used.flatMap(({ slot, operations }) => (operations.length ? [[slot, operations] as const] : []));
    return { recording: new Map(recording), thrown };
  }

  /** How many functions of kernels the last call has run. */
  get calls(): number {
    return this.#calls;
  }

  #watch(slot: Slot, instance: Instance<object>): void {
    const { memory } = instance;
    // On the js engine one instance serves both lengths.
    if (this.#watched.has(memory.buffer)) return;
    const watched: Watched = { slot, instance, memory, known: memory.slice(), operations: [] };
    this.#watched.set(memory.buffer, watched);
    const run = (instance.run as Listened)[functions] ?? (instance.run as Functions);
    const heard: Record<PropertyKey, unknown> = { [functions]: run };
    for (const [name, own] of Object.entries(run))
      if (typeof own === 'function')
        heard[name] = (...parameters: number[]): number | undefined => this.#called(watched, name, own, parameters);
    Object.assign(instance, { run: heard });
  }

  #called(
    watched: Watched,
    name: string,
    run: (...parameters: number[]) => number | undefined,
    parameters: readonly number[],
  ): number | undefined {
    if (!this.#recording) return run(...parameters);
    this.#noteMissed(watched);
    const planted = this.#planted?.call === this.#calls++ ? this.#planted : undefined;
    if (planted?.time === 'before') throw new PlantedError(`before ${name}`);
    // On the js engine the kernel itself uses what is listened to.
    this.#recording = false;
    const result = run(...parameters);
    this.#recording = true;
    watched.operations.push({ op: 'call', name, parameters: [...parameters] });
    watched.known.set(watched.memory);
    if (planted) throw new PlantedError(`after ${name}`);
    return result;
  }

  #written(buffer: ArrayBufferLike, address: number, length: number): void {
    const watched = this.#recording ? this.#watched.get(buffer) : undefined;
    if (!watched || length === 0) return;
    watched.operations.push({ op: 'write', address, length });
    watched.known.set(watched.memory.subarray(address, address + length), address);
  }

  #copied(to: Uint8Array, from: ArrayLike<number>, at: number): void {
    this.#written(to.buffer, to.byteOffset + at, from.length);
    if (!this.#recording || !(from instanceof Uint8Array) || this.#watched.has(to.buffer)) return;
    const { byteOffset: address, length } = from;
    this.#watched.get(from.buffer)?.operations.push({ op: 'read', address, length });
  }

  #filled(bytes: Uint8Array, value: number, from: number, to: number): void {
    const watched = this.#recording ? this.#watched.get(bytes.buffer) : undefined;
    if (!watched) return;
    const { byteOffset } = bytes;
    watched.operations.push({ op: 'wipe', from: byteOffset + from, to: byteOffset + to });
    watched.known.fill(value, byteOffset + from, byteOffset + to);
  }

  /** What was written one byte at a time, by an assignment: nothing can listen to that. */
  #noteMissed({ memory, known, operations }: Watched): void {
    if (Buffer.compare(memory, known) === 0) return;
    for (let at = 0; at < memory.length; at++)
      if (memory[at] !== known[at]) operations.push({ op: 'write', address: at, length: 1 });
    known.set(memory);
  }
}

interface Listener {
  readonly copied: (to: Uint8Array, from: ArrayLike<number>, at: number) => void;
  readonly filled: (bytes: Uint8Array, value: number, from: number, to: number) => void;
}

/** Puts methods that tell of themselves in the place of the language's own; the result puts those back. */
function listenToTypedArrays({ copied, filled }: Listener): () => void {
  const prototype = Object.getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const { set, fill } = Object.getOwnPropertyDescriptors(prototype);
  const own = { set: set.value as Uint8Array['set'], fill: fill.value as Uint8Array['fill'] };
  Object.assign(prototype, {
    set(this: Uint8Array, from: ArrayLike<number>, at = 0): void {
      own.set.call(this, from, at);
      copied(this, from, at);
    },
    fill(this: Uint8Array, value: number, from = 0, to = this.length): Uint8Array {
      own.fill.call(this, value, from, to);
      filled(this, value, from, to);
      return this;
    },
  });
  return () => {
    Object.defineProperties(prototype, { set, fill });
  };
}
