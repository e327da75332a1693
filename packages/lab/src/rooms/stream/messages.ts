/** The chunks of a stream as messages of an AEAD, one after the other, without a format around them. */
import { joined } from '../../client/bytes.ts';
import { TAG_BYTES, type CipherContestant } from '../../client/contestants/contestant.ts';
import type { Passage } from '../../client/room.ts';
import { passing, type Take } from './passages.ts';

export type Direction = 'encrypt' | 'decrypt';

export interface Messages {
  readonly direction: Direction;
  readonly key: Uint8Array;
  readonly messages: readonly Uint8Array[];
  readonly nonces: readonly Uint8Array[];
  /** All results, in one array. */
  readonly expected: Uint8Array;
}

/** Bytes of plaintext in all messages. */
export const bytesOf = ({ direction, messages }: Messages): number =>
  messages.reduce((sum, { length }) => sum + length, 0) - (direction === 'encrypt' ? 0 : TAG_BYTES * messages.length);

/** One message by a contestant, into `room` if it takes any. */
export function pass(
  contestant: CipherContestant,
  direction: Direction,
  key: Uint8Array,
  nonce: Uint8Array,
  message: Uint8Array,
  room: Uint8Array,
  take: Take,
): void {
  const { seal, open } = contestant.aead('chacha20poly1305', key, nonce);
  const result = direction === 'encrypt' ? seal(message, room) : open(message, room);
  if (result instanceof Uint8Array) take(result);
  else result.forEach(take);
}

/** ChaCha20-Poly1305 by a contestant, into one buffer. */
export function byMessages(contestant: CipherContestant, input: Messages): Passage {
  const { direction, key, messages, nonces, expected } = input;
  const grows = direction === 'encrypt' ? TAG_BYTES : -TAG_BYTES;
  const out = new Uint8Array(messages[0].length + grows);
  return passing({ contestant, bytes: bytesOf(input), expected }, (take) => {
    messages.forEach((message, i) =>
      pass(contestant, direction, key, nonces[i], message, out.subarray(0, message.length + grows), take),
    );
  });
}

/** The messages of a plaintext in parts, sealed by a reference. */
export function messagesOf(
  direction: Direction,
  key: Uint8Array,
  parts: readonly Uint8Array[],
  nonces: readonly Uint8Array[],
  seal: (nonce: Uint8Array, part: Uint8Array) => Uint8Array,
): Messages {
  const sealed = parts.map((part, i) => seal(nonces[i], part));
  const [messages, results] = direction === 'encrypt' ? [parts, sealed] : [sealed, parts];
  return { direction, key, messages, nonces, expected: joined(results) };
}
