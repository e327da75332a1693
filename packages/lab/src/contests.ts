/** What is measured. A new primitive adds its contests here and its rows in figures.ts. */
import { blake3Contests } from './blake3-contests.ts';
import { joined } from './client/bytes.ts';
import { faultOf } from './client/checks.ts';
import { NONCE_BYTES, TAG_BYTES, type AeadName, type CipherContestant } from './client/contestants/contestant.ts';
import { auto, lanewiseEngines } from './client/contestants/lanewise.ts';
import { libsodium } from './client/contestants/libsodium.ts';
import { nobleCiphers } from './client/contestants/noble.ts';
import { nodeCrypto } from './client/node/node-crypto.ts';
import { randomBytes, type Random } from './client/random.ts';
import { checkedCase, type CheckedCase, type Contest } from './contest.ts';
import { diskContests } from './disk-contests.ts';
import { chachaKernels } from './kernels/instances.ts';
import { salsaContests } from './salsa-contests.ts';
import { serpentContests } from './serpent-contests.ts';

const KIB = 1024;
const LONG = 64 * KIB;
const BLOCK = 64;

const peers: readonly CipherContestant[] = [nobleCiphers, libsodium, nodeCrypto];
const everyone: readonly CipherContestant[] = [...lanewiseEngines, ...peers];

/** ChaCha20 is checked against node:crypto, which is checked against libsodium. */
function streamCases(
  length: number,
  contestants: readonly CipherContestant[],
  random: Random,
  id?: string,
): CheckedCase[] {
  const key = randomBytes(32, random);
  const nonce = randomBytes(12, random);
  const data = randomBytes(length, random);
  return contestants.map((contestant) => {
    const reference = contestant === nodeCrypto ? libsodium : nodeCrypto;
    const expected = joined(reference.chacha20(key, nonce)(data, new Uint8Array(length)));
    const xor = contestant.chacha20(key, nonce);
    const out = new Uint8Array(length);
    return checkedCase(contestant, length, () => xor(data, out), expected, id);
  });
}

/** AEADs likewise. Sealing and opening are contests of their own. */
function aeadCases(
  name: AeadName,
  direction: 'seal' | 'open',
  length: number,
  contestants: readonly CipherContestant[],
  random: Random,
  id?: string,
): CheckedCase[] {
  const key = randomBytes(32, random);
  const nonce = randomBytes(NONCE_BYTES[name], random);
  const plaintext = randomBytes(length, random);
  return contestants.map((contestant) => {
    const reference = contestant === nodeCrypto ? libsodium : nodeCrypto;
    const sealed = joined(reference.aead(name, key, nonce).seal(plaintext, new Uint8Array(length + TAG_BYTES)));
    const aead = contestant.aead(name, key, nonce);
    const [input, expected] = direction === 'seal' ? [plaintext, sealed] : [sealed, plaintext];
    const operation = aead[direction];
    const out = new Uint8Array(expected.length);
    return checkedCase(contestant, length, () => operation(input, out), expected, id);
  });
}

/** In linear memory, in place, without the public API. */
function kernelCases(random: Random): CheckedCase[] {
  const key = randomBytes(32, random);
  const nonce = randomBytes(12, random);
  const data = randomBytes(LONG, random);
  const expected = joined(nodeCrypto.chacha20(key, nonce)(data, new Uint8Array(LONG)));
  return chachaKernels().map((kernel) => ({
    id: kernel.name,
    bytes: LONG,
    run: () => kernel.xor(LONG / BLOCK),
    fault: () => {
      const area = kernel.area(LONG);
      area.set(data);
      kernel.start(key, nonce);
      return faultOf(() => {
        kernel.xor(LONG / BLOCK);
        return area;
      }, expected);
    },
  }));
}

/** Lengths on both sides of what fits well: the case of a length is named by it. */
export const lengths: readonly number[] = [1024, 1025, 1088, 1280, 4096, 4097, 4160];

export const KERNELS = 'ChaCha20 kernels, 64 KiB';
export const STREAM = 'ChaCha20, 64 KiB';
export const SEAL = 'ChaCha20-Poly1305, seal 64 KiB';
export const OPEN = 'ChaCha20-Poly1305, open 64 KiB';
export const SEAL_64 = 'XChaCha20-Poly1305, seal 64 B';
export const SEAL_1024 = 'XChaCha20-Poly1305, seal 1 KiB';
export const STREAM_LENGTHS = 'ChaCha20, lengths';
export const SEAL_LENGTHS = 'ChaCha20-Poly1305, seal, lengths';

const short: readonly CipherContestant[] = [auto, ...peers];

export const contests: readonly Contest[] = [
  { id: KERNELS, cases: kernelCases },
  { id: STREAM, cases: (random) => streamCases(LONG, everyone, random) },
  { id: SEAL, cases: (random) => aeadCases('chacha20poly1305', 'seal', LONG, everyone, random) },
  { id: OPEN, cases: (random) => aeadCases('chacha20poly1305', 'open', LONG, everyone, random) },
  { id: SEAL_64, cases: (random) => aeadCases('xchacha20poly1305', 'seal', 64, short, random) },
  { id: SEAL_1024, cases: (random) => aeadCases('xchacha20poly1305', 'seal', KIB, short, random) },
  {
    id: STREAM_LENGTHS,
    cases: (random) => lengths.flatMap((length) => streamCases(length, [auto], random, `${length} B`)),
  },
  {
    id: SEAL_LENGTHS,
    cases: (random) =>
      lengths.flatMap((length) => aeadCases('chacha20poly1305', 'seal', length, [auto], random, `${length} B`)),
  },
  ...blake3Contests,
  ...salsaContests,
  ...serpentContests,
  ...diskContests,
];
