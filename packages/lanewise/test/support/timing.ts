/** A target of `npm run timing`: it takes an input of a class, always in the same place, and uses it. */
import { randomFillSync } from 'node:crypto';

export interface Target {
  readonly name: string;
  /** The two classes of inputs. */
  readonly classes: string;
  /** Whether it runs on engines, and not only in JavaScript. */
  readonly engines: boolean;
  /** Puts an input of a class where `run` finds it. Not timed. */
  readonly prepare: (which: number) => void;
  readonly run: () => void;
}

export const LENGTH = 256;
export const message = new Uint8Array(LENGTH);
export const xored = new Uint8Array(LENGTH);
const fixed = new Uint8Array(32);

/** Key classes: all zeros, which is where arithmetic would be quickest, or random. */
export function keyed(name: string, run: (key: Uint8Array) => void): Target {
  const key = new Uint8Array(32);
  const prepare = (which: number): void => {
    // The same work for both classes, without a branch.
    randomFillSync(key);
    for (let i = 0; i < key.length; i++) key[i] &= -which;
  };
  return { name, classes: 'key zero, random', engines: true, prepare, run: () => run(key) };
}

/** Tags that are wrong in their first or in their last byte. */
export function tagged(name: string, tag: Uint8Array, engines: boolean, run: () => void): Target {
  const right = tag.slice();
  const prepare = (which: number): void => {
    tag.set(right);
    tag[0] ^= 0xff * (1 - which);
    tag[tag.length - 1] ^= 0xff * which;
  };
  return { name, classes: 'tag wrong in first, last byte', engines, prepare, run };
}

export const nonceOf = (length: number): Uint8Array => new Uint8Array(length).fill(7);
export const aad = message.subarray(0, 16);

interface Box {
  encrypt(plaintext: Uint8Array, out?: Uint8Array): Uint8Array;
  decrypt(ciphertext: Uint8Array, out?: Uint8Array): Uint8Array;
}
/** Encrypting under keys of both classes, and refusing a wrong tag, which is at `tagAt`. */
export function sealing(name: string, make: (key: Uint8Array) => Box, tagAt: number): Target[] {
  const sealed = make(fixed).encrypt(message);
  const box = make(fixed);
  const out = new Uint8Array(sealed.length);
  const forged = (): void => {
    try {
      box.decrypt(sealed, xored);
    } catch {
      return;
    }
    throw new Error('a forgery was opened');
  };
  return [
    keyed(`${name} encrypt`, (key) => void make(key).encrypt(message, out)),
    tagged(`${name} decrypt`, sealed.subarray(tagAt, tagAt + 16), true, forged),
  ];
}
