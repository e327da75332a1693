/** Operations of every family on random bytes, for what happens when the stack overflows in them. */
import * as hashing from '../../src/blake3.ts';
import { blake3Instance } from '../../src/blake3/binding.ts';
import * as chacha from '../../src/chacha.ts';
import { chachaInstance } from '../../src/chacha/binding.ts';
import * as disk from '../../src/disk.ts';
import { diskInstance } from '../../src/disk/binding.ts';
import { poly1305 } from '../../src/poly1305.ts';
import { poly1305Instance } from '../../src/poly1305/binding.ts';
import * as salsa from '../../src/salsa.ts';
import { salsaInstance } from '../../src/salsa/binding.ts';
import { secretboxChachaInstance } from '../../src/salsa/xchacha-binding.ts';
import * as serpent from '../../src/serpent.ts';
import { serpentInstance } from '../../src/serpent/binding.ts';
import { serpentCtrInstance } from '../../src/serpent/ctr-binding.ts';
import { expected as blake3Of, key as blake3Key } from './blake3.ts';
import { concat, sample } from './bytes.ts';
import { byTheModel } from './interleaved/disk.ts';
import { byBcrypto } from './interleaved/serpent.ts';
import * as oracles from './oracles.ts';
import * as salsaOracles from './salsa.ts';
import { ocbByTheBook } from './serpent.ts';

/** What an operation is given, and what may be seen of it. */
export interface Given {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly text: Uint8Array;
}

export interface Operation {
  readonly name: string;
  /** Memories that it may use. */
  readonly memories: () => Uint8Array[];
  readonly longest: number;
  /** An object on which `work` is done once, or nothing. */
  readonly make?: (given: Given) => unknown;
  /** Gives the result. */
  readonly work: (given: Given, object: never) => Uint8Array;
  /** The result, by another implementation. */
  readonly expected: (given: Given) => Uint8Array;
  /** Bytes that may stay in memory beside what the call gave: ciphertext that it was given. */
  readonly isPublic?: (given: Given) => Uint8Array;
  /** Whether the result is ciphertext, which may stay. */
  readonly sealed?: boolean;
}

// Of modules only what is here is asked: the tests' module loader takes an overflow in a re-export for an export that is missing.
const { blake3, hashMany, merge, root, subtree } = hashing;
const { chacha20, hchacha, managedNonce, xchacha20, xchacha20poly1305 } = chacha;
const { adiantum, hpolyc } = disk;
const { salsa20, secretbox, secretbox_xchacha20poly1305 } = salsa;
const { cbc, ctr, ecb, ocb } = serpent;
const mac = poly1305;

const chachas = (): Uint8Array[] => [chachaInstance(0).memory, chachaInstance(1e6).memory];
const macs = (): Uint8Array[] => [poly1305Instance().memory];
const hashes = (): Uint8Array[] => [blake3Instance(0).memory, blake3Instance(1e6).memory];
const salsas = (): Uint8Array[] => [salsaInstance(0).memory, salsaInstance(1e6).memory];
const serpents = (): Uint8Array[] => [serpentInstance().memory, serpentCtrInstance().memory];
const disks = (): Uint8Array[] => [diskInstance().memory];

/** More than goes into one call of a kernel. */
const LONG = 130_000;
/** Secrets in additional data are not asked for. */
const aad = sample(300, 801);
const seal = ({ key, nonce, text }: Given): Uint8Array => oracles.seal(key, nonce, aad, text);
const aead = ({ key, nonce }: Given): chacha.Aead => xchacha20poly1305(key, nonce, aad);
const box = ({ key, nonce, text }: Given): Uint8Array => salsaOracles.secretbox(key, nonce, text);
const whole = (text: Uint8Array): Uint8Array => text.subarray(0, text.length & -16);
const ivOf = ({ nonce }: Given): Uint8Array => nonce.subarray(0, 16);
const same = ({ text }: Given): Uint8Array => text;
const PAGE = 512;
const paged = ({ text }: Given): Uint8Array => text.slice(0, Math.floor(text.length / PAGE) * PAGE);
const pages = { pageSize: PAGE, tweak: 'index64' } as const;

