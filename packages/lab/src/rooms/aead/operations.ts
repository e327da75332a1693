/** ChaCha20-Poly1305 and XChaCha20-Poly1305: sealing, opening, and rejecting a forgery. */
import { equals, joined, unhex } from '../../client/bytes.ts';
import {
  TAG_BYTES,
  type Aead,
  type AeadName,
  type CipherContestant,
  type Contestant,
} from '../../client/contestants/contestant.ts';
import { inNode, library, natives, oursBy, webCrypto } from '../../client/entrants.ts';
import {
  allocated,
  asynchronous,
  synchronous,
  type Entrant,
  type Operation,
  type Performer,
  type Work,
} from '../../client/operation.ts';
import { aesGcm } from '../others/operations.ts';

type Direction = 'seal' | 'open' | 'reject';

interface Example {
  readonly key: string;
  readonly nonce: string;
  readonly plaintext: string;
  readonly sealed: string;
}

/** Project Wycheproof, chacha20_poly1305_test.json and xchacha20_poly1305_test.json, test 42 of each. */
const examples: Readonly<Record<AeadName, Example>> = {
  chacha20poly1305: {
    key: '422add37849d6e4c3dfd8020dc6a07e8a249788f3d6a83b9cb4d802362c97542',
    nonce: '1e7e67be948de7352ffdb727',
    plaintext: 'd7f5e611dd3a2750fb843fc1b6b93087310dc87d',
    sealed: '7fe606652d858f595ec2e706754fa3d933fcc83478d59235aa5d03a4c32590e590c04d22',
  },
  xchacha20poly1305: {
    key: '40e231268005ff28c36bd00167ea39131d262f3a591b0d1508c11b00ed04a0b6',
    nonce: '5fb9a00843c4b192bf6c3bc29451c237f30a607d3c637b85',
    plaintext: 'd34b950a1c4f2ae5c94a1fddd6574c5d9c0ab18f',
    sealed: '4ad85a75f1a975bbf3ee5302b71949036e3a2198b82c05b09328949aa70bb537e871cd70',
  },
};

/** The output of a rejection, which is the right answer to a forgery. */
const REFUSED = Uint8Array.of(1);

/** The flipped bit is in the tag, so the whole message has been processed when the difference shows. */
const forged = (sealed: Uint8Array): Uint8Array => {
  const changed = Uint8Array.from(sealed);
  changed[changed.length - 1] ^= 1;
  return changed;
};

const workOf = (direction: Direction, plaintext: Uint8Array, sealed: Uint8Array): Omit<Work, 'key' | 'nonce'> =>
  ({
    seal: { data: plaintext, expected: sealed },
    open: { data: sealed, expected: plaintext },
    reject: { data: forged(sealed), expected: REFUSED, room: plaintext.length },
  })[direction];

const rejecting =
  (open: Aead['open']): Aead['open'] =>
  (sealed, out) => {
    try {
      return open(sealed, out);
    } catch {
      return REFUSED;
    }
  };

/** A contestant that rejects everything must not win: it has to open a valid message first. */
function mustOpen(aead: Aead, { plaintext, sealed }: Example): void {
  const expected = unhex(plaintext);
  if (!equals(aead.open(unhex(sealed), new Uint8Array(expected.length)), expected))
    throw new Error('opens to wrong bytes');
}

type Make = (key: Uint8Array, nonce: Uint8Array) => Aead;

export const aeadPerformer = (name: AeadName, direction: Direction, contestant: Contestant, make: Make): Performer =>
  synchronous(contestant, (key, nonce) => {
    const { seal, open } = make(key, nonce);
    if (direction !== 'reject') return { seal, open }[direction];
    const example = examples[name];
    mustOpen(make(unhex(example.key), unhex(example.nonce)), example);
    return rejecting(open);
  });

const noble = async () => (await import('../../client/contestants/noble.ts')).nobleCiphers;

/** Contestants that have ChaCha20-Poly1305 with its 12-byte nonce only. */
const ietfOnly = (direction: Direction): Entrant[] => [
  library('hacl-wasm', async () => {
    const { hacl, haclAead } = await import('../../client/contestants/hacl.ts');
    return aeadPerformer('chacha20poly1305', direction, hacl, haclAead);
  }),
  webCrypto(({ chacha20Poly1305Open, chacha20Poly1305Seal }, contestant) =>
    asynchronous(
      contestant,
      direction === 'seal'
        ? chacha20Poly1305Seal
        : async (key, nonce) => {
            const open = await chacha20Poly1305Open(key, nonce);
            return direction === 'open' ? open : (sealed) => open(sealed).catch(() => REFUSED);
          },
    ),
  ),
];

function operation(name: AeadName, primitive: string, direction: Direction): Operation {
  const performer = (contestant: CipherContestant): Performer =>
    aeadPerformer(name, direction, contestant, (key, nonce) => contestant.aead(name, key, nonce));
  const example = examples[name];
  return {
    id: `${name}/${direction}`,
    primitive,
    operation: direction,
    async work(plaintext, key, nonce) {
      const room = new Uint8Array(plaintext.length + TAG_BYTES);
      const sealed = joined((await noble()).aead(name, key, nonce).seal(plaintext, room));
      return { key, nonce, ...workOf(direction, plaintext, sealed) };
    },
    entrants: [
      oursBy(performer),
      library('noble', async () => performer(await noble())),
      library('libsodium.js', async () => performer((await import('../../client/contestants/libsodium.ts')).libsodium)),
      library('stablelib', async () => performer((await import('../../client/contestants/stablelib.ts')).stablelib)),
      inNode('node:crypto', ({ nodeCrypto }) => performer(nodeCrypto)),
      ...(name === 'chacha20poly1305' ? ietfOnly(direction) : []),
      // C libraries are measured while sealing only: opening is the same work in another order.
      ...(name === 'chacha20poly1305' && direction === 'seal'
        ? [natives('chacha20poly1305', ['libsodium', 'libgcrypt'])]
        : []),
    ],
    knownAnswer: {
      key: unhex(example.key),
      nonce: unhex(example.nonce),
      ...workOf(direction, unhex(example.plaintext), unhex(example.sealed)),
    },
    beside: name === 'chacha20poly1305' && direction === 'seal' ? [aesGcm] : [],
  };
}

const all = (name: AeadName, primitive: string) => ({
  seal: operation(name, primitive, 'seal'),
  open: operation(name, primitive, 'open'),
  reject: operation(name, primitive, 'reject'),
});

export const chacha20poly1305 = all('chacha20poly1305', 'ChaCha20-Poly1305');
export const xchacha20poly1305 = all('xchacha20poly1305', 'XChaCha20-Poly1305');

/** As libsodium.js and node:crypto do in any case: each result is a new array. */
export const xchacha20poly1305Allocated = allocated(xchacha20poly1305.seal, [
  'lanewise',
  'noble',
  'libsodium.js',
  'node:crypto',
]);

export const operations: readonly Operation[] = [
  ...Object.values(chacha20poly1305),
  ...Object.values(xchacha20poly1305),
  xchacha20poly1305Allocated,
];
