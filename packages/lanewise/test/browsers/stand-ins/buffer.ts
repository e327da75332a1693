/** The part of Node's Buffer that the tests use, for hosts that have none. */
const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

class NodeBuffer extends Uint8Array {
  get #view(): DataView {
    return new DataView(this.buffer, this.byteOffset, this.length);
  }

  override toString(encoding?: string): string {
    if (encoding !== 'hex') throw new Error(`no encoding ${encoding}`);
    let text = '';
    for (let i = 0; i < this.length; i++) text += digits[this[i]];
    return text;
  }

  readUInt32LE(at = 0): number {
    return this.#view.getUint32(at, true);
  }
  writeUInt32LE(value: number, at = 0): void {
    this.#view.setUint32(at, value, true);
  }
  writeBigUInt64LE(value: bigint, at = 0): void {
    this.#view.setBigUint64(at, value, true);
  }

  override indexOf(wanted: number | Uint8Array, from = 0): number {
    if (typeof wanted === 'number') return super.indexOf(wanted, from);
    for (let at = super.indexOf(wanted[0], from); at >= 0; at = super.indexOf(wanted[0], at + 1))
      if (wanted.every((byte, i) => byte === this[at + i])) return at;
    return -1;
  }
  override includes(wanted: number | Uint8Array): boolean {
    return this.indexOf(wanted) >= 0;
  }
}

const alloc = (length: number): NodeBuffer => new NodeBuffer(length);

const POOL_BYTES = 8192;
let pool = new ArrayBuffer(POOL_BYTES);
let used = 0;

/** As in Node, short ones share a buffer, and start at multiples of eight. */
function allocUnsafe(length: number): NodeBuffer {
  if (length === 0 || length >= POOL_BYTES / 2) return alloc(length);
  if (used + length > POOL_BYTES) {
    pool = new ArrayBuffer(POOL_BYTES);
    used = 0;
  }
  const bytes = new NodeBuffer(pool, used, length);
  used = (used + length + 7) & ~7;
  return bytes;
}

function fromHex(text: string): NodeBuffer {
  const bytes = allocUnsafe(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

const fromBase64 = (text: string): NodeBuffer => from(Array.from(atob(text), (letter) => letter.charCodeAt(0)));

type Source = string | Iterable<number> | ArrayBuffer;

/** Text in an encoding, a copy of numbers, or a view of a buffer. */
function from(source: Source, second?: string | number, length?: number): NodeBuffer {
  if (typeof source === 'string') {
    if (second === 'hex') return fromHex(source);
    return second === 'base64' ? fromBase64(source) : from(new TextEncoder().encode(source));
  }
  if (source instanceof ArrayBuffer) return new NodeBuffer(source, second as number | undefined, length);
  const numbers = Array.from(source);
  const bytes = allocUnsafe(numbers.length);
  bytes.set(numbers);
  return bytes;
}

/** In words, where both start at a multiple of four: memories of many pages are compared after each call. */
function same(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let at = 0;
  if ((a.byteOffset | b.byteOffset) % 4 === 0) {
    const words = a.length >> 2;
    const [x, y] = [a, b].map((bytes) => new Int32Array(bytes.buffer, bytes.byteOffset, words));
    while (at < words && x[at] === y[at]) at++;
    at *= 4;
  }
  while (at < a.length && a[at] === b[at]) at++;
  return at === a.length;
}

const statics = {
  from,
  alloc,
  allocUnsafe,
  /** Gives only whether the bytes are equal: the tests use no more. */
  compare: (a: Uint8Array, b: Uint8Array): number => (same(a, b) ? 0 : 1),
  concat(parts: readonly Uint8Array[]): NodeBuffer {
    const whole = allocUnsafe(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  },
};

export const Buffer = Object.assign(NodeBuffer, statics) as typeof statics;