/** Without a state of their own. */
const calls: readonly Operation[] = [
  {
    name: 'blake3',
    memories: hashes,
    longest: LONG,
    work: ({ text }) => blake3(text, { key: blake3Key }),
    expected: ({ text }) => blake3Of(text, 'keyed_hash'),
  },
  {
    name: 'blake3, 300 bytes of digest',
    memories: hashes,
    longest: LONG,
    work: ({ text }) => blake3(text, { key: blake3Key, dkLen: 300 }),
    expected: ({ text }) => blake3Of(text, 'keyed_hash', 300),
  },
  {
    name: 'hashMany',
    memories: hashes,
    longest: 1500,
    work: ({ text }) => concat(...hashMany([text, text.subarray(1), text, text, text], { key: blake3Key })),
    expected({ text }) {
      const [digest, second] = [text, text.subarray(1)].map((bytes) => blake3Of(bytes, 'keyed_hash'));
      return concat(digest, second, digest, digest, digest);
    },
  },
  {
    name: 'subtree, merge and root',
    memories: hashes,
    longest: LONG,
    work({ text }) {
      const message = concat(new Uint8Array(3 * 1024), text, new Uint8Array(1)).subarray(0, 4096);
      const parts = [0, 1024, 2048, 3072].map((at) =>
        subtree(message.subarray(at, at + 1024), { offset: at, key: blake3Key }),
      );
      return root(merge(parts[0], parts[1]), merge(parts[2], parts[3]));
    },
    expected: ({ text }) =>
      blake3Of(concat(new Uint8Array(3 * 1024), text, new Uint8Array(1)).subarray(0, 4096), 'keyed_hash'),
  },
  {
    name: 'poly1305',
    memories: macs,
    longest: LONG,
    work: ({ key, text }) => mac(text, key),
    expected: ({ key, text }) => oracles.poly1305(text, key),
  },
  {
    name: 'chacha20',
    memories: chachas,
    longest: LONG,
    work: ({ key, nonce, text }) => chacha20(key, nonce.subarray(0, 12), text),
    expected: ({ key, nonce, text }) => oracles.chacha20(key, nonce.subarray(0, 12), text),
    sealed: true,
  },
  {
    name: 'xchacha20',
    memories: chachas,
    longest: LONG,
    work: ({ key, nonce, text }) => xchacha20(key, nonce, text),
    expected: ({ key, nonce, text }) => oracles.xchacha20(key, nonce, text),
    sealed: true,
  },
  {
    name: 'hchacha',
    memories: chachas,
    longest: 0,
    work({ key, nonce }) {
      const out = new Uint32Array(8);
      const words = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);
      const constants = words(new TextEncoder().encode('expand 32-byte k'));
      hchacha(constants, words(key), words(nonce.subarray(0, 16)), out);
      return new Uint8Array(out.buffer);
    },
    expected: ({ key, nonce }) => oracles.hchacha20(key, nonce.subarray(0, 16)),
  },
  {
    name: 'salsa20',
    memories: salsas,
    longest: LONG,
    work: ({ key, nonce, text }) => salsa20(key, nonce.subarray(0, 8), text),
    expected: ({ key, nonce, text }) => salsaOracles.salsa20(key, nonce.subarray(0, 8), text),
    sealed: true,
  },
  {
    name: 'cbc.encryptMany',
    memories: serpents,
    longest: 5000,
    work({ key, nonce, text }) {
      const ivs = [nonce.subarray(1, 17), nonce.subarray(0, 16), nonce.subarray(2, 18)];
      return cbc.encryptMany(key, ivs, [text, text, text])[1];
    },
    expected: (given) => byBcrypto('CBC', given.key, ivOf(given), given.text, true),
    sealed: true,
  },
];

