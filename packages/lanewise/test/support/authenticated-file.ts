/** The format of docs/inside/authenticated-file.md over libsodium and OpenSSL: encodes files for the library, and decodes its own. */
import { concat } from './bytes.ts';
import { seal, xchacha20At } from './oracles.ts';

export const HEADER_BYTES = 4096;
export const SPARE_BYTES = 40;
const MAGIC = new TextEncoder().encode('lanewise file v1');

const number = (value: number, bytes: 4 | 8): Uint8Array => {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 4) view.setUint32(0, value, true);
  else view.setBigUint64(0, BigInt(value), true);
  return new Uint8Array(view.buffer);
};

/** The parts of a file. */
export interface Model {
  readonly key: Uint8Array;
  readonly id: Uint8Array;
  readonly pageSize: number;
  readonly context?: Uint8Array;
  readonly content: Uint8Array;
  /** The generations of both headers; a header without one is zeros. */
  readonly generations: readonly [number | undefined, number | undefined];
  /** The next nonce. */
  nonce(): Uint8Array;
}

export function encodeHeader(model: Model, generation: number): Uint8Array {
  const clear = concat(MAGIC, model.id, number(model.pageSize, 4), number(0, 4));
  const nonce = model.nonce();
  const additional = concat(clear, model.context ?? new Uint8Array());
  const sealed = seal(model.key, nonce, additional, concat(number(model.content.length, 8), number(generation, 8)));
  return concat(clear, sealed.subarray(0, 16), nonce, sealed.subarray(16));
}

export function encodePage(model: Model, page: number): Uint8Array {
  const size = model.pageSize - SPARE_BYTES;
  const content = new Uint8Array(size);
  content.set(model.content.subarray(page * size, (page + 1) * size));
  const nonce = model.nonce();
  const sealed = seal(model.key, nonce, concat(model.id, number(page, 8)), content);
  return concat(sealed.subarray(0, size), nonce, sealed.subarray(size));
}

/** Encodes a whole store. */
export function encode(model: Model): Uint8Array<ArrayBuffer> {
  const headers = model.generations.map((generation) => {
    const room = new Uint8Array(HEADER_BYTES);
    if (generation !== undefined) room.set(encodeHeader(model, generation));
    return room;
  });
  const count = Math.ceil(model.content.length / (model.pageSize - SPARE_BYTES));
  return concat(...headers, ...Array.from({ length: count }, (_, page) => encodePage(model, page)));
}

/** The plaintext of sealed bytes with their nonce and tag after them; throws if the tag is wrong. */
function open(key: Uint8Array, sealed: Uint8Array, size: number, additional: Uint8Array): Uint8Array {
  const nonce = sealed.subarray(size, size + 24);
  // Block 0 of the keystream is the key of Poly1305. RFC 8439 §2.8
  const plain = xchacha20At(key, nonce, sealed.subarray(0, size), 1n);
  const again = seal(key, nonce, additional, plain);
  const tag = sealed.subarray(size + 24, size + SPARE_BYTES);
  if (tag.length !== 16 || !again.subarray(size).every((byte, i) => byte === tag[i])) throw new Error('wrong tag');
  return plain;
}

/** The fields of a header. */
export function decodeHeader(
  store: Uint8Array,
  index: number,
  key: Uint8Array,
  context: Uint8Array = new Uint8Array(),
): { readonly id: Uint8Array; readonly pageSize: number; readonly length: number; readonly generation: number } {
  const header = store.subarray(index * HEADER_BYTES, (index + 1) * HEADER_BYTES);
  const plain = open(key, header.subarray(40, 96), 16, concat(header.subarray(0, 40), context));
  const view = new DataView(plain.buffer, plain.byteOffset);
  return {
    id: header.slice(16, 32),
    pageSize: new DataView(header.buffer, header.byteOffset).getUint32(32, true),
    length: Number(view.getBigUint64(0, true)),
    generation: Number(view.getBigUint64(8, true)),
  };
}

/** The content of a store that was flushed: both headers say the same. */
export function decode(store: Uint8Array, key: Uint8Array, context?: Uint8Array): Uint8Array {
  const header = decodeHeader(store, 0, key, context);
  const other = decodeHeader(store, 1, key, context);
  if (JSON.stringify(other) !== JSON.stringify(header)) throw new Error('the headers differ');
  const { id, pageSize, length } = header;
  const size = pageSize - SPARE_BYTES;
  const pages = Array.from({ length: Math.ceil(length / size) }, (_, page) => {
    const at = 2 * HEADER_BYTES + page * pageSize;
    return open(key, store.subarray(at, at + pageSize), size, concat(id, number(page, 8)));
  });
  return concat(...pages).subarray(0, length);
}
