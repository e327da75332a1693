/** ChaCha and Salsa20: calls, and streams that go on and seek. By OpenSSL, libsodium and noble, or by the book. */
import * as chacha from '../../../src/chacha.ts';
import * as salsa from '../../../src/salsa.ts';
import * as oracles from '../oracles.ts';
import * as salsaOracles from '../salsa.ts';
import { streamNames } from '../stream-names.ts';
import type { Family } from './actor.ts';

interface Raw {
  readonly name: string;
  readonly cipher: chacha.StreamCipher;
  readonly rounds: 8 | 12 | 20;
  /** The other implementation's result, from a block on. */
  readonly keystream: (key: Uint8Array, nonce: Uint8Array, counter: bigint, length: number) => Uint8Array;
  readonly keyLengths: readonly number[];
}

const BLOCK = 64;
const roundsOf = (name: string): 8 | 12 | 20 => Number(/\d+/.exec(name)) as 8 | 12 | 20;

const chachas = streamNames.map((name): Raw => {
  const rounds = roundsOf(name);
  return {
    name,
    cipher: chacha[name],
    rounds,
    keystream: (key, nonce, counter, length) => oracles.keystream(key, nonce, rounds, counter, length),
    keyLengths: name.endsWith('orig') ? [16, 32] : [32],
  };
});

/** Other implementations have fewer rounds from block 0 on only, and not with long nonces. */
const salsas = (['salsa20', 'xsalsa20', 'salsa12', 'salsa8'] as const).map((name): Raw => {
  const rounds = roundsOf(name);
  const keystream: Raw['keystream'] = (key, nonce, counter, length) => {
    if (rounds === 20) return salsaOracles.salsa20(key, nonce, new Uint8Array(length), counter);
    const skip = BLOCK * Number(counter);
    return salsaOracles.reduced(rounds, key, nonce, new Uint8Array(skip + length)).subarray(skip);
  };
  return { name, cipher: salsa[name], rounds, keystream, keyLengths: name === 'salsa20' ? [16, 32] : [32] };
});

const raws = [...chachas, ...salsas];
/** The length above which the other implementation is too slow. */
const SLOW = 20_000;
const LONGEST = 250_000;

export const stream: Family = (kit) => {
  const { random } = kit;
  const { name, cipher, rounds, keystream, keyLengths } = random.pick(raws);
  const key = random.bytes(random.pick(keyLengths));
  const nonce = random.bytes(cipher.nonceLength);
  const native = rounds === 20 && key.length === 32;
  // The low half of a counter of 64 bits carries now and then.
  const far = native && cipher.nonceLength !== 12 && random.once(3);
  const counter = far ? 2n ** 32n - BigInt(random.below(30)) : BigInt(random.below(20));
  const object = cipher.stream(kit.given(key), kit.given(nonce), counter);
  const length = (): number => kit.length(native ? LONGEST : SLOW);
  const xored = (data: Uint8Array, from: bigint, skip: number): Uint8Array => {
    const key64 = data.length ? keystream(key, nonce, from, skip + data.length).subarray(skip) : data;
    return data.map((byte, i) => byte ^ key64[i]);
  };

  let position = 0;
  const steps = [
    () => {
      const data = random.bytes(length());
      const [block, skip] = [Math.floor(position / BLOCK), position % BLOCK];
      const expected = xored(data, counter + BigInt(block), skip);
      kit.apply(`update at ${position}`, data, data.length, expected, (input, out) =>
        object.update(input, out as Uint8Array),
      );
      position += data.length;
    },
    () => {
      position = random.below(4000);
      object.seek(random.once(2) ? position : BigInt(position));
    },
    () => {
      const data = random.bytes(length());
      const from = counter + BigInt(random.below(5));
      const call = (input: Uint8Array, out: Uint8Array | undefined): Uint8Array =>
        cipher(kit.given(key), kit.given(nonce), input, out as Uint8Array, from);
      kit.apply(`a call from block ${from}`, data, data.length, xored(data, from, 0), call);
    },
  ];
  return {
    name: `${name} with ${key.length} bytes of key, from block ${counter}`,
    step() {
      if (!random.once(15)) {
        random.pick([steps[0], steps[0], ...steps])();
        return true;
      }
      object.destroy();
      kit.refused(() => object.update(random.bytes(5)), /^cannot use .* after destroy\(\)/, 'after destroy()');
      return false;
    },
  };
};
