/** Memory of a caller, in the forms in which a call may get it. */

/** The bytes around others, which never change. */
const AROUND = 0xa5;
const MARGIN = 37;

/** Bytes as a call gets them. */
export interface Lent {
  readonly view: Uint8Array;
  /** Where they lie in their buffer. */
  readonly at: number;
  readonly length: number;
}

/** The same kind of array over this buffer: the rows have Uint32Arrays, too. */
const viewOf = (like: Uint8Array, buffer: ArrayBuffer | SharedArrayBuffer, at: number): Uint8Array => {
  const Type = (like instanceof Uint32Array ? Uint32Array : Uint8Array) as new (...values: unknown[]) => Uint8Array;
  return new Type(buffer, at, like.length);
};
const byteLengthOf = (value: Uint8Array): number => value.byteLength;

/** Bytes in the midst of others, at an odd address. */
function within(value: Uint8Array, buffer: ArrayBuffer | SharedArrayBuffer): Lent {
  const at = value instanceof Uint32Array ? 4 : MARGIN;
  const all = new Uint8Array(buffer);
  all.fill(AROUND);
  all.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), at);
  return { view: viewOf(value, buffer, at), at, length: byteLengthOf(value) };
}
const roomFor = (value: Uint8Array): number => byteLengthOf(value) + 4 * MARGIN;

/** A subclass that says that it is empty. */
class Lying extends Uint8Array {
  override get length(): number {
    return 0;
  }
  override get byteLength(): number {
    return 0;
  }
}

export interface Form {
  readonly name: string;
  /** Whether a call has to do the same with it. */
  readonly same?: true;
  readonly lend: (value: Uint8Array) => Lent;
}

const changed = (value: Uint8Array, change: (copy: Uint8Array) => Uint8Array): Lent =>
  within(change(value.slice()), new ArrayBuffer(roomFor(value)));
const bytesOnly = (value: Uint8Array): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array((value as Uint8Array).buffer);

export const inTheMidst: Form = {
  name: 'in the midst of others',
  same: true,
  lend: (value) => within(value, new ArrayBuffer(roomFor(value))),
};

export const forms: readonly Form[] = [
  inTheMidst,
  {
    name: 'a Buffer',
    lend(value) {
      const { view, ...rest } = inTheMidst.lend(bytesOnly(value));
      return { view: Buffer.from(view.buffer, view.byteOffset, view.length), ...rest };
    },
  },
  {
    name: 'a subclass that says it is empty',
    lend(value) {
      const { view, at, length } = inTheMidst.lend(bytesOnly(value));
      return { view: new Lying(view.buffer as ArrayBuffer, at, length), at, length };
    },
  },
  { name: 'shared', lend: (value) => within(value, new SharedArrayBuffer(roomFor(value))) },
  {
    name: 'resizable',
    lend: (value) => within(value, new ArrayBuffer(roomFor(value), { maxByteLength: 2 * roomFor(value) })),
  },
  { name: 'without its first element', lend: (value) => changed(value, (copy) => copy.slice(1)) },
  {
    name: 'with one element more',
    lend: (value) =>
      changed(value, (copy) => {
        const longer = new (copy.constructor as new (length: number) => Uint8Array)(copy.length + 1);
        longer.set(copy);
        return longer;
      }),
  },
  { name: 'empty', lend: (value) => changed(value, (copy) => copy.slice(0, 0)) },
  {
    name: 'with one bit flipped',
    lend: (value) =>
      changed(value, (copy) => {
        if (copy.length) copy[copy.length - 1] ^= 1;
        return copy;
      }),
  },
  {
    name: 'detached',
    lend(value) {
      const lent = inTheMidst.lend(value);
      structuredClone(lent.view.buffer, { transfer: [lent.view.buffer as ArrayBuffer] });
      return lent;
    },
  },
];
