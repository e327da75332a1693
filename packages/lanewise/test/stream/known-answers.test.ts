/** secretstream against libsodium's answers, and payloads of age against those of age and rage. */
// Runs in every mode: known answers.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SecretstreamState } from '../../src/stream/secretstream-state.ts';
import { agePayload, secretstream } from '../../src/stream.ts';
import { concat, expectBytes, hex, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { cut, pattern, through } from '../support/stream.ts';

interface Message {
  readonly rekey?: true;
  readonly length: number;
  readonly ad: number;
  readonly tag: number;
  readonly ciphertext?: string;
  readonly sha256?: string;
}
const load = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../vectors', name), 'utf8'));
const { key, header, tests } = load('stream-secretstream.json') as {
  key: string;
  header: string;
  tests: { name: string; counter: number; messages: Message[] }[];
};
const pynacl = load('stream-secretstream-pynacl.json') as {
  tests: { key: string; header: string; chunks: { tag: number; ad: string; message: string; ciphertext: string }[] }[];
};
const age = load('stream-age.json') as {
  tests: { by: string; length: number; key: string; size: number; payload?: string; sha256: string }[];
};
const state = (counter?: number): SecretstreamState => new SecretstreamState(unhex(key), unhex(header), counter);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

onEachEngine(() => {
  it.each(tests)('libsodium: $name', ({ counter, messages }) => {
    const sealer = state(counter);
    const opener = state(counter);
    messages.forEach(({ rekey, length, ad: adLength, tag, ciphertext, sha256: digest }, i) => {
      if (rekey) {
        sealer.rekey();
        opener.rekey();
        return;
      }
      const message = pattern(length, 1);
      const ad = pattern(adLength, 2);
      const sealed = new Uint8Array(length + 17);
      sealer.seal(tag, ad, adLength, message, length, sealed);
      if (ciphertext === undefined) expect(sha256(sealed), `message ${i}`).toBe(digest);
      else expect(hex(sealed), `message ${i}`).toBe(ciphertext);
      const opened = new Uint8Array(length);
      expect(opener.open(ad, adLength, sealed, length, opened), `tag of message ${i}`).toBe(tag);
      expectBytes(opened, message, `message ${i}`);
    });
  });

  it('libsodium: by the public opener', () => {
    for (const { counter, messages } of tests.filter(({ counter }) => counter === 1)) {
      const opener = secretstream(unhex(key)).opener({ header: unhex(header), requireFinal: false });
      for (const { rekey, length, ad, tag, ciphertext } of messages)
        if (rekey) opener.rekey();
        else if (ciphertext === undefined) break;
        else {
          expectBytes(
            opener.push(unhex(ciphertext), undefined, { ad: pattern(ad, 2) }),
            pattern(length, 1),
            `${counter}`,
          );
          expect(opener.tag).toBe(tag);
        }
      opener.end();
    }
  });

  it("PyNaCl's vectors", () => {
    expect(pynacl.tests.map(({ chunks }) => chunks.length)).toEqual([1, 5, 3]);
    for (const { key, header, chunks } of pynacl.tests) {
      const sealer = new SecretstreamState(unhex(key), unhex(header));
      const opener = secretstream(unhex(key)).opener({ header: unhex(header) });
      chunks.forEach(({ tag, ad: adHex, message: messageHex, ciphertext }, i) => {
        const [ad, message] = [unhex(adHex), unhex(messageHex)];
        const sealed = new Uint8Array(message.length + 17);
        sealer.seal(tag, ad, ad.length, message, message.length, sealed);
        expect(hex(sealed), `message ${i}`).toBe(ciphertext);
        expectBytes(opener.push(unhex(ciphertext), undefined, { ad }), message, `message ${i}`);
        expect(opener.tag).toBe(tag);
      });
      opener.end();
    }
  });

  it.each(age.tests)('$by: $length bytes', ({ length, key, size, payload, sha256: digest }) => {
    const plaintext = pattern(length, 0);
    const sealed = through(agePayload(unhex(key)).sealer(), cut(plaintext, [70_000, 0, 1]));
    expect(sealed.length).toBe(size);
    if (payload !== undefined) expect(hex(sealed)).toBe(payload);
    // These are the bytes of the file, so opening them is opening the file.
    expect(sha256(concat(sealed))).toBe(digest);
    expectBytes(through(agePayload(unhex(key)).opener(), cut(sealed, [70_000, 0, 1])), plaintext, 'opened');
  });

  it('the sizes that messages have', () => {
    expect(secretstream.ciphertextSize(5)).toBe(22);
    expect(secretstream.plaintextSize(17)).toBe(0);
    expect(() => secretstream.plaintextSize(16)).toThrow(
      new RangeError('"size" expected size of an encrypted message, got 16'),
    );
    expect(() => secretstream.ciphertextSize(64 * (2 ** 32 - 2) + 1)).toThrow(RangeError);
  });
});
