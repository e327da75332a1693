/** The contests of BLAKE3. */
import { joined } from '../../client/bytes.ts';
import { ALWAYS, FULL, THOROUGH } from '../../client/kinds.ts';
import { randomBytes, type Random } from '../../client/random.ts';
import type { ManyCase, RoomContests, Seek, Sharing } from '../../client/room.ts';
import { WIDTHS, widthsContests } from '../../client/study-contests.ts';
import { threads } from './threads.ts';
import { blake3, blake3Keyed, blake3Output, blake3Pieces } from './operations.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Plain JavaScript takes tens of milliseconds for such messages, and is measured with shorter ones. */
const without = ['noble', 'stablelib'];

/** Digests are allocated. */
const rivals = ['fuzdev', 'blake3-jit', 'hash-wasm', 'noble', 'native SSE4.1', 'native AVX-512'];
const row = { rivals, result: 'allocated' } as const;

const BLOCK = 64;
const AT_ONCE = 64;
const UNDER_WAY = [1, 16, 256, 4096];

async function seeks(random: Random): Promise<readonly Seek[]> {
  const [{ blake3: ours }, { blake3: noble }] = await Promise.all([
    import('lanewise/blake3.js'),
    import('@noble/hashes/blake3.js'),
  ]);
  const message = randomBytes(BLOCK, random);
  const out = new Uint8Array(BLOCK);
  const hasher = ours.create().update(message);
  return [0, 2 ** 20].map((position) => ({
    position,
    run: () => hasher.seek(position).xofInto(out),
    // The reference cannot seek: it computes all output up to the block.
    expected: noble(message, { dkLen: position + BLOCK }).subarray(position),
  }));
}

/** The digests of all messages, in one call and one after the other. */
async function together(length: number, random: Random): Promise<readonly ManyCase[]> {
  const [{ hashMany }, { nobleBlake3 }, { auto }] = await Promise.all([
    import('lanewise/blake3.js'),
    import('../../client/contestants/noble.ts'),
    import('../../client/contestants/lanewise.ts'),
  ]);
  const messages = Array.from({ length: AT_ONCE }, () => randomBytes(length, random));
  const expected = joined(messages.map((message) => nobleBlake3.hash(message)));
  const common = { operation: blake3, bytes: AT_ONCE * length, expected } as const;
  const all = () => hashMany(messages);
  const each = () => messages.map((message) => auto.hash(message));
  return [
    { ...common, id: 'one call', parameters: { together: true }, run: all, check: all },
    { ...common, id: 'one after the other', parameters: { together: false }, run: each, check: each },
  ];
}

/** Hashers that get a block each in turn. */
async function hashersUnderWay(random: Random): Promise<readonly ManyCase[]> {
  const [{ blake3: hash }, { nobleBlake3 }] = await Promise.all([
    import('lanewise/blake3.js'),
    import('../../client/contestants/noble.ts'),
  ]);
  const piece = randomBytes(BLOCK, random);
  return UNDER_WAY.map((count) => {
    const hashers = Array.from({ length: count }, () => hash.create().update(piece));
    let next = 0;
    return {
      id: `${count} hashers`,
      operation: { ...blake3, operation: 'update' },
      bytes: BLOCK,
      parameters: { objects: count, stateBytes: hashers[0].save().length },
      run() {
        const hasher = hashers[next].update(piece);
        next = next + 1 === count ? 0 : next + 1;
        return hasher;
      },
      check: () => hash.create().update(piece).update(piece).digest(),
      expected: nobleBlake3.hash(joined([piece, piece])),
    };
  });
}

/** The parts are subtrees, whose chaining values are merged by the main thread. */
const sharing: Sharing = {
  operation: blake3,
  async worker() {
    const { blake3: hash, subtree } = await import('lanewise/blake3.js');
    return ({ data, first, whole }) => (whole ? { digest: hash(data) } : { part: subtree(data, { offset: first }) });
  },
  async result(answers) {
    const { merge, root, subtreeFrom } = await import('lanewise/blake3.js');
    type Subtree = Parameters<typeof subtreeFrom>[0];
    const found = answers.map((answer) => answer.found as { digest?: Uint8Array; part?: Subtree });
    if (found[0].digest) return [found[0].digest];
    let parts = found.map(({ part }) => subtreeFrom(part!));
    while (parts.length > 2) parts = parts.flatMap((left, i) => (i % 2 === 0 ? [merge(left, parts[i + 1])] : []));
    return [root(parts[0], parts[1])];
  },
};

export const contests: RoomContests = {
  studyContests: widthsContests(blake3, WIDTHS),
  order: 4,
  library: () => import('lanewise/blake3.js'),
  principal: { operation: blake3, rivals: ['hash-wasm', 'fuzdev'] },
  platforms: [
    { operation: blake3, length: 96, kinds: ALWAYS, row },
    { operation: blake3, length: 512, kinds: THOROUGH },
    { operation: blake3, length: KIB, kinds: THOROUGH },
    { operation: blake3, length: 32 * KIB, kinds: THOROUGH },
    { operation: blake3, length: 64 * KIB, kinds: ALWAYS, essential: true, row: { ...row, shown: true } },
    { operation: blake3, length: 256 * KIB, kinds: THOROUGH, without },
    { operation: blake3, length: MIB, kinds: THOROUGH, without },
    { operation: blake3Keyed, length: 64 * KIB, kinds: FULL },
    { operation: blake3Pieces, length: 64 * KIB, kinds: THOROUGH },
    { operation: blake3Output, length: 16 * KIB, kinds: THOROUGH },
  ],
  boundary: [{ operation: blake3, lengths: [64, 1024, 65536] }],
  many: [
    ...[32, 64, 256, 1024].map((length) => ({
      id: `${blake3.id}/${length}`,
      operation: blake3,
      title: `${AT_ONCE} messages of ${length} bytes`,
      parameters: { length, messages: AT_ONCE },
      cases: (random: Random) => together(length, random),
    })),
    {
      id: 'blake3/update',
      operation: blake3,
      title: 'hashers in turns',
      parameters: { length: BLOCK },
      cases: hashersUnderWay,
    },
  ],
  seeks: [{ operation: blake3Output, title: 'BLAKE3: one block of the output, wherever it is', length: BLOCK, seeks }],
  sharing,
  threads,
  firstMessage: {
    primitive: 'BLAKE3',
    done: 'hashed',
    name: 'blake3',
    from: { lanewise: 'lanewise/blake3.js', noble: '@noble/hashes/blake3.js' },
    call: 'blake3(message)',
  },
  firstCalls: [
    {
      operation: blake3,
      lengths: [64, 65536],
      async prepare() {
        const { blake3: hash } = await import('lanewise/blake3.js');
        return (message) => hash(message);
      },
    },
  ],
  warming: blake3,
};
