/** Objects that go on from call to call, each with a call in which something is thrown and a call that follows. */
import { ArmorDecoder, ArmorEncoder, HeaderReader } from '@lanewise/age';
import { outboard, type OutboardHasher } from 'lanewise/bao.js';
import { blake2b, blake2s } from 'lanewise/blake2.js';
import { blake3, subtree, TreeBuilder, type Blake3 } from 'lanewise/blake3.js';
import { chacha20, xchacha20, xchacha20poly1305 } from 'lanewise/chacha.js';
import { poly1305 } from 'lanewise/poly1305.js';
import { chacha8rand } from 'lanewise/random.js';
import { xsalsa20, secretbox } from 'lanewise/salsa.js';
import { hmac, sha256, sha512 } from 'lanewise/sha2.js';
import { chacha20poly1305siv } from 'lanewise/siv.js';
import * as serpent from 'lanewise/serpent.js';
import { agePayload, secretstream, type MessageOpener, type MessageSealer } from 'lanewise/stream.js';
import { bytes, first, joined, key, nonce, second, type Machine } from './machine.ts';
import { ofDropIns } from './machines-drop-ins.ts';
import { file } from './rows/age.ts';

const hasher = (): Blake3 => blake3.create({ key }).update(first);
const lanewise = (name: string, its: Omit<Machine, 'title' | 'covers'>, ...covers: string[]): Machine => ({
  title: `lanewise ${name}`,
  covers: covers.map((each) => `lanewise ${each}`),
  ...its,
});

/** A ciphertext for `agePayload`, in two pieces; the first ends within a chunk. */
const ageSealed = ((): Uint8Array => {
  const sealer = agePayload(key).sealer();
  return joined(sealer.push(joined(second, second)), sealer.end());
})();
const message = (() => {
  const sealer = secretstream(key).sealer();
  return {
    header: sealer.header,
    messages: [sealer.push(first), sealer.push(second, undefined, { ad: first }), sealer.push(first)],
  };
})();
const part = (at: number) => subtree(bytes(1024, at), { offset: 1024 * at });

/** More bytes than the object keeps, so that some are hashed in each call. */
const long = bytes(140_000);
const outboardHasher = (): OutboardHasher => outboard.create().update(long);
const shown = (its: OutboardHasher): Uint8Array => {
  const { hash, outboard: tree } = its.digest();
  return joined(hash, tree);
};
const outboards: readonly Machine[] = [
  lanewise(
    'OutboardHasher.update',
    { make: outboardHasher, work: (its: OutboardHasher) => void its.update(long), rest: shown },
    'OutboardHasher.update',
  ),
  lanewise(
    'OutboardHasher.save',
    { make: outboardHasher, work: (its: OutboardHasher) => its.save(), rest: shown },
    'OutboardHasher.save',
  ),
  lanewise(
    'OutboardHasher.digest',
    { make: outboardHasher, work: shown, rest: () => 'ended', ends: true },
    'OutboardHasher.digest',
  ),
];

interface Hasher {
  update(bytes: Uint8Array): Hasher;
  digest(): Uint8Array;
}
/** A hasher, or a MAC, that goes on after an exception in `update`, and one whose `digest` ends it. */
const hashing = (name: string, make: () => Hasher, ...others: string[]): readonly Machine[] => [
  lanewise(
    `${name}.update`,
    {
      make: () => make().update(first),
      work: (its: Hasher) => its.update(second),
      rest: (its: Hasher) => its.digest(),
    },
    `${name}.update`,
    ...others.map((other) => `${name}.${other}`),
  ),
  lanewise(
    `${name}.digest`,
    { make: () => make().update(second), work: (its: Hasher) => its.digest(), rest: () => 'ended', ends: true },
    `${name}.digest`,
  ),
];
const hashers: readonly Machine[] = [
  ...hashing('Sha2', () => sha256.create(), 'digestInto', 'clone'),
  ...hashing('Sha2', () => sha512.create()),
  ...hashing('Blake2', () => blake2b.create({ key }), 'digestInto', 'clone'),
  ...hashing('Blake2', () => blake2s.create()),
  ...hashing('Hmac', () => hmac.create(sha256, key)),
];

