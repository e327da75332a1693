/** The contests of ChaCha. */
import { joined } from '../../client/bytes.ts';
import { ALWAYS, FULL, THOROUGH } from '../../client/kinds.ts';
import type { ManyCase, RoomContests, Seek, Sharing } from '../../client/room.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import { chacha12, chacha20, chacha8 } from './operations.ts';
import { lanesStudy } from './lanes-study.ts';
import { studyContests } from './study.ts';

const BLOCK = 64;
/** Positions in the keystream: the start, far from it, and half of the range of a 32-bit block counter. */
const POSITIONS = [0, 2 ** 20, 2 ** 37];
const RIVALS = ['libsodium.js', 'noble', 'node:crypto'];
const UNDER_WAY = [1, 16, 256, 4096];
/** The input block, which is the only state that a stream keeps of key and nonce. */
const STREAM_STATE_BYTES = 64;

async function seeks(random: Random): Promise<readonly Seek[]> {
  const [{ chacha20: ours }, { chacha20: noble }] = await Promise.all([
    import('lanewise/chacha.js'),
    import('@noble/ciphers/chacha.js'),
  ]);
  const [key, nonce, data] = [32, 12, BLOCK].map((bytes) => randomBytes(bytes, random));
  const out = new Uint8Array(BLOCK);
  const stream = ours.stream(key, nonce);
  return POSITIONS.map((position) => ({
    position,
    run: () => stream.seek(position).update(data, out),
    expected: noble(key, nonce, data, new Uint8Array(BLOCK), position / BLOCK),
  }));
}

/** Streams that get a block each in turn. */
async function streamsUnderWay(random: Random): Promise<readonly ManyCase[]> {
  const [{ chacha20: cipher }, { nobleCiphers }] = await Promise.all([
    import('lanewise/chacha.js'),
    import('../../client/contestants/noble.ts'),
  ]);
  const key = randomBytes(32, random);
  const nonce = randomBytes(12, random);
  const piece = randomBytes(BLOCK, random);
  const out = new Uint8Array(BLOCK);
  const expected = joined(nobleCiphers.chacha20(key, nonce)(piece, new Uint8Array(BLOCK)));
  return UNDER_WAY.map((count) => {
    const streams = Array.from({ length: count }, () => cipher.stream(key, nonce));
    let next = 0;
    return {
      id: `${count} streams`,
      operation: { ...chacha20, operation: 'update' },
      bytes: BLOCK,
      parameters: { objects: count, stateBytes: STREAM_STATE_BYTES },
      run() {
        const output = streams[next].update(piece, out);
        next = next + 1 === count ? 0 : next + 1;
        return output;
      },
      check: () => cipher.stream(key, nonce).update(piece, out),
      expected,
    };
  });
}

/** Each part is encrypted with the number of its first block as its counter. */
const sharing: Sharing = {
  operation: chacha20,
  timed: true,
  async worker() {
    const { chacha20: cipher } = await import('lanewise/chacha.js');
    return ({ data, out, key, nonce, first }) => void cipher(key, nonce, data, out, first / BLOCK);
  },
  result: (answers) => Promise.resolve(answers.map(({ data }) => new Uint8Array(data))),
};

export const contests: RoomContests = {
  order: 1,
  library: () => import('lanewise/chacha.js'),
  principal: { operation: chacha20, rivals: ['noble', 'libsodium.js'] },
  platforms: [
    { operation: chacha20, length: 65536, kinds: ALWAYS, essential: true, row: { rivals: RIVALS } },
    { operation: chacha20, length: 16384, kinds: THOROUGH },
    { operation: chacha20, length: 256, kinds: ALWAYS },
    { operation: chacha12, length: 65536, kinds: THOROUGH },
    { operation: chacha8, length: 65536, kinds: FULL },
  ],
  boundary: [{ operation: chacha20, lengths: [64, 1024, 65536], essential: 65536 }],
  aligned: chacha20,
  keys: [{ operation: chacha20, rivals: RIVALS }],
  studies: [
    {
      name: 'sets',
      operation: chacha20,
      length: 65536,
      title: 'blocks in lanes, words in memory or in locals',
      studies: ['sets', 'rows'],
      kinds: THOROUGH,
    },
    {
      name: 'sets',
      operation: chacha20,
      length: 256,
      title: 'four blocks',
      studies: ['sets', 'rows'],
      kinds: FULL,
    },
    {
      name: 'rotations',
      operation: chacha20,
      length: 65536,
      title: 'rotations by shifts, by swizzles, by relaxed swizzles',
      studies: ['rotations'],
      kinds: THOROUGH,
    },
  ],
  many: [
    {
      id: 'chacha20/update',
      operation: chacha20,
      title: 'streams in turns',
      parameters: { length: BLOCK },
      cases: streamsUnderWay,
      // Contests of many messages in one call, which only hashes have, come first.
      rank: 1,
    },
  ],
  seeks: [{ operation: chacha20, title: 'ChaCha20: one block of the keystream, wherever it is', length: BLOCK, seeks }],
  studyContests: [...studyContests, ...lanesStudy],
  sharing,
  warming: chacha20,
};
