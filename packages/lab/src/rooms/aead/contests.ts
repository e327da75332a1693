/** The contests of ChaCha20-Poly1305 and XChaCha20-Poly1305. */
import { ALWAYS, FULL, THOROUGH } from '../../client/kinds.ts';
import { randomBytes } from '../../client/random.ts';
import type { RoomContests } from '../../client/room.ts';
import { chacha20poly1305, xchacha20poly1305, xchacha20poly1305Allocated } from './operations.ts';

const row = { rivals: ['libsodium.js', 'noble', 'node:crypto'] };

const weaving = {
  name: 'weaving',
  operation: chacha20poly1305.seal,
  title: 'the MAC woven into the cipher, or behind it',
  studies: ['weaving'],
  kinds: THOROUGH,
} as const;

export const contests: RoomContests = {
  order: 2,
  principal: { operation: xchacha20poly1305.seal, rivals: ['noble', 'libsodium.js'] },
  platforms: [
    { operation: chacha20poly1305.seal, length: 65536, kinds: THOROUGH, row: { ...row, shown: true } },
    { operation: chacha20poly1305.seal, length: 1024, kinds: FULL },
    { operation: xchacha20poly1305.seal, length: 65536, kinds: ALWAYS, essential: true },
    { operation: xchacha20poly1305.seal, length: 1024, kinds: THOROUGH, row: { ...row, shown: true } },
    { operation: xchacha20poly1305.seal, length: 64, kinds: ALWAYS, row },
    { operation: xchacha20poly1305Allocated, length: 1024, kinds: THOROUGH, row },
    { operation: xchacha20poly1305Allocated, length: 64, kinds: THOROUGH, row },
  ],
  boundary: [{ operation: chacha20poly1305.seal, lengths: [64, 1024, 65536] }],
  direction: [
    { name: 'chacha20poly1305', directions: chacha20poly1305, length: 1024, kinds: FULL },
    { name: 'chacha20poly1305', directions: chacha20poly1305, length: 65536, kinds: THOROUGH },
    { name: 'chacha20poly1305', directions: chacha20poly1305, length: 2 ** 24, kinds: FULL },
    { name: 'xchacha20poly1305', directions: xchacha20poly1305, length: 1024, kinds: ALWAYS },
    { name: 'xchacha20poly1305', directions: xchacha20poly1305, length: 65536, kinds: FULL },
  ],
  keys: [{ operation: xchacha20poly1305.seal }],
  studies: [
    { ...weaving, length: 65536 },
    { ...weaving, length: 1024 },
  ],
  firstMessage: {
    primitive: 'XChaCha20-Poly1305',
    done: 'sealed',
    name: 'xchacha20poly1305',
    from: { lanewise: 'lanewise/chacha.js', noble: '@noble/ciphers/chacha.js' },
    call: 'xchacha20poly1305(new Uint8Array(32), new Uint8Array(24)).encrypt(message)',
  },
  firstCalls: [
    {
      operation: xchacha20poly1305.seal,
      lengths: [64, 65536],
      async prepare(random) {
        const { xchacha20poly1305: cipher } = await import('lanewise/chacha.js');
        const [key, nonce] = [randomBytes(32, random), randomBytes(24, random)];
        return (message) => cipher(key, nonce).encrypt(message);
      },
    },
  ],
};
