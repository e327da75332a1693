/** BLAKE3 and Poly1305: pieces, clones, saved states, output, lists and trees. By blake3-wasm (the official crate) and libsodium. */
import wasm from 'blake3-wasm';
import {
  blake3,
  hashMany,
  subtree,
  subtreeFrom,
  TreeBuilder,
  type Blake3,
  type Blake3Options,
} from '../../../src/blake3.ts';
import { poly1305 } from '../../../src/poly1305.ts';
import { concat } from '../bytes.ts';
import * as oracles from '../oracles.ts';
import type { Actor, Family } from './actor.ts';
import type { Kit } from './kit.ts';

/** One of the three modes, as the library's options and as the other implementation's hash. */
interface Mode {
  readonly name: string;
  readonly options: () => Blake3Options;
  readonly create: () => ReturnType<typeof wasm.createHash>;
}

function modeOf(kit: Kit): Mode {
  const { random } = kit;
  const kind = random.pick(['hash', 'keyed', 'derived'] as const);
  if (kind === 'hash') return { name: kind, options: () => ({}), create: () => wasm.createHash() };
  if (kind === 'keyed') {
    const key = random.bytes(32);
    return { name: kind, options: () => ({ key: kit.given(key) }), create: () => wasm.createKeyed(Buffer.from(key)) };
  }
  const context = `${random.below(2 ** 31)} Schlüssel ✓`;
  const bytes = new TextEncoder().encode(context);
  const options = (): Blake3Options => ({ context: random.once(2) ? context : kit.given(bytes) });
  return { name: kind, options, create: () => wasm.createDeriveKey(context) };
}

function output({ create }: Mode, message: Uint8Array, length: number, position = 0n): Uint8Array {
  const reader = create().update(message).reader();
  reader.position = position;
  const out = reader.read(length);
  reader.dispose();
  return out;
}

const LONGEST = 150_000;
const outputLength = (kit: Kit): number => (kit.random.once(2) ? 32 : 1 + kit.length(3000));

/** A hasher, which may become output, and its model: the message so far, and where in the output it is. */
function hasherActor(kit: Kit, mode: Mode, made: Blake3, before: Uint8Array): Actor {
  const { random } = kit;
  let object = made;
  let message = before;
  let position = 0n;
  let isOutput = false;

  const update = (): void => {
    const piece = random.bytes(kit.length(LONGEST));
    object.update(kit.given(piece));
    message = concat(message, piece);
    if (object.count !== message.length) throw new Error(`count is ${object.count} after ${message.length} bytes`);
  };
  const peek = (): void => {
    const length = outputLength(kit);
    kit.same(object.peek(length), output(mode, message, length), `peek of ${length} after ${message.length}`);
  };
  const clone = (): void => {
    const twin = object.clone();
    // One of the two goes on; changes to the other have no effect on it.
    const other = random.once(2) ? twin : object;
    if (other === object) object = twin;
    other.update(random.bytes(kit.length(LONGEST)));
    if (random.once(2)) other.digest();
  };
  const save = (): void => {
    const state = object.save();
    if (random.once(2)) object.destroy();
    object = blake3.load(kit.given(state));
  };
  const seek = (): void => {
    const far = random.pick([0n, 2n ** 32n, 2n ** 38n, 2n ** 53n, 2n ** 63n]);
    position = far + BigInt(random.below(200));
    object.seek(position < 2n ** 53n && random.once(2) ? Number(position) : position);
  };
  const read = (): void => {
    const length = 1 + kit.length(20_000);
    const expected = output(mode, message, length, position);
    const what = `${length} bytes of output from ${position} after ${message.length}`;
    kit.apply(what, new Uint8Array(0), length, expected, (_, out) => (out ? object.xofInto(out) : object.xof(length)));
    position += BigInt(length);
    isOutput = true;
  };
  const reset = (): void => {
    object.reset();
    message = new Uint8Array(0);
    position = 0n;
    isOutput = false;
  };
  const end = (): boolean => {
    if (isOutput) object.destroy();
    else {
      const expected = output(mode, message, object.outputLen);
      kit.apply(`the digest of ${message.length}`, new Uint8Array(0), expected.length, expected, (_, out) => {
        if (!out) return object.digest();
        object.digestInto(out);
        return out;
      });
    }
    kit.refused(() => object.update(new Uint8Array(1)), /^cannot use Blake3 after/, 'after the end');
    return false;
  };
  return {
    name: `a hasher (${mode.name})`,
    step() {
      if (random.once(25) || message.length > 4 * LONGEST) return end();
      if (isOutput) random.pick([read, read, seek, reset])();
      else random.pick([update, update, update, peek, clone, save, seek, read, reset])();
      return true;
    },
  };
}

