/** OCB's `seal` and `open` at every length: which functions they call, with which parameters, and that nothing changes in between. */
import * as layout from '../../../../lanewise/src/serpent/map.ts';
import { counted } from '../../claims/amounts.ts';
import { require } from '../../claims/claim.ts';
import { forEveryLength, type Case, type Num } from '../../every-length/cases.ts';
import { UNKNOWN } from '../../every-length/content.ts';
import { Data, isNumber, Outline, Parameter, type Contract, type Value } from '../../every-length/outline.ts';
import { exported } from '../../wasm/types.ts';
import type { Setting } from './induction.ts';

const { AAD, AAD_BYTES, BLOCK, CHECKSUM, OFFSET, ROUND, SETS, STAGE, STAGE_BYTES, STAR, STRETCH, SUM, TAG } = layout;

/** A message in one call, put together of the functions that ocb-induction.ts is about. */
class Message {
  readonly outline: Outline;
  readonly calls: string[] = [];
  readonly #case: Case;
  readonly verdict = new Data('verdict');

  constructor({ module, kernel }: Setting, c: Case, aad: Value, bottom: Value, length: Num) {
    this.#case = c;
    const index = (name: string): number => exported(module, name).index;
    const contract =
      (name: string, expected: readonly Value[], effect: () => Value | undefined): Contract =>
      (outline, parameters) => {
        const same = expected.every((x, i) => this.#same(x, parameters[i]));
        if (!same) throw outline.failure(`${name} is called with other parameters`);
        this.calls.push(name);
        return effect();
      };
    const before = { kind: 'before', delta: 0 };
    const put = (from: number, to: number, kind: string): void => {
      this.outline.memory.put(from, to, { kind, delta: 0 });
    };
    const expect = (from: number, to: number, kind: string): void => {
      this.outline.memory.expect(from, to, { kind, delta: 0 }, kind);
    };
    const block = (of: (from: number, to: number, kind: string) => void, at: number, kind: string): void => {
      of(at, at + BLOCK, kind);
    };
    /** Every part uses the round keys and the values L, and the work areas. */
    const uses = (): void => {
      expect(ROUND, ROUND + 33 * BLOCK, 'begun');
      expect(STAR, OFFSET, 'begun');
      this.outline.memory.put(SETS, STAR, UNKNOWN);
    };
    const end = c.add(STAGE, length);
    const message = (): undefined => {
      uses();
      block(expect, CHECKSUM, 'begun');
      this.outline.memory.expect(STAGE, end, before, 'the message');
      this.outline.memory.put(STAGE, c.add(STAGE, c.and(c.add(length, BLOCK - 1), -BLOCK >>> 0)), UNKNOWN);
      this.outline.memory.put(STAGE, end, { kind: 'made', delta: c.sub(0, STAGE) });
      block(put, CHECKSUM, 'checksum');
      block(put, OFFSET, 'offset');
    };
    const begin = (): undefined => {
      expect(layout.KEY, ROUND, 'before');
      expect(STRETCH, OFFSET, 'before');
      put(ROUND, TAG, 'begun');
    };
    const hash = (): undefined => {
      uses();
      block(expect, OFFSET, 'begun');
      block(expect, SUM, 'begun');
      expect(AAD, AAD + AAD_BYTES, 'before');
      this.outline.memory.put(AAD, AAD + AAD_BYTES, UNKNOWN);
      // The message begins with an offset of its own.
      this.outline.memory.put(OFFSET, OFFSET + BLOCK, UNKNOWN);
      block(put, SUM, 'sum');
    };
    const finish = (): undefined => {
      uses();
      block(expect, OFFSET, 'offset');
      block(expect, CHECKSUM, 'checksum');
      block(expect, SUM, 'sum');
      this.outline.memory.put(CHECKSUM, CHECKSUM + BLOCK, { kind: 'tag', delta: c.sub(0, CHECKSUM) });
    };
    const verify = (): Value => {
      this.outline.memory.expect(CHECKSUM, CHECKSUM + BLOCK, { kind: 'tag', delta: c.sub(0, CHECKSUM) }, 'the tag');
      this.outline.memory.expect(TAG, TAG + BLOCK, { kind: 'before', delta: c.sub(end, TAG) }, 'the given tag');
      return this.verdict;
    };
    this.outline = new Outline(
      module,
      c,
      kernel.memoryBytes,
      new Map<number, Contract>([
        [index('begin'), contract('begin', [bottom], begin)],
        [index('hash'), contract('hash', [AAD, 0, aad], hash)],
        [index('encrypt'), contract('encrypt', [0, length], message)],
        [index('decrypt'), contract('decrypt', [0, length], message)],
        [index('finish'), contract('finish', [], finish)],
        [index('verify'), contract('verify', [], verify)],
      ]),
    );
  }

  #same(x: Value, y: Value): boolean {
    return x === y || (isNumber(x) && isNumber(y) && this.#case.equal(x, y));
  }
}

export function proveMessages(setting: Setting, name: 'seal' | 'open'): void {
  counted('lengths', STAGE_BYTES + 1);
  const cases = forEveryLength(0, STAGE_BYTES, (length, c) => {
    for (const aad of [0, new Parameter('aadLength')]) {
      const bottom = new Parameter('bottom');
      const message = new Message(setting, c, aad, bottom, length);
      const { memory } = message.outline;
      const result = message.outline.call(name, bottom, aad, length);
      const end = c.add(STAGE, length);
      const order =
        name === 'seal' ? ['begin', 'hash', 'encrypt', 'finish'] : ['begin', 'hash', 'decrypt', 'finish', 'verify'];
      require(message.calls.join() === order.join(), () =>
        `${name} (length ${c.example}): ${message.calls.join(', ')}`);
      memory.expect(STAGE, end, { kind: 'made', delta: c.sub(0, STAGE) }, 'text');
      if (name === 'seal') memory.expect(end, c.add(end, BLOCK), { kind: 'tag', delta: c.sub(0, end) }, 'tag');
      else require(result === message.verdict, () => 'the result is not the verdict');
      memory.expect(layout.KEY, ROUND, { kind: 'before', delta: 0 }, 'the key');
    }
  });
  counted('cases', cases);
}
