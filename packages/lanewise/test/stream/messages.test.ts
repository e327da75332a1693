/** secretstream beside libsodium.js, both ways; and its refusals. */
import sodium from 'libsodium-wrappers-sumo';
import { describe, expect, it } from 'vitest';
import { secretstream, type MessageOpener, type MessageSealer } from '../../src/stream.ts';
import { expectBytes, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';

await sodium.ready;
const key = sample(32, 91);
const { TAG_FINAL, TAG_REKEY } = secretstream;
const pair = (): { sealer: MessageSealer; opener: MessageOpener } => {
  const sealer = secretstream(key).sealer();
  return { sealer, opener: secretstream(key).opener({ header: sealer.header }) };
};

/** A reproducible choice. */
function* choices(seed: number): Generator<number, never> {
  for (;;) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    yield seed >>> 8;
  }
}

onEachEngine(() => {
  const messages = (seed: number) => {
    const next = choices(seed);
    const below = (n: number): number => next.next().value % n;
    return Array.from({ length: 60 }, (_, i) => ({
      message: sample(i % 10 === 9 ? below(140_000) : below(300), i + seed),
      ad: below(2) ? sample(below(100), i) : undefined,
      tag: [0, 0, 1, 2, 7, 200][below(6)],
      rekey: below(8) === 0,
    }));
  };

  it.each([1, 2, 3])('what we encrypt, libsodium decrypts (%i)', (seed) => {
    const sealer = secretstream(key).sealer();
    const state = sodium.crypto_secretstream_xchacha20poly1305_init_pull(sealer.header, key);
    for (const { message, ad, tag, rekey } of messages(seed)) {
      if (rekey) {
        sealer.rekey();
        sodium.crypto_secretstream_xchacha20poly1305_rekey(state);
      }
      const sealed = sealer.push(message, undefined, ad ? { tag, ad } : { tag });
      const got = sodium.crypto_secretstream_xchacha20poly1305_pull(state, sealed, ad ?? null);
      if (!got) throw new Error('libsodium refuses it');
      expectBytes(got.message, message, 'message');
      expect(got.tag).toBe(tag);
    }
    const last = sodium.crypto_secretstream_xchacha20poly1305_pull(state, sealer.end(), null);
    expect(last && [last.message.length, last.tag]).toEqual([0, 3]);
  });

  it.each([4, 5, 6])('what libsodium encrypts, we decrypt (%i)', (seed) => {
    const { state, header } = sodium.crypto_secretstream_xchacha20poly1305_init_push(key);
    const opener = secretstream(key).opener({ header });
    for (const { message, ad, tag, rekey } of messages(seed)) {
      if (rekey) {
        opener.rekey();
        sodium.crypto_secretstream_xchacha20poly1305_rekey(state);
      }
      const sealed = sodium.crypto_secretstream_xchacha20poly1305_push(state, message, ad ?? null, tag);
      expectBytes(opener.push(sealed, undefined, ad && { ad }), message, 'message');
      expect(opener.tag).toBe(tag);
    }
    opener.push(sodium.crypto_secretstream_xchacha20poly1305_push(state, sample(3), null, 3));
    expect(opener.end()).toHaveLength(0);
  });

  it('in place, and over itself in any way', () => {
    for (const length of [0, 5, 100, 70_000])
      for (const [from, to] of [
        [0, 0],
        [1, 0],
        [0, 1],
        [0, 17],
        [30, 3],
      ]) {
        const { sealer, opener } = pair();
        const buffer = new Uint8Array(length + 100);
        buffer.set(sample(length, 7), from);
        const sealed = sealer.push(buffer.subarray(from, from + length), buffer.subarray(to)).slice();
        buffer.set(sealed, from);
        const opened = opener.push(buffer.subarray(from, from + length + 17), buffer.subarray(to));
        expectBytes(opened, sample(length, 7), `${length} bytes from ${from} to ${to}`);
      }
  });
});

