/** Runs of functions that seal or authenticate at every length, and what they are to give the MAC. */
import * as map from '../../../../lanewise/src/keystream/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { forEveryLength, type Case, type Num } from '../../every-length/cases.ts';
import { byteOf, ZERO, type Content } from '../../every-length/content.ts';
import { Parameter } from '../../every-length/outline.ts';
import type { Kernel } from '../../kernels.ts';
import { decode } from '../../wasm/decode.ts';
import { exported, type DecodedModule } from '../../wasm/types.ts';
import { Sealing, type Absorbed, type Leaves, type SealingOptions } from './every-length.ts';

export interface Setting extends SealingOptions {
  readonly kernel: Kernel;
  readonly module: DecodedModule;
  readonly leaves: Leaves;
  /** The function that absorbs bytes and their padding, if there is one. */
  readonly padded?: number | undefined;
}

/** The bytes from `at` on, under the keystream from a block on if one is given, as the MAC takes them from its byte 0 on. */
export const textAt = (at: Num, stream?: Num): Content => ({
  kind: 'before',
  delta: at,
  ...(stream !== undefined && { stream }),
});

/** Parts that are alike and follow one another are one. */
export function merged({ memory }: Sealing, c: Case, parts: readonly Absorbed[]): Absorbed[] {
  const all: Absorbed[] = [];
  for (const part of parts) {
    if (!part.content.kind.startsWith('padded') && c.equal(part.from, part.to)) continue;
    const last = all.at(-1);
    if (last && last.top === part.top && memory.same(last.content, part.content))
      all[all.length - 1] = { ...last, to: part.to };
    else all.push(part);
  }
  return all;
}

/** The MAC of a text as it is: after the last byte of a block that is not whole comes a byte of 1. RFC 8439 §2.5 */
export function lastParts(c: Case, content: Content, length: Num): Absorbed[] {
  const whole = c.and(length, -16 >>> 0);
  const parts: Absorbed[] = [{ from: 0, to: whole, content, top: 1 }];
  if (c.equal(whole, length)) return parts;
  const [after, end] = [c.add(length, 1), c.add(whole, 16)];
  return [
    ...parts,
    { from: whole, to: length, content, top: 0 },
    { from: length, to: after, content: byteOf(1), top: 0 },
    { from: after, to: end, content: ZERO, top: 0 },
  ];
}

/** Runs a function at every length. */
export function atEveryLength(
  { kernel, module, leaves, ...options }: Setting,
  most: number,
  run: (sealing: Sealing, length: Num, c: Case) => void,
  least = 0,
): void {
  counted('lengths', most - least + 1);
  const cases = forEveryLength(least, most, (length, c) => {
    run(new Sealing(module, leaves, c, kernel.memoryBytes, options), length, c);
  });
  counted('cases', cases);
}

/** XORs any number of blocks, none included, going on or from the start. */
export function proveXor(setting: Setting, most: number): void {
  const rounds = new Parameter('doubleRounds');
  for (const kind of [new Parameter('kind'), 0])
    atEveryLength(setting, most, (sealing, blocks, c) => {
      if (kind === 0) sealing.begun().rounds = rounds;
      sealing.outline.call('xor', kind, rounds, map.STAGE, blocks);
      const end = c.add(map.STAGE, c.mul(64, blocks));
      sealing.memory.expect(map.STAGE, end, { kind: 'before', delta: 0, stream: c.sub(0, map.STAGE) }, 'data');
      require(c.equal(sealing.counter, blocks), () => `another counter (${c.example} blocks)`);
      sealing.memory.expect(
        c.add(end, map.MARGIN),
        setting.kernel.memoryBytes,
        { kind: 'before', delta: 0 },
        'behind data',
      );
    });
}

export const decoded = (kernel: Kernel): DecodedModule => decode(kernel.bytes);
export const functionIn = exported;
