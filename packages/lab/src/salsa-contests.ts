/** The contests of the Salsa20 family: the lab's operations, by all who can do them. */
import { secretbox_xchacha20poly1305 } from 'lanewise/salsa.js';
import { joined } from './client/bytes.ts';
import { simd } from './client/contestants/lanewise.ts';
import type { Operation, Performer } from './client/primitives/operation.ts';
import { salsa20, secretbox } from './client/primitives/salsa.ts';
import { randomBytes, type Random } from './client/random.ts';
import { checkedCase, type CheckedCase, type Contest } from './contest.ts';

const LONG = 64 * 1024;
const TAG_BYTES = 16;

export const SALSA = 'Salsa20, 64 KiB';
export const SECRETBOX = 'secretbox, seal 64 KiB';
export const SECRETBOX_OPEN = 'secretbox, open 64 KiB';
export const SECRETBOX_64 = 'secretbox, seal 64 B';
export const OFFSET = 'XChaCha20-Poly1305 as secretbox and as AEAD, seal 64 KiB';
/** The cases of that. */
export const AS_BOX = 'secretbox';
export const AS_AEAD = 'AEAD';

type Synchronous = Extract<Performer, { readonly kind: 'synchronous' }>;

const performersOf = async ({ entrants }: Operation): Promise<readonly Synchronous[]> =>
  (await Promise.all(entrants.map(({ load }) => load())))
    .flat()
    .filter((performer): performer is Synchronous => performer.kind === 'synchronous');

const performers = new Map(
  await Promise.all(
    [salsa20, secretbox.seal, secretbox.open].map(
      async (operation) => [operation, await performersOf(operation)] as const,
    ),
  ),
);

/** What noble gives, TweetNaCl has to give, and the other way round. */
const referenceOf = (all: readonly Synchronous[], { contestant }: Synchronous): Synchronous =>
  all.find(({ contestant: { name } }) => name === (contestant.name === 'noble' ? 'tweetnacl' : 'noble'))!;

function casesOf(operation: Operation, bytes: number, random: Random): CheckedCase[] {
  const all = performers.get(operation)!;
  const key = randomBytes(operation.keyBytes, random);
  const nonce = randomBytes(operation.nonceBytes, random);
  const message = randomBytes(bytes, random);
  const bufferOf = (length: number): Uint8Array => new Uint8Array(length);
  return all.map((performer) => {
    const reference = referenceOf(all, performer);
    // A box to open is one that somebody has sealed.
    const data =
      operation === secretbox.open ? joined(sealerOf('noble').start(key, nonce)(message, bufferOf(0))) : message;
    const room = operation === secretbox.seal ? bytes + TAG_BYTES : bytes;
    const expected = joined(reference.start(key, nonce)(data, bufferOf(room)));
    const run = performer.start(key, nonce);
    const out = bufferOf(room);
    return checkedCase(performer.contestant, bytes, () => run(data, out), expected);
  });
}

const sealerOf = (wanted: string): Synchronous =>
  performers.get(secretbox.seal)!.find(({ contestant: { name } }) => name === wanted)!;

/** The same cipher and MAC: what it costs that the message begins at byte 32 of the stream. */
function offsetCases(random: Random): CheckedCase[] {
  const [key, nonce, plaintext] = [32, 24, LONG].map((length) => randomBytes(length, random));
  const out = new Uint8Array(LONG + TAG_BYTES);
  const aead = simd.aead('xchacha20poly1305', key, nonce);
  const seal = (): Uint8Array => secretbox_xchacha20poly1305(key, nonce).seal(plaintext, out);
  const { prepare } = simd;
  prepare?.();
  const boxed = joined(seal());
  const sealed = joined(aead.seal(plaintext, out));
  return [
    checkedCase({ ...simd, name: AS_BOX }, LONG, seal, boxed),
    checkedCase({ ...simd, name: AS_AEAD }, LONG, () => aead.seal(plaintext, out), sealed),
  ];
}

export const salsaContests: readonly Contest[] = [
  { id: SALSA, cases: (random) => casesOf(salsa20, LONG, random) },
  { id: SECRETBOX, cases: (random) => casesOf(secretbox.seal, LONG, random) },
  { id: SECRETBOX_OPEN, cases: (random) => casesOf(secretbox.open, LONG, random) },
  { id: SECRETBOX_64, cases: (random) => casesOf(secretbox.seal, 64, random) },
  { id: OFFSET, cases: offsetCases },
];