describe('refuses', () => {
  it('a message that was changed anywhere, or came with other additional data', () => {
    const ad = sample(5, 1);
    const sealer = secretstream(key).sealer();
    const sealed = sealer.push(sample(40, 2), undefined, { ad });
    const opener = () => secretstream(key).opener({ header: sealer.header });
    for (let i = 0; i < sealed.length; i++) {
      const changed = sealed.slice();
      changed[i] ^= 1 << (i & 7);
      const machine = opener();
      const out = new Uint8Array(40);
      expect(() => machine.push(changed, out, { ad }), `byte ${i}`).toThrow(new Error('message 0 is not authentic'));
      expect(out.every((byte) => byte === 0)).toBe(true);
      expect(() => machine.push(sealed, out, { ad })).toThrow(new Error('message 0 is not authentic'));
      expect(() => machine.end()).toThrow(new Error('message 0 is not authentic'));
    }
    expect(() => opener().push(sealed)).toThrow('not authentic');
    expect(() => opener().push(sealed, undefined, { ad: sample(5, 3) })).toThrow('not authentic');
    expect(() => opener().push(sealed.subarray(0, 16))).toThrow(
      new Error('message 0 is truncated: it has fewer than 17 bytes'),
    );
    expect(opener().push(sealed, undefined, { ad })).toHaveLength(40);
  });

  it('messages out of order', () => {
    const { sealer } = pair();
    const [a, b, c] = [sealer.push(sample(3, 1)), sealer.push(sample(3, 2)), sealer.push(sample(3, 3))];
    for (const [order, good] of [
      [[b], 0],
      [[a, c], 1],
      [[a, a], 1],
      [[a, b, b], 2],
    ] as const) {
      const opener = secretstream(key).opener({ header: sealer.header });
      const [bad] = order.slice(good);
      order.slice(0, good).forEach((message) => opener.push(message));
      expect(() => opener.push(bad)).toThrow(new Error(`message ${good} is not authentic`));
    }
  });

  it('a stream without the FINAL tag, and data after it', () => {
    const { sealer, opener } = pair();
    const first = sealer.push(sample(3));
    opener.push(first);
    expect(() => opener.end()).toThrow(new Error('truncated after 20 bytes'));
    const lenient = secretstream(key).opener({ header: sealer.header, requireFinal: false });
    lenient.push(first);
    lenient.end();
    const strict = secretstream(key).opener({ header: sealer.header });
    strict.push(first);
    strict.push(sealer.push(sample(2), undefined, { tag: TAG_FINAL }));
    expect(() => sealer.push(sample(1))).toThrow(new Error('cannot use a sealer after its FINAL message'));
    expect(() => sealer.rekey()).toThrow(new Error('cannot use a sealer after its FINAL message'));
    expect(sealer.end()).toHaveLength(0);
    expect(() => strict.push(first)).toThrow(new Error('data after the end'));
    expect(() => strict.end()).toThrow(new Error('data after the end'));
    expect(() => secretstream(key).opener({ header: sealer.header }).end()).toThrow('truncated after 0 bytes');
  });

  it('wrong arguments, before any work', () => {
    const { sealer, opener } = pair();
    for (const [call, error] of [
      [() => sealer.push('text' as never), TypeError],
      [() => sealer.push(sample(1), new Uint8Array(17)), RangeError],
      [
        () => sealer.push(sample(1), undefined, { tag: 256 }),
        new RangeError('"tag" expected integer from 0 to 255, got 256'),
      ],
      [() => sealer.push(sample(1), undefined, { tag: 1.5 }), RangeError],
      [() => sealer.push(sample(1), undefined, { tag: '3' as never }), TypeError],
      [() => sealer.push(sample(1), undefined, { ad: 'x' as never }), TypeError],
      [() => opener.push(sample(20), new Uint8Array(2)), RangeError],
    ] as const)
      expect(call).toThrow(error);
    expectBytes(opener.push(sealer.push(sample(9), undefined, { tag: TAG_REKEY })), sample(9), 'afterwards');
    opener.push(sealer.end());
    opener.end();
    for (const call of [() => opener.push(sample(20)), () => opener.rekey(), () => opener.end()])
      expect(call).toThrow(new Error('cannot use an opener after end()'));
    expect(() => sealer.end()).toThrow(new Error('cannot use a sealer after end()'));
  });

  it('a message whose buffer an option takes away', () => {
    const { sealer } = pair();
    const message = sample(100);
    const options = {
      get ad() {
        structuredClone(message.buffer, { transfer: [message.buffer] });
        return sample(1);
      },
    };
    expect(() => sealer.push(message, undefined, options)).toThrow('detached');
    expect(sealer.push(sample(1))).toHaveLength(18);
  });
});
