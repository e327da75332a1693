// A page without stand-ins for AES and NH: starting from the cipher's key, their functions run where the kernel calls
// them, on the contents of memory at that moment. AES runs on bits, where each output of the S-box has a name
// (aes-claims.ts checks its rows); NH runs on terms.
import * as layout from '../../../../lanewise/src/disk/map.ts';
import type { Kernel } from '../../kernels.ts';
import { cipher, invCipher, keyExpansion } from './aes-specification.ts';
import type { Rounds } from '../chacha/specification.ts';
import { BLOCK } from './hbsh-specification.ts';
import { numberOf, variable, type Term } from '../../terms/term.ts';
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { expectNoEvents, range, secrets } from '../../claims/compare.ts';
import { requireInside, SumBytes, symbolic, type Byte } from './aes-claims.ts';
import type { Sum } from '../../bits/domain.ts';
import { derive, derivedKeys } from './key-claims.ts';
import { nhOf } from './nh-claims.ts';
import type { Part } from '../../claims/stand-ins.ts';
import { HASH_BYTES, NH_UNIT, partsOf } from './parts.ts';
import { onMachine } from '../../claims/machine.ts';
import type { Setting, Turned } from './page-claims.ts';
import type { Instead, Runnable } from '../../claims/runnable.ts';
import { symbols as w } from '../../specifications/terms.ts';
import { xchacha } from '../chacha/hchacha-specification.ts';
import { onIntegers, type PolynomialRun } from '../poly1305/run.ts';
import { requireTag } from '../poly1305/tag.ts';

const { KEY, NH_KEY, NH_KEY_BYTES, ROUND, SLICED, TWEAKED, TWEAKED_BYTES } = layout;

/**
 * The bytes of memory as bits: bytes that were made from bits are recognised, and every other byte is eight bits of its
 * own.
 */
class Bits {
  readonly sums = new SumBytes();
  readonly #bytes = new Map<Term, Byte<Sum>>();

  of(term: Term): Byte<Sum> {
    const number = numberOf(term);
    if (number !== undefined) return this.sums.byte(number);
    let byte = this.#bytes.get(term);
    if (!byte) this.#bytes.set(term, (byte = this.sums.atoms(`byte ${term.id}`, 1)[0]));
    return byte;
  }

  /** A term that stands for a byte of bits. */
  nameOf(byte: Byte<Sum>): Term {
    const name = variable(8, `bits ${byte.map(({ id }) => id).join()}`, true);
    this.#bytes.set(name, byte);
    return name;
  }
}

/** The round keys of FIPS 197, from the cipher's key. */
const roundKeys = (bits: Bits, key: readonly Term[]): Byte<Sum>[][] =>
  keyExpansion(
    bits.sums,
    key.map((byte) => bits.of(byte)),
  );

export function wholeSetting(kernel: Kernel, aesBlocks: number, keyRounds: Rounds): Setting {
  const bits = new Bits();
  const parts = partsOf(aesBlocks);
  const turned: Turned[][] = [];
  const key = secrets('key', layout.KEY_BYTES);
  const keys = derivedKeys(key, keyRounds);

  /** Runs a part on the bits of memory. */
  const onBits =
    (part: Part, ...reads: readonly (readonly [number, number])[]) =>
    (run: Runnable, ...parameters: readonly number[]): void => {
      const { machine } = symbolic(kernel, bits.sums);
      const places = part.writes(...parameters);
      for (const { from, to } of [...places, ...reads.map(([at, length]) => range(at, length))])
        machine.write(
          from,
          run.read(from, to - from).map((byte) => bits.of(byte)),
        );
      machine.call(part.name, ...parameters);
      requireInside(machine, places);
      for (const { from, to } of places)
        run.write(
          from,
          machine.read(from, to - from).map((byte) => bits.nameOf(byte)),
        );
    };
  const slicedKeys = parts.sliceKeys.writes()[0];
  const aes = (inverse: boolean) => {
    const part = inverse ? parts.decryptBlocks : parts.encryptBlocks;
    const runBits = onBits(part, [SLICED, slicedKeys.to - slicedKeys.from]);
    return (run: Runnable, address: number): void => {
      const read = (): Term[][] => Array.from({ length: aesBlocks }, (_, i) => run.read(address + BLOCK * i, BLOCK));
      const before = read();
      runBits(run, address);
      const after = read();
      turned.push(
        before.map((block, i) => ({
          inverse,
          before: block,
          after: after[i],
          tweaked: run.read(TWEAKED + TWEAKED_BYTES * i, BLOCK),
        })),
      );
    };
  };
  let polynomials: PolynomialRun | undefined;
  const instead: Instead = {
    expandKey: onBits(parts.expandKey),
    sliceKeys: onBits(parts.sliceKeys, [ROUND, layout.ROUND_BYTES]),
    encryptBlocks: aes(false),
    decryptBlocks: aes(true),
    nh(run, address, units, to) {
      const nhRun = onMachine(kernel).start({ reads: [], writes: parts.nh.writes(address, units, to) });
      nhRun.write(NH_KEY, run.read(NH_KEY, NH_KEY_BYTES));
      nhRun.write(address, run.read(address, NH_UNIT * units));
      nhRun.call('nh', address, units, to);
      expectNoEvents(nhRun, 'NH');
      run.write(to, nhRun.read(to, HASH_BYTES));
    },
  };
  return {
    turned,
    start(ranges) {
      polynomials = onIntegers(kernel).start(ranges, { instead });
      return polynomials.run;
    },
    writeKeys(run) {
      const { ranges } = run;
      run.write(KEY, key);
      derive(run, keyRounds);
      run.ranges = ranges;
      return { key, r: keys.r, nhKey: keys.nh };
    },
    hashOf: (piece) => nhOf(keys.nh, piece),
    encrypt: (words, nonce, message, rounds) =>
      xchacha(w, words, (j) => [w.word(j), w.word(0)], nonce, message, rounds),
    requireTag: (hash) => requireTag(polynomials!, { ...hash, s: [0, 1, 2, 3].map(() => w.word(0)) }),
    requireTurned({ inverse, before, after }) {
      const made = (inverse ? invCipher : cipher)(
        bits.sums,
        roundKeys(bits, keys.aes),
        before.map((byte) => bits.of(byte)),
      );
      counted('bytes', after.length);
      const matches = after.every((byte, i) => bits.of(byte).every((bit, j) => bit === made[i][j]));
      require(matches, () => `a block is not what AES-256${inverse ? ', backwards,' : ''} makes of it`);
    },
  };
}