const blake3s: readonly Machine[] = [
  lanewise(
    'Blake3.update',
    { make: hasher, work: (its: Blake3) => its.update(second), rest: (its: Blake3) => its.digest() },
    'Blake3.update',
    'Blake3.digest',
  ),
  lanewise(
    'Blake3.xof',
    { make: hasher, work: (its: Blake3) => its.xof(3000), rest: (its: Blake3) => its.xof(100) },
    'Blake3.xof',
    'Blake3.xofInto',
  ),
  lanewise(
    'Blake3.seek',
    {
      make: () => {
        const its = hasher();
        its.xof(3);
        return its;
      },
      work: (its: Blake3) => void its.seek(5000),
      rest: (its: Blake3) => its.xof(100),
    },
    'Blake3.seek',
  ),
  lanewise(
    'Blake3.digest',
    { make: () => hasher().update(second), work: (its: Blake3) => its.digest(), rest: () => 'ended', ends: true },
    'Blake3.digestInto',
  ),
  lanewise(
    'Blake3.peek, save, clone',
    {
      make: () => hasher().update(second),
      work: (its: Blake3) => joined(its.peek(70), its.save(), its.clone().digest()),
      rest: (its: Blake3) => its.update(first).digest(),
    },
    'Blake3.peek',
    'Blake3.save',
    'Blake3.clone',
  ),
  lanewise(
    'Blake3.reset',
    {
      make: () => hasher().update(second),
      work: (its: Blake3) => void its.reset(),
      rest: (its: Blake3) => its.update(first).digest(),
    },
    'Blake3.reset',
  ),
  lanewise(
    'TreeBuilder.add',
    {
      make: () => new TreeBuilder().add(part(0)),
      work: (its: TreeBuilder) => its.add(part(1)),
      rest: (its: TreeBuilder) => its.digest(),
    },
    'TreeBuilder.add',
    'TreeBuilder.digest',
    'TreeBuilder.xof',
  ),
];

interface Updating {
  update(value: Uint8Array): unknown;
}
const streaming = (name: string, make: () => Updating, ...covers: string[]): Machine =>
  lanewise(
    `${name}.stream`,
    {
      make: () => {
        const its = make();
        its.update(first);
        return its;
      },
      work: (its: Updating) => its.update(second),
      rest: (its: Updating) => its.update(first),
    },
    ...covers,
  );

interface Box {
  encrypt(value: Uint8Array): Uint8Array;
}
/** An object that may encrypt once under its nonce. */
const once = (name: string, make: () => Box, ...covers: string[]): Machine =>
  lanewise(name, { make, work: (its: Box) => its.encrypt(second), rest: () => 'ended', ends: true }, ...covers);

const push = (
  make: () => { push(value: Uint8Array): Uint8Array; end(): Uint8Array },
  value: Uint8Array,
  more: Uint8Array,
) => ({
  make,
  work: (its: ReturnType<typeof make>) => its.push(value),
  rest: (its: ReturnType<typeof make>) => joined(its.push(more), its.end()),
});
type Generator = ReturnType<typeof chacha8rand>;
const generating = (name: string, work: (its: Generator) => unknown): Machine =>
  lanewise(
    `ChaCha8Rand.${name}`,
    {
      make: () => {
        const its = chacha8rand(key);
        its.bytes(968);
        return its;
      },
      work,
      rest: (its: Generator) => joined(its.bytes(40), Buffer.from(String(its.uint32()))),
    },
    `ChaCha8Rand.${name}`,
  );

