/** Buffers of every kind that callers may use, with views anywhere in them. */
import { Liar } from '../bytes.ts';
import { otherRealm } from '../realm.ts';

export interface Room {
  readonly kind: string;
  /** All bytes of the room, for comparison. */
  readonly all: Uint8Array;
  /** A view as a caller might have it. */
  readonly view: (at: number, length: number) => Uint8Array;
}

type Make = (size: number) => Omit<Room, 'kind'>;

/** A room in a buffer, and how a view of it is made. */
const of =
  <B extends ArrayBufferLike>(
    buffer: (size: number) => B,
    view: (memory: B, at: number, length: number) => Uint8Array,
  ): Make =>
  (size) => {
    const memory = buffer(size);
    return { all: new Uint8Array(memory), view: (at, length) => view(memory, at, length) };
  };

const plain = (memory: ArrayBufferLike, at: number, length: number): Uint8Array => new Uint8Array(memory, at, length);
/** A view to the end of the buffer has no length of its own: it follows that of the buffer. */
const tracking = (memory: ArrayBufferLike, at: number, length: number): Uint8Array =>
  at + length === memory.byteLength ? new Uint8Array(memory, at) : new Uint8Array(memory, at, length);

const fixed = (size: number): ArrayBuffer => new ArrayBuffer(size);
const shared = (size: number): SharedArrayBuffer => new SharedArrayBuffer(size);
const resizable = (size: number): ArrayBuffer => new ArrayBuffer(size, { maxByteLength: size + 100 });
const growable = (size: number): SharedArrayBuffer => new SharedArrayBuffer(size, { maxByteLength: size + 100 });
const foreign = otherRealm();

const makers: Readonly<Record<string, Make>> = {
  'an ArrayBuffer': of(fixed, plain),
  'a Buffer': of(fixed, (memory, at, length) => Buffer.from(memory, at, length)),
  'a Buffer of the pool'(size) {
    const room = Buffer.allocUnsafe(size);
    const all = new Uint8Array(room.buffer, room.byteOffset, size);
    return { all, view: (at, length) => room.subarray(at, at + length) };
  },
  'a SharedArrayBuffer': of(shared, plain),
  'a resizable ArrayBuffer': of(resizable, plain),
  'a resizable ArrayBuffer, to its end': of(resizable, tracking),
  'a growable SharedArrayBuffer': of(growable, plain),
  'a growable SharedArrayBuffer, to its end': of(growable, tracking),
  'a subclass that lies': of(fixed, (memory, at, length) => new Liar(memory, at, length)),
  'another realm': of(fixed, (memory, at, length) => new foreign.Uint8Array(memory, at, length)),
};

export const kinds: readonly string[] = Object.keys(makers);

export const makeRoom = (kind: string, size: number): Room => ({ kind, ...makers[kind](size) });
