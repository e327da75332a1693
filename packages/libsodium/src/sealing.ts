/** Messages under one key and nonce: checks that all AEADs of the original share, and the library's objects that do the work. */
import { sizeOf } from '../../drop-ins/src/message.ts';
import { openInto, TAG_BYTES, type Sealing } from '../../lanewise/src/calls/aead.ts';
import type { Conversions } from './conversions.ts';

export { TAG_BYTES, type Sealing };

type Formatted = Uint8Array | string;

type Given = Sealing | undefined;

/**
 * Each gives undefined for a call that is the original's: for arguments that the original refuses, which a missing sealing stands for, too,
 * and for short messages.
 */
export interface Messages {
  /** Ciphertext and tag in one. */
  readonly sealed: (message: unknown, format: unknown, sealing: Given) => Formatted | undefined;
  readonly detached: (
    message: unknown,
    format: unknown,
    sealing: Given,
  ) => { readonly ciphertext: Formatted; readonly mac: Formatted } | undefined;
  /** Throws Error with the message `failure` for a forgery. */
  readonly opened: (ciphertext: unknown, format: unknown, sealing: Given, failure: string) => Formatted | undefined;
  readonly openedDetached: (
    ciphertext: unknown,
    mac: unknown,
    format: unknown,
    sealing: Given,
    failure: string,
  ) => Formatted | undefined;
}

/** @param shortest - The length of the shortest message that is ours. */
export function messagesOf({ bytesOf, exactly, isFormat, formatted }: Conversions, shortest = 0): Messages {
  /** Lends a sealing to one message, then wipes its key. */
  const using = <Result>(sealing: Given, work: (sealing: Sealing) => Result): Result | undefined => {
    try {
      return sealing && work(sealing);
    } finally {
      sealing?.wipe();
    }
  };

  const open = (
    sealing: Sealing,
    ciphertext: Uint8Array,
    length: number,
    tag: Uint8Array | undefined,
    failure: string,
  ): Uint8Array => {
    const out = new Uint8Array(length);
    if (!openInto(sealing, ciphertext, length, tag, out, true)) throw new Error(failure);
    return out;
  };

  return {
    sealed: (message, format, given) =>
      using(given, (sealing) => {
        const bytes = bytesOf(message);
        const length = bytes ? sizeOf(bytes) : -1;
        if (!bytes || length < shortest || !isFormat(format)) return undefined;
        const out = new Uint8Array(length + TAG_BYTES);
        sealing.seal(bytes, length, out, undefined);
        return formatted(out, format);
      }),
    detached: (message, format, given) =>
      using(given, (sealing) => {
        const bytes = bytesOf(message);
        const length = bytes ? sizeOf(bytes) : -1;
        if (!bytes || length < shortest || !isFormat(format)) return undefined;
        const [ciphertext, mac] = [new Uint8Array(length), new Uint8Array(TAG_BYTES)];
        sealing.seal(bytes, length, ciphertext, mac);
        return { ciphertext: formatted(ciphertext, format), mac: formatted(mac, format) };
      }),
    opened: (ciphertext, format, given, failure) =>
      using(given, (sealing) => {
        const bytes = bytesOf(ciphertext);
        const length = bytes ? sizeOf(bytes) - TAG_BYTES : -1;
        if (!bytes || length < shortest || !isFormat(format)) return undefined;
        return formatted(open(sealing, bytes, length, undefined, failure), format);
      }),
    openedDetached: (ciphertext, mac, format, given, failure) =>
      using(given, (sealing) => {
        const [bytes, tag] = [bytesOf(ciphertext), exactly(mac, TAG_BYTES)];
        const length = bytes ? sizeOf(bytes) : -1;
        if (!bytes || length < shortest || !tag || !isFormat(format)) return undefined;
        return formatted(open(sealing, bytes, length, tag, failure), format);
      }),
  };
}
