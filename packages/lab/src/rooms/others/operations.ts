/** Primitives outside the library that people choose instead: SHA-256 for BLAKE3, AES for ChaCha20. */
import { unhex } from '../../client/bytes.ts';
import type { Contestant, Hash } from '../../client/contestants/contestant.ts';
import { inNode, library, natives, nodeCrypto, webCrypto } from '../../client/entrants.ts';
import { asynchronous, synchronous, workBy, type Entrant, type Operation } from '../../client/operation.ts';

const hashing = (contestant: Contestant & { readonly hash: Hash }) => synchronous(contestant, () => contestant.hash);
const noble = () => import('../../client/contestants/noble.ts');

export const sha256: Operation = {
  id: 'sha256/hash',
  primitive: 'SHA-256',
  operation: 'hash',
  work: workBy(async () => {
    const { hash } = (await noble()).nobleSha256;
    return () => hash;
  }),
  entrants: [
    library('noble', async () => hashing((await noble()).nobleSha256)),
    library('stablelib', async () => hashing((await import('../../client/contestants/stablelib.ts')).stablelibSha256)),
    library('libsodium.js', async () =>
      hashing((await import('../../client/contestants/libsodium.ts')).libsodiumSha256),
    ),
    library('hash-wasm', async () => hashing((await import('../../client/contestants/hash-wasm.ts')).hashWasmSha256)),
    library('hacl-wasm', async () => {
      const { hacl, haclSha256 } = await import('../../client/contestants/hacl.ts');
      return synchronous(hacl, () => haclSha256);
    }),
    webCrypto(({ sha256: run }, contestant) => asynchronous(contestant, () => run)),
    inNode('node:crypto', ({ nodeCrypto: its, nodeSha256 }) => synchronous(its, () => nodeSha256)),
  ],
  // FIPS 180-2, appendix B.1.
  knownAnswer: {
    key: new Uint8Array(),
    nonce: new Uint8Array(),
    data: unhex('616263'),
    expected: unhex('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'),
  },
};

/** AES with keys of 256 bits, by the libraries that have it. */
export const aes = (mode: 'gcm' | 'gcmOpen' | 'ctr'): Entrant[] => [
  library('noble', async () => {
    const { nobleAes } = await noble();
    return synchronous(nobleAes, nobleAes[mode]);
  }),
  webCrypto(({ aesCtr: ctr, aesGcmOpen: gcmOpen, aesGcmSeal: gcm }, contestant) =>
    asynchronous(contestant, { ctr, gcm, gcmOpen }[mode]),
  ),
  nodeCrypto(({ nodeAes }) => nodeAes[mode]),
];

export const aesGcm: Operation = {
  id: 'aes256gcm/seal',
  primitive: 'AES-256-GCM',
  operation: 'seal',
  work: workBy(async () => (await noble()).nobleAes.gcm),
  entrants: aes('gcm'),
  // "The Galois/Counter Mode of Operation (GCM)", McGrew and Viega, appendix B, test case 14.
  knownAnswer: {
    key: new Uint8Array(32),
    nonce: new Uint8Array(12),
    data: new Uint8Array(16),
    expected: unhex('cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919'),
  },
};

export const aesCtr: Operation = {
  id: 'aes256ctr/encrypt',
  primitive: 'AES-256-CTR',
  operation: 'encrypt',
  work: workBy(async () => (await noble()).nobleAes.ctr),
  entrants: aes('ctr'),
  // NIST SP 800-38A, F.5.5.
  knownAnswer: {
    key: unhex('603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4'),
    nonce: unhex('f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'),
    data: unhex('6bc1bee22e409f96e93d7e117393172a'),
    expected: unhex('601ec313775789a5b7a7f504bbf3d228'),
  },
};

/** AES-256-XTS in pages of this size, the usual disk encryption on processors with AES. */
export const aesXts = (pageSize: number): Operation => ({
  id: `aes256xts/${pageSize}`,
  primitive: 'AES-256-XTS',
  operation: 'pages',
  work: workBy(async () => (await noble()).xtsByNoble(pageSize)),
  entrants: [
    nodeCrypto(({ nodeXts }) => nodeXts(pageSize)),
    natives(pageSize === 512 ? 'aes-xts-sectors' : 'aes-xts-pages', ['adiantum']),
  ],
  // IEEE 1619-2007, annex B, vector 10: its first 32 bytes.
  knownAnswer: {
    key: unhex(
      '27182818284590452353602874713526624977572470936999595749669676273141592653589793238462643383279502884197169399375105820974944592',
    ),
    nonce: unhex('ff00000000000000'),
    data: unhex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'),
    expected: unhex('1c3b3a102f770386e4836c99e370cf9bea00803f5e482357a4ae12d414a3e63b'),
  },
});

export const operations: readonly Operation[] = [sha256, aesGcm, aesCtr];
