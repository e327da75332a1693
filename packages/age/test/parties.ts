/** A sender and a receiver who fit each other, and a file of four chunks. */
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from '../src/index.ts';

export const plaintext = Uint8Array.from({ length: 200_003 }, (_, i) => (i * 31 + (i >> 8)) % 256);
export const identity = await generateIdentity();
export const recipient = await identityToRecipient(identity);
export const encrypter = new Encrypter();
encrypter.addRecipient(recipient);
export const decrypter = new Decrypter();
decrypter.addIdentity(identity);

export const whole = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer());
