/**
 * OCB3 with Serpent, RFC 7253: offsets, additional data, the message and its tag. The memory map is serpent.ts's.
 *
 * Offsets are made for sixteen blocks at a time, which begin with block number 16·k + 1. The first fifteen of these
 * numbers always have the same trailing zeros, so only those of the last are counted.
 */
import { copy, fill, loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Callable } from '../wasm/module.ts';
import type { Local, Statement } from '../wasm/types.ts';
import { WORDS, type Blocks, type Schedule } from './kernel.ts';
import { AAD, BLOCK, CHECKSUM, STAGE, DOLLAR, L, OFFSET, OFFSETS, STAR, STRETCH, SUM, TAG, WORK } from './map.ts';
import { eachRow, GROUP, reversed, type Cipher, type Row } from './rows.ts';
import { equalBlocks } from '../words/arithmetic.ts';

/** L_0 to L_31: block numbers have 32 bits. */
const DOUBLES = 32;

export interface Ocb extends Cipher {
  readonly schedule: Schedule;
  /** For one block. */
  readonly one: Blocks;
}

const clear = (address: number): Statement[] => [0, 4, 8, 12].map((at) => i32.store(0, address + at, 0));
/**
 * §4.1: the values L of a key; §4.2, §4.3: the first offset of a nonce. `bottom` is the number in the nonce's last six
 * bits.
 */
const defineBegin = ({ module, one, schedule }: Ocb): Callable<['i32'], undefined> =>
  module.define('begin', ['i32'], undefined, (frame, bottom) => {
    const words = frame.locals('i32', WORDS);
    const address = frame.local('i32');
    const carry = frame.local('i32');
    const word = frame.local('i32');
    /** The words of a block as one number, the first word the highest. */
    const stretch = (w: number): number => STRETCH + 4 * w;
    return [
      schedule(),
      ...[STAR, OFFSET, CHECKSUM, SUM].flatMap(clear),
      one(STAR, STAR, 1),
      ...words.flatMap((local, w) => [set(local, i32.load(0, STAR + 4 * w)), set(local, reversed(local))]),
      // L_$ is twice L_*, L_0 twice L_$, and so on: 128-bit numbers that are shifted, and reduced by x^7 + x^2 + x + 1.
      loop(
        sequence(
          set(carry, i32.shr_u(words[0], 31)),
          ...words.slice(1).map((next, w) => set(words[w], i32.or(i32.shl(words[w], 1), i32.shr_u(next, 31)))),
          set(words[3], i32.xor(i32.shl(words[3], 1), i32.mul(carry, 0x87))),
          ...words.map((local, w) => i32.store(address, DOLLAR + 4 * w, reversed(local))),
        ),
        i32.lt_u(tee(address, i32.add(address, BLOCK)), BLOCK * (DOUBLES + 1)),
      ),
      // Ktop, and after it the XOR of its first eight bytes with those from its second byte on.
      one(STRETCH, STRETCH, 1),
      ...[0, 1, 2, 3].flatMap((w) => [set(word, i32.load(0, stretch(w))), i32.store(0, stretch(w), reversed(word))]),
      ...[0, 1].map((w) => {
        const [x, next] = [i32.load(0, stretch(w)), i32.load(0, stretch(w + 1))];
        return i32.store(0, stretch(4 + w), i32.xor(x, i32.or(i32.shl(x, 8), i32.shr_u(next, 24))));
      }),
      // The offset is the 128 bits from bit `bottom` on of these 192 bits.
      set(address, i32.and(i32.shr_u(bottom, 3), 4)),
      set(bottom, i32.and(bottom, 31)),
      ...[0, 1, 2, 3].flatMap((w) => [
        set(
          word,
          i32.or(
            i32.shl(i32.load(address, stretch(w)), bottom),
            // The shift by 32 - `bottom` takes two steps, because i32 cannot shift by 32.
            i32.shr_u(i32.shr_u(i32.load(address, stretch(w + 1)), 1), i32.xor(bottom, 31)),
          ),
        ),
        i32.store(0, stretch(w), reversed(word)),
      ]),
    ];
  });

/** (number): the offsets of the sixteen blocks after block `number`. §4.2 */
const defineOffsets = ({ module, sum }: Ocb): Callable<['i32'], undefined> =>
  module.define(undefined, ['i32'], undefined, (frame, number) => {
    const address = frame.local('i32');
    const odd = frame.local('i32');
    const place = (i: number): Row => [0, i ? OFFSETS + BLOCK * (i - 1) : OFFSET];
    const trailingZeros = (n: number): number => 31 - Math.clz32(n & -n);
    return [
      ...Array.from({ length: GROUP - 1 }, (_, i) =>
        sum(place(i + 1), place(i), [0, L + BLOCK * trailingZeros(i + 1)]),
      ),
      // ntz(number + 16) = 4 + ntz(number / 16 + 1)
      set(number, i32.add(i32.shr_u(number, 4), 1)),
      set(address, i32.value(3 * BLOCK)),
      loop(
        sequence(
          set(address, i32.add(address, BLOCK)),
          set(odd, i32.and(number, 1)),
          set(number, i32.shr_u(number, 1)),
        ),
        i32.eqz(odd),
      ),
      sum(place(GROUP), place(GROUP - 1), [address, L]),
    ];
  });

/** (address, number, blocks): the work on one or more whole blocks. */
type Part = Callable<['i32', 'i32', 'i32'], undefined>;

/**
 * Blocks in groups: the steps on each row before and after the cipher, given its place in the message and its offset
 * from WORK.
 */
