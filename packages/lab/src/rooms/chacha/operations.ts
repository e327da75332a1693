/** ChaCha of RFC 8439 with 20, 12 and 8 rounds. */
import { unhex } from '../../client/bytes.ts';
import type { CipherContestant, MakeXor } from '../../client/contestants/contestant.ts';
import { inNode, library, natives, noble, ours } from '../../client/entrants.ts';
import { synchronous, workBy, type Entrant, type Operation, type Performer } from '../../client/operation.ts';
import { aesCtr } from '../others/operations.ts';

type Name = 'chacha20' | 'chacha12' | 'chacha8';

/**
 * TC8 of draft-strombergson-chacha-test-vectors-01 with a key of 256 bits: counter 0 and a nonce of 8 bytes, which
 * equals the RFC's nonce of 12 bytes with four leading zeros.
 */
const keystreams: Readonly<Record<Name, string>> = {
  chacha20:
    'f63a89b75c2271f9368816542ba52f06ed49241792302b00b5e8f80ae9a473afc25b218f519af0fdd406362e8d69de7f54c604a6e00f353f110f771bdca8ab92',
  chacha12:
    '1482072784bc6d06b4e73bdc118bc0103c7976786ca918e06986aa251f7e9cc1b2749a0a16ee83b4242d2e99b08d7c20092b80bc466c87283b61b1b39d0ffbab',
  chacha8:
    '838751b42d8ddd8a3d77f48825a2ba752cf4047cb308a5978ef274973be374c96ad848065871417b08f034e681fe46a93f7d5c61d1306614d4aaf257a7cff08b',
};

const one = (contestant: CipherContestant): Performer => synchronous(contestant, contestant.chacha20);
const byNoble = async (name: Name): Promise<MakeXor> =>
  (await import('../../client/contestants/noble.ts')).nobleCiphers[name];
/** All other libraries have 20 rounds only. */
const others: readonly Entrant[] = [
  library('libsodium.js', async () => one((await import('../../client/contestants/libsodium.ts')).libsodium)),
  library('stablelib', async () => one((await import('../../client/contestants/stablelib.ts')).stablelib)),
  inNode('node:crypto', ({ nodeCrypto }) => one(nodeCrypto)),
  natives('chacha20', ['libsodium', 'libgcrypt']),
];

const encrypt = (name: Name, primitive: string, beside: readonly Operation[] = []): Operation => ({
  id: `${name}/encrypt`,
  primitive,
  operation: 'encrypt',
  work: workBy(() => byNoble(name)),
  entrants: [
    ours(async () => (await import('../../client/contestants/lanewise.ts')).auto[name]),
    noble(() => byNoble(name)),
    ...(name === 'chacha20' ? others : []),
  ],
  knownAnswer: {
    key: unhex('c46ec1b18ce8a878725a37e780dfb7351f68ed2e194c79fbc6aebee1a667975d'),
    nonce: unhex('000000001ada31d5cf688221'),
    data: new Uint8Array(64),
    expected: unhex(keystreams[name]),
  },
  beside,
});

export const chacha20 = encrypt('chacha20', 'ChaCha20', [aesCtr]);
export const chacha12 = encrypt('chacha12', 'ChaCha12');
export const chacha8 = encrypt('chacha8', 'ChaCha8');

export const operations: readonly Operation[] = [chacha20, chacha12, chacha8];