export const hasher: Family = (kit) => {
  const mode = modeOf(kit);
  const dkLen = kit.random.once(2) ? {} : { dkLen: outputLength(kit) };
  return hasherActor(kit, mode, blake3.create({ ...mode.options(), ...dkLen }), new Uint8Array(0));
};

/** Calls for messages that are there, alone and in lists. */
export const hashes: Family = (kit) => {
  const { random } = kit;
  const mode = modeOf(kit);
  return {
    name: `blake3 and hashMany (${mode.name})`,
    step() {
      const dkLen = outputLength(kit);
      const options = { ...mode.options(), dkLen };
      const lengths = [kit.length(1100), kit.length(1100), kit.length(LONGEST)];
      const messages = Array.from({ length: random.below(12) }, () => random.bytes(random.pick(lengths)));
      const digests = hashMany(
        messages.map((message) => kit.given(message)),
        options,
      );
      messages.forEach((message, i) =>
        kit.same(digests[i], output(mode, message, dkLen), `message ${i}, ${message.length} bytes to ${dkLen}`),
      );
      const message = random.bytes(kit.length(LONGEST));
      const digest = blake3(kit.given(message), options);
      kit.same(digest, output(mode, message, dkLen), `${message.length} bytes to ${dkLen}`);
      return !random.once(6);
    },
  };
};

/** Parts of a message in random order, one at a step, some of them from elsewhere. */
export const tree: Family = (kit) => {
  const { random } = kit;
  const mode = modeOf(kit);
  const message = random.bytes(1025 + kit.length(100_000));
  const parts: [offset: number, length: number][] = [];
  const split = (offset: number, length: number, isAll: boolean): void => {
    let left = 1024;
    while (2 * left < length) left *= 2;
    if (length <= 1024 || (!isAll && random.once(4))) parts.push([offset, length]);
    else {
      split(offset, left, false);
      split(offset + left, length - left, false);
    }
  };
  split(0, message.length, true);
  const builder = new TreeBuilder();
  return {
    name: `a tree (${mode.name})`,
    step() {
      const [[offset, length]] = parts.splice(random.below(parts.length), 1);
      const options = mode.options();
      const part = subtree(kit.given(message.subarray(offset, offset + length)), { ...options, offset });
      builder.add(random.once(3) ? subtreeFrom(structuredClone(part), options) : part);
      if (parts.length) return true;
      const dkLen = outputLength(kit);
      kit.same(builder.digest(dkLen), output(mode, message, dkLen), `the digest of ${message.length}`);
      return false;
    },
  };
};

export const mac: Family = (kit) => {
  const { random } = kit;
  const key = random.bytes(32);
  if (random.once(3)) key.fill(0xff, 0, 16);
  const object = poly1305.create(kit.given(key));
  let message: Uint8Array = new Uint8Array(0);
  return {
    name: 'poly1305',
    step() {
      const piece = random.bytes(kit.length(LONGEST));
      if (random.once(3)) kit.same(poly1305(kit.given(piece), kit.given(key)), oracles.poly1305(piece, key), 'a call');
      object.update(kit.given(piece));
      message = concat(message, piece);
      if (!random.once(8)) return true;
      const expected = oracles.poly1305(message, key);
      kit.apply(`the tag of ${message.length}`, new Uint8Array(0), 16, expected, (_, out) => {
        if (!out) return object.digest();
        object.digestInto(out);
        return out;
      });
      return false;
    },
  };
};
