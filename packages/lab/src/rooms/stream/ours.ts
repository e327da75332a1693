/** Streams of the platform over each format of ours, beside its reference. */
import { joined } from '../../client/bytes.ts';
import type { Passage } from '../../client/room.ts';
import type { Direction } from './messages.ts';
import { drain, drainBack, flowing } from './passages.ts';

export const loaded = () => Promise.all([import('lanewise/stream.js'), import('../../client/contestants/lanewise.ts')]);

/** A stream by another implementation. */
export interface Reference {
  readonly direction: Direction;
  readonly key: Uint8Array;
  readonly plaintext: Uint8Array<ArrayBuffer>;
  /** The encrypted stream, in parts. */
  readonly sealed: () => readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Decrypts a stream of ours. */
  readonly opened: (stream: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/** In three ways to write and read them. */
export const stream =
  (
    format: 'agePayload' | 'chunked' | 'secretstream',
    { direction, key, plaintext, sealed, opened }: Reference,
    way: 'default' | 'byob' | 'pair' = 'default',
  ) =>
  async (): Promise<Passage> => {
    const [{ [format]: made }, { auto: contestant }] = await loaded();
    if (way === 'byob' && typeof ReadableByteStreamController === 'undefined')
      throw new Error('there are no byte streams here');
    const isEncrypting = direction === 'encrypt';
    return flowing(
      { contestant, bytes: plaintext.length, expected: plaintext, ...(isEncrypting && { opened }) },
      isEncrypting ? plaintext : joined(await sealed()),
      (source) => {
        if (way === 'pair') return source.pipeThrough(isEncrypting ? made(key).encryptor() : made(key).decryptor());
        return isEncrypting ? made(key).encrypt(source) : made(key).decrypt(source);
      },
      way === 'byob' ? drainBack : drain,
    );
  };