const definePart = (
  { module, sum }: Ocb,
  offsets: Callable<['i32'], undefined>,
  crypt: Blocks,
  before: (block: Row, work: Row, offset: Row) => Statement[],
  after: (block: Row, work: Row, offset: Row) => Statement[],
): Part =>
  module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, address, number, blocks) => {
    const [count, row, end, block] = frame.locals('i32', 4);
    const rows = (body: typeof before): Statement =>
      sequence(
        set(block, address),
        eachRow(row, end, count, ...body([block, 0], [row, WORK], [row, OFFSETS]), set(block, i32.add(block, BLOCK))),
      );
    return [
      loop(
        sequence(
          set(count, i32.value(GROUP)),
          when(i32.lt_u(blocks, GROUP), set(count, blocks)),
          offsets(number),
          rows(before),
          crypt(WORK, WORK, count),
          rows(after),
          sum([0, OFFSET], [i32.shl(count, 4), OFFSETS - BLOCK]),
          set(address, block),
          set(number, i32.add(number, GROUP)),
        ),
        tee(blocks, i32.sub(blocks, count)),
      ),
    ];
  });

/**
 * Pads the last bytes of a message with a one and zeros, up to the end of the block that begins at `block`. §4.1, §4.2
 */
const padded = (block: Local<'i32'>, left: Local<'i32'>): Statement =>
  sequence(
    i32.store8(i32.add(block, left), 0, 0x80),
    fill(i32.add(i32.add(block, left), 1), 0, i32.sub(BLOCK - 1, left)),
  );

/** Exports OCB, as serpent/module.ts describes it. */
export function defineOcb(ocb: Ocb): void {
  const { module, sum, encrypt, decrypt, one } = ocb;
  const begin = defineBegin(ocb);
  const offsets = defineOffsets(ocb);
  const masked = (block: Row, work: Row, offset: Row): Statement[] => [sum(work, block, offset)];
  const checked = (block: Row): Statement => sum([0, CHECKSUM], [0, CHECKSUM], block);
  const parts = {
    hash: definePart(ocb, offsets, encrypt, masked, (_, work) => [sum([0, SUM], [0, SUM], work)]),
    encrypt: definePart(
      ocb,
      offsets,
      encrypt,
      (block, work, offset) => [checked(block), ...masked(block, work, offset)],
      (block, work, offset) => [sum(block, work, offset)],
    ),
    decrypt: definePart(ocb, offsets, decrypt, masked, (block, work, offset) => [
      sum(block, work, offset),
      checked(block),
    ]),
  };

  /** (address, number, length): a part whose last block may be cut short; then it is the last part. */
  const defineWhole = (
    name: string | undefined,
    part: Part,
    last: (block: Local<'i32'>, left: Local<'i32'>) => Statement[],
  ): Part =>
    module.define(name, ['i32', 'i32', 'i32'], undefined, (frame, address, number, length) => {
      const blocks = frame.local('i32');
      const left = frame.local('i32');
      return [
        set(blocks, i32.shr_u(length, 4)),
        set(left, i32.and(length, BLOCK - 1)),
        when(blocks, part(address, number, blocks)),
        set(address, i32.add(address, i32.shl(blocks, 4))),
        when(left, sequence(sum([0, OFFSET], [0, OFFSET], [0, STAR]), ...last(address, left))),
      ];
    });
  const hash = defineWhole('hash', parts.hash, (block, left) => [
    padded(block, left),
    sum([0, WORK], [block, 0], [0, OFFSET]),
    one(WORK, WORK, 1),
    sum([0, SUM], [0, SUM], [0, WORK]),
  ]);
  const pad = sequence(sum([0, WORK], [0, OFFSET]), one(WORK, WORK, 1));
  const encryptPart = defineWhole(undefined, parts.encrypt, (block, left) => [
    pad,
    padded(block, left),
    checked([block, 0]),
    sum([block, 0], [block, 0], [0, WORK]),
  ]);
  const decryptPart = defineWhole(undefined, parts.decrypt, (block, left) => [
    pad,
    sum([block, 0], [block, 0], [0, WORK]),
    padded(block, left),
    checked([block, 0]),
  ]);
  const defineMessage = (name: string, whole: Part) =>
    module.define(name, ['i32', 'i32'], undefined, (_, number, length) => [
      when(i32.eqz(number), sum([0, OFFSET], [0, STRETCH])),
      whole(STAGE, number, length),
    ]);
  const encryptMessage = defineMessage('encrypt', encryptPart);
  const decryptMessage = defineMessage('decrypt', decryptPart);
  const finish = module.define('finish', [], undefined, () => [
    sum([0, CHECKSUM], [0, CHECKSUM], [0, OFFSET], [0, DOLLAR]),
    one(CHECKSUM, CHECKSUM, 1),
    sum([0, CHECKSUM], [0, CHECKSUM], [0, SUM]),
  ]);
  const verify = module.define('verify', [], 'i32', (_) => [
    equalBlocks(
      (at) => i32.load(0, CHECKSUM + at),
      (at) => i32.load(0, TAG + at),
    ),
  ]);
  module.define('seal', ['i32', 'i32', 'i32'], undefined, (_, bottom, aadLength, length) => [
    begin(bottom),
    hash(AAD, 0, aadLength),
    encryptMessage(0, length),
    finish(),
    copy(i32.add(STAGE, length), CHECKSUM, BLOCK),
  ]);
  module.define('open', ['i32', 'i32', 'i32'], 'i32', (_, bottom, aadLength, length) => [
    copy(TAG, i32.add(STAGE, length), BLOCK),
    begin(bottom),
    hash(AAD, 0, aadLength),
    decryptMessage(0, length),
    finish(),
    verify(),
  ]);
}