const ofLanewise: readonly Machine[] = [
  ...outboards,
  ...blake3s,
  ...hashers,
  lanewise(
    'Poly1305.update',
    {
      make: () => poly1305.create(key).update(first),
      work: (its: Updating) => its.update(second),
      rest: (its: { digest(): Uint8Array }) => its.digest(),
    },
    'Poly1305.update',
    'Poly1305.digest',
    'Poly1305.digestInto',
  ),
  streaming('chacha20', () => chacha20.stream(key, nonce.subarray(0, 12)), 'CipherStream.update'),
  streaming('xchacha20', () => xchacha20.stream(key, nonce)),
  streaming('xsalsa20', () => xsalsa20.stream(key, nonce)),
  lanewise(
    'CipherStream.seek',
    {
      make: () => chacha20.stream(key, nonce.subarray(0, 12)),
      work: (its: ReturnType<typeof chacha20.stream>) => void its.seek(9),
      rest: (its: Updating) => its.update(first),
    },
    'CipherStream.seek',
  ),
  once(
    'Aead.encrypt',
    () => xchacha20poly1305(key, nonce),
    'Aead.encrypt',
    'Aead.encryptDetached',
    'Aead.decrypt',
    'Aead.decryptDetached',
  ),
  once(
    'Secretbox.encrypt',
    () => secretbox(key, nonce),
    'Secretbox.encrypt',
    'Secretbox.seal',
    'Secretbox.open',
    'Secretbox.encryptDetached',
    'Secretbox.decrypt',
    'Secretbox.decryptDetached',
  ),
  once(
    'siv',
    () => chacha20poly1305siv(key, nonce.subarray(0, 16)),
    'chacha20poly1305siv().encrypt',
    'chacha20poly1305siv().decrypt',
    'chacha20poly1305siv().encryptDetached',
    'chacha20poly1305siv().decryptDetached',
  ),
  once('Ctr', () => serpent.ctr(key, nonce.subarray(0, 16)), 'Ctr.encrypt', 'Ctr.decrypt'),
  once('BlockMode', () => serpent.cbc(key, nonce.subarray(0, 16)), 'BlockMode.encrypt', 'BlockMode.decrypt'),
  generating('bytes', (its) => its.bytes(5000)),
  generating('uint32', (its) => its.uint32()),
  generating('uint64', (its) => its.uint64()),
  generating('float', (its) => its.float()),
  generating('below', (its) => its.below(1000)),
  generating('shuffle', (its) => its.shuffle(bytes(200))),
  generating('save', (its) => {
    its.save();
    return undefined;
  }),
  lanewise(
    'Sealer.push',
    push(() => agePayload(key).sealer(), second, first),
    'Sealer.push',
    'Sealer.end',
  ),
  lanewise(
    'Opener.push',
    push(() => agePayload(key).opener(), ageSealed.slice(0, 70_000), ageSealed.slice(70_000)),
    'Opener.push',
    'Opener.end',
  ),
  lanewise(
    'MessageSealer.rekey',
    // The header is random: an opener with the same header opens its messages.
    {
      make: () => {
        const sealer = secretstream(key).sealer();
        return { sealer, sealed: [sealer.push(first)] };
      },
      work: ({ sealer, sealed }: Sealing, options) =>
        void sealed.push(sealer.push(second, undefined, options({ tag: 1, ad: first }))),
      rest({ sealer, sealed }: Sealing) {
        sealed.push(sealer.push(first), sealer.end());
        const opener = secretstream(key).opener({ header: sealer.header });
        return joined(
          ...sealed.map((each, i) =>
            opener.push(each, undefined, { ad: i === 1 && sealed.length === 4 ? first : new Uint8Array(0) }),
          ),
        );
      },
    },
    'MessageSealer.push',
    'MessageSealer.end',
    'MessageSealer.rekey',
  ),
  lanewise(
    'MessageOpener.push',
    {
      make: () => {
        const opener = secretstream(key).opener({ header: message.header, requireFinal: false });
        opener.push(message.messages[0]);
        return opener;
      },
      work: (its: MessageOpener, options) => its.push(message.messages[1], undefined, options({ ad: first })),
      rest: (its: MessageOpener) => its.push(message.messages[2]),
    },
    'MessageOpener.push',
    'MessageOpener.end',
    'MessageOpener.rekey',
  ),
];
interface Sealing {
  readonly sealer: MessageSealer;
  readonly sealed: Uint8Array[];
}

const age = (name: string, its: Omit<Machine, 'title' | 'covers'>, ...covers: string[]): Machine => ({
  title: `age ${name}`,
  covers: covers.map((each) => `age ${each}`),
  ...its,
});
const armored = ((): Uint8Array => {
  const encoder = new ArmorEncoder();
  return joined(encoder.push(second), encoder.end());
})();
const ofAge: readonly Machine[] = [
  age(
    'ArmorEncoder.push',
    {
      make: () => {
        const encoder = new ArmorEncoder();
        return { encoder, out: [encoder.push(first)] };
      },
      work: ({ encoder, out }: { encoder: ArmorEncoder; out: Uint8Array[] }) => void out.push(encoder.push(second)),
      rest: ({ encoder, out }: { encoder: ArmorEncoder; out: Uint8Array[] }) =>
        joined(...out, encoder.push(first), encoder.end()),
    },
    'ArmorEncoder.push',
    'ArmorEncoder.end',
  ),
  age(
    'ArmorDecoder.push',
    {
      make: () => {
        const decoder = new ArmorDecoder();
        return { decoder, out: [decoder.push(armored.slice(0, 100))] };
      },
      work: ({ decoder, out }: { decoder: ArmorDecoder; out: Uint8Array[] }) =>
        void out.push(decoder.push(armored.slice(100, 40_000))),
      rest: ({ decoder, out }: { decoder: ArmorDecoder; out: Uint8Array[] }) => {
        out.push(decoder.push(armored.slice(40_000)));
        decoder.end();
        return joined(...out);
      },
    },
    'ArmorDecoder.push',
    'ArmorDecoder.end',
  ),
  age(
    'HeaderReader.push',
    {
      make: () => {
        const reader = new HeaderReader();
        reader.push(file.slice(0, 30));
        return reader;
      },
      work: (its: HeaderReader) => void its.push(file.slice(30, 100)),
      rest: (its: HeaderReader) => {
        its.push(file.slice(100));
        return its.bytes;
      },
    },
    'HeaderReader.push',
  ),
];

export const machines: readonly Machine[] = [...ofLanewise, ...ofAge, ...ofDropIns];