/** With an object, made before the stack is full. */
const objects: readonly Operation[] = [
  {
    name: 'a hasher: update and digest',
    memories: hashes,
    longest: LONG,
    make: () => blake3.create({ key: blake3Key }),
    work: ({ text }, hasher: hashing.Blake3) => hasher.update(text).digest(),
    expected: ({ text }) => blake3Of(text, 'keyed_hash'),
  },
  {
    name: 'a hasher: output',
    memories: hashes,
    longest: LONG,
    make: ({ text }) => blake3.create({ key: blake3Key }).update(text),
    work: (_, hasher: hashing.Blake3) => hasher.xof(5000),
    expected: ({ text }) => blake3Of(text, 'keyed_hash', 5000),
  },
  {
    name: 'a hasher: a saved state and a clone',
    memories: hashes,
    longest: LONG,
    make: ({ text }) => blake3.create({ key: blake3Key }).update(text),
    work: (_, hasher: hashing.Blake3) => blake3.load(hasher.save()).clone().peek(),
    expected: ({ text }) => blake3Of(text, 'keyed_hash'),
  },
  {
    name: 'Poly1305: update and digest',
    memories: macs,
    longest: LONG,
    make: ({ key }) => mac.create(key),
    work: ({ text }, object: ReturnType<typeof poly1305.create>) => object.update(text).digest(),
    expected: ({ key, text }) => oracles.poly1305(text, key),
  },
  {
    name: 'a stream',
    memories: chachas,
    longest: LONG,
    make: ({ key, nonce }) => chacha20.stream(key, nonce.subarray(0, 12)),
    work: ({ text }, stream: chacha.CipherStream) => stream.update(text),
    expected: ({ key, nonce, text }) => oracles.chacha20(key, nonce.subarray(0, 12), text),
    sealed: true,
  },
  {
    name: 'encrypt',
    memories: chachas,
    longest: LONG,
    make: aead,
    work: ({ text }, object: chacha.Aead) => object.encrypt(text),
    expected: seal,
    sealed: true,
  },
  {
    name: 'encryptDetached',
    memories: chachas,
    longest: LONG,
    make: aead,
    work({ text }, object: chacha.Aead) {
      const { ciphertext, tag } = object.encryptDetached(text);
      return concat(ciphertext, tag);
    },
    expected: seal,
    sealed: true,
  },
  {
    name: 'decrypt',
    memories: chachas,
    longest: LONG,
    make: (given) => ({ object: aead(given), sealed: seal(given) }),
    work: (_, { object, sealed }: { object: chacha.Aead; sealed: Uint8Array }) => object.decrypt(sealed),
    expected: same,
    isPublic: seal,
  },
  {
    name: 'managedNonce',
    memories: chachas,
    longest: LONG,
    make: ({ key, nonce }) => managedNonce(chacha.xchacha20poly1305, () => nonce)(key, aad),
    work: ({ text }, object: chacha.ManagedCipher) => object.encrypt(text).subarray(24),
    expected: seal,
    sealed: true,
  },
  {
    name: 'secretbox: encrypt',
    memories: salsas,
    longest: LONG,
    make: ({ key, nonce }) => secretbox(key, nonce),
    work: ({ text }, object: salsa.Secretbox) => object.encrypt(text),
    expected: box,
    sealed: true,
  },
  {
    name: 'secretbox: decrypt',
    memories: salsas,
    longest: LONG,
    make: (given) => ({ object: secretbox(given.key, given.nonce), sealed: box(given) }),
    work: (_, { object, sealed }: { object: salsa.Secretbox; sealed: Uint8Array }) => object.decrypt(sealed),
    expected: same,
    isPublic: box,
  },
  {
    name: 'secretbox with XChaCha20',
    memories: () => [secretboxChachaInstance().memory],
    longest: LONG,
    make: ({ key, nonce }) => secretbox_xchacha20poly1305(key, nonce),
    work: ({ text }, object: salsa.Secretbox) => object.encrypt(text),
    expected: ({ key, nonce, text }) => salsaOracles.secretboxXChaCha(key, nonce, text),
    sealed: true,
  },
  {
    name: 'Serpent OCB',
    memories: serpents,
    longest: 5000,
    make: ({ key, nonce }) => ocb(key, nonce.subarray(0, 12), aad),
    work: ({ text }, object: chacha.Aead) => object.encrypt(text),
    expected: ({ key, nonce, text }) =>
      ocbByTheBook((block) => byBcrypto('ECB', key, undefined, block), nonce.subarray(0, 12), aad, text),
    sealed: true,
  },
  {
    name: 'Serpent CTR',
    memories: serpents,
    longest: 5000,
    make: (given) => ctr(given.key, ivOf(given)),
    work: ({ text }, object: ReturnType<typeof serpent.ctr>) => object.encrypt(text),
    expected: (given) => byBcrypto('CTR', given.key, ivOf(given), given.text),
    sealed: true,
  },
  {
    name: 'Serpent CBC',
    memories: serpents,
    longest: 5000,
    make: (given) => cbc(given.key, ivOf(given)),
    work: ({ text }, object: ReturnType<typeof serpent.cbc>) => object.encrypt(text),
    expected: (given) => byBcrypto('CBC', given.key, ivOf(given), given.text, true),
    sealed: true,
  },
  {
    name: 'Serpent ECB',
    memories: serpents,
    longest: 5000,
    make: ({ key }) => ecb(key, { disablePadding: true }),
    work: ({ text }, object: ReturnType<typeof serpent.ecb>) => object.encrypt(whole(text)),
    expected: ({ key, text }) => byBcrypto('ECB', key, undefined, whole(text)),
    sealed: true,
  },
  {
    name: 'Adiantum',
    memories: disks,
    longest: 5000,
    make: ({ key }) => adiantum(key),
    work: ({ text, nonce }, object: disk.PageCipher) => object.encrypt(concat(nonce, text), nonce),
    expected: ({ key, nonce, text }) =>
      byTheModel({ cipher: 'adiantum', rounds: 12, key, tweak: nonce, page: concat(nonce, text) }),
    sealed: true,
  },
  {
    name: 'HPolyC, pages',
    memories: disks,
    longest: 5000,
    make: ({ key }) => hpolyc(key),
    work: (given, object: disk.PageCipher) => object.encryptPages(paged(given), pages),
    expected(given) {
      const all = paged(given);
      for (let at = 0, tweak = new Uint8Array(8); at < all.length; at += PAGE, tweak[0]++) {
        const page = all.slice(at, at + PAGE);
        all.set(byTheModel({ cipher: 'hpolyc', rounds: 12, key: given.key, tweak, page }), at);
      }
      return all;
    },
    sealed: true,
  },
];

export const operations: readonly Operation[] = [...calls, ...objects];
