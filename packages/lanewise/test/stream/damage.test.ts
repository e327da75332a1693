/** Every byte of streams of many short chunks is cut off, flipped, or moved: an error each, and only authentic chunks before it. */
import { describe, expect, it } from 'vitest';
import { ChaChaChunks, writeNonce } from '../../src/stream/chacha-chunks.ts';
import { openerOf, sealerOf } from '../../src/stream/chunk-transform.ts';
import { secretstream } from '../../src/stream.ts';
import { concat, expectBytes, hex, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { chunkedNonce } from '../support/stream-models.ts';
import * as models from '../support/stream-models.ts';
import { chunkingOf, cut, released, through } from '../support/stream.ts';

const CHUNK = 5;
const WHOLE = CHUNK + 16;
const key = sample(32, 61);

/** age's chunks and those of C2SP chunked-encryption, but of five bytes. */
const formats = [
  { name: 'as age', fullLast: true, base: new Uint8Array(12), lengths: [0, 1, 5, 6, 10, 17] },
  { name: 'as chunked-encryption', fullLast: false, base: sample(12, 62), lengths: [0, 1, 5, 6, 10, 17] },
];

describe.each(formats)('chunks of five bytes, $name', ({ fullLast, base, lengths }) => {
  const chunking = chunkingOf(CHUNK, fullLast, 56);
  const cipher = (its: Uint8Array = key): ChaChaChunks => new ChaChaChunks(its.slice(), base.slice(), fullLast);
  const seal = (plaintext: Uint8Array, its?: Uint8Array): Uint8Array =>
    through(sealerOf(chunking, cipher(its), new Uint8Array(0)), [plaintext]);
  const opened = (sealed: Uint8Array, lengths: readonly number[]) =>
    released(openerOf(chunking, cipher()), cut(sealed, lengths));

  onEachEngine(() => {
    it.each(lengths)('are what the specification says, by any two cuts: %i bytes', (length) => {
      const plaintext = sample(length, 63);
      const sealed = fullLast
        ? models.agePayload(key, plaintext, CHUNK)
        : models.chunkedBody(key, base, plaintext, CHUNK);
      for (let first = 0; first <= length; first++)
        for (let second = first; second <= length; second++) {
          const parts = [plaintext.subarray(0, first), plaintext.subarray(first, second), plaintext.subarray(second)];
          const sealer = sealerOf(chunking, cipher(), new Uint8Array(0));
          expectBytes(through(sealer, parts), sealed, `cut at ${first} and ${second}`);
        }
      for (let first = 0; first <= sealed.length; first++)
        for (let second = first; second <= sealed.length; second++) {
          const parts = [sealed.subarray(0, first), sealed.subarray(first, second), sealed.subarray(second)];
          expectBytes(through(openerOf(chunking, cipher()), parts), plaintext, `cut at ${first} and ${second}`);
        }
    });

    it.each(lengths)('cut off at every byte: %i bytes', (length) => {
      const plaintext = sample(length, 63);
      const sealed = seal(plaintext);
      for (let end = 0; end < sealed.length; end++)
        for (const by of [[1], [WHOLE], [1000], [20, 0, 3]]) {
          const got = opened(sealed.subarray(0, end), by);
          expectBytes(got.plaintext, plaintext.subarray(0, Math.floor(end / WHOLE) * CHUNK), `cut at ${end}`);
          expect(got.error, `cut at ${end}`).toMatch(new RegExp(`truncated after ${56 + end} bytes$`));
        }
    });

    it.each(lengths)('flipped at every bit: %i bytes', (length) => {
      const plaintext = sample(length, 63);
      const sealed = seal(plaintext);
      for (let bit = 0; bit < 8 * sealed.length; bit++) {
        const wrong = sealed.slice();
        const at = bit >> 3;
        wrong[at] ^= 1 << (bit & 7);
        const chunk = Math.floor(at / WHOLE);
        const got = opened(wrong, bit & 1 ? [7] : [1000]);
        expectBytes(got.plaintext, plaintext.subarray(0, chunk * CHUNK), `bit ${bit}`);
        expect(got.error, `bit ${bit}`).toMatch(new RegExp(`^chunk ${chunk} is not authentic`));
      }
    });

    it('every chunk dropped, doubled, moved, and of another stream', () => {
      const plaintext = sample(23, 63);
      const chunks = cut(seal(plaintext), [WHOLE]);
      const others = cut(seal(plaintext, sample(32, 64)), [WHOLE]);
      const check = (what: string, list: readonly Uint8Array[], good: number): void => {
        for (const by of [[1000], [1], [WHOLE - 1]]) {
          const got = opened(concat(...list), by);
          expectBytes(got.plaintext, plaintext.subarray(0, good * CHUNK), what);
          expect(got.error, what).toMatch(/^chunk \d is not authentic|^truncated|^data after the end$/);
        }
      };
      const last = chunks.length - 1;
      expect(last).toBe(4);
      chunks.forEach((chunk, i) => {
        check(`without chunk ${i}`, [...chunks.slice(0, i), ...chunks.slice(i + 1)], i);
        // The last chunk is short: behind it there is no whole chunk more.
        check(`chunk ${i} twice`, [...chunks.slice(0, i), chunk, ...chunks.slice(i)], Math.min(i + 1, last));
        check(`chunk ${i} of another`, [...chunks.slice(0, i), others[i], ...chunks.slice(i + 1)], i);
        chunks.forEach((other, j) => {
          if (i === j) return;
          const moved = [...chunks];
          [moved[i], moved[j]] = [other, chunk];
          check(`chunks ${i} and ${j} swapped`, moved, Math.min(i, j));
        });
      });
      check('another stream behind', [...chunks, ...others], last);
      check('this stream twice', [...chunks, ...chunks], last);
    });
  });
});

it('nonces of chunks with high numbers', () => {
  const base = sample(12, 65);
  const nonce = new Uint8Array(12);
  const numbers = [1, 255, 256, 65_535, 2 ** 16, 2 ** 24, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 5, 2 ** 38 - 1];
  for (const k of [0, ...numbers, 0x1f_2e3d_4c5b, 2 ** 53 - 1]) {
    writeNonce(nonce, base, k, undefined);
    expect(hex(nonce), `${k}`).toBe(hex(chunkedNonce(base, BigInt(k))));
    for (const last of [false, true]) {
      writeNonce(nonce, new Uint8Array(12), k, last);
      expect(hex(nonce), `${k}`).toBe(k.toString(16).padStart(22, '0') + (last ? '01' : '00'));
    }
  }
});

interface Message {
  readonly plaintext: Uint8Array;
  readonly ad: Uint8Array;
  readonly sealed: Uint8Array;
}

describe('messages', () => {
  const ad = sample(3, 1);
  const tags = [0, secretstream.TAG_REKEY, 1, secretstream.TAG_FINAL];
  const messagesOf = (): { header: Uint8Array; list: Message[] } => {
    const sealer = secretstream(key).sealer();
    const list = tags.map((tag, i) => {
      const plaintext = sample([5, 8, 0, 17][i], i);
      return { plaintext, ad, sealed: sealer.push(plaintext, undefined, { tag, ad }) };
    });
    return { header: sealer.header, list };
  };

  onEachEngine(() => {
    const { header, list } = messagesOf();
    /** `good` messages are opened, then there is this error. */
    const check = (what: string, given: readonly Message[], good: number, error: RegExp): void => {
      const opener = secretstream(key).opener({ header });
      let opened = 0;
      const all = (): void => {
        given.forEach(({ sealed, ad, plaintext }) => {
          expectBytes(opener.push(sealed, undefined, { ad }), plaintext, what);
          opened++;
        });
        opener.end();
      };
      expect(all, what).toThrow(error);
      expect(opened, what).toBe(good);
      // The error stays, and no message is opened any more.
      expect(() => opener.push(list[0].sealed, undefined, { ad }), what).toThrow(error);
    };
    const changed = (at: number, sealed: Uint8Array): Message[] =>
      list.map((message, i) => (i === at ? { ...message, sealed } : message));
    const authentic = (i: number): RegExp => new RegExp(`^message ${i} is not authentic$`);

    it('flipped at every bit', () => {
      list.forEach(({ sealed }, i) => {
        for (let bit = 0; bit < 8 * sealed.length; bit++) {
          const wrong = sealed.slice();
          wrong[bit >> 3] ^= 1 << (bit & 7);
          check(`message ${i}, bit ${bit}`, changed(i, wrong), i, authentic(i));
        }
      });
    });

    it('cut off at every byte, and longer', () => {
      const short = (i: number): RegExp => new RegExp(`^message ${i} is truncated: it has fewer than 17 bytes$`);
      list.forEach(({ sealed }, i) => {
        for (let end = 0; end < sealed.length; end++)
          check(`message ${i} to ${end}`, changed(i, sealed.subarray(0, end)), i, (end < 17 ? short : authentic)(i));
        check(`message ${i}, longer`, changed(i, concat(sealed, new Uint8Array(1))), i, authentic(i));
      });
      for (let count = 0; count < list.length; count++) {
        const bytes = list.slice(0, count).reduce((sum, { sealed }) => sum + sealed.length, 0);
        check(`${count} messages`, list.slice(0, count), count, new RegExp(`^truncated after ${bytes} bytes$`));
      }
    });

    it('dropped, doubled, swapped, of another stream, and with other additional data', () => {
      const others = messagesOf().list;
      list.forEach((message, i) => {
        const isLast = i === list.length - 1;
        const dropped = [...list.slice(0, i), ...list.slice(i + 1)];
        check(`without message ${i}`, dropped, i, isLast ? /^truncated after/ : authentic(i));
        const doubled = [...list.slice(0, i + 1), ...list.slice(i)];
        check(`message ${i} twice`, doubled, i + 1, isLast ? /^data after the end$/ : authentic(i + 1));
        check(`message ${i} of another`, changed(i, others[i].sealed), i, authentic(i));
        for (let j = i + 1; j < list.length; j++) {
          const swapped = [...list];
          [swapped[i], swapped[j]] = [list[j], message];
          check(`messages ${i} and ${j} swapped`, swapped, i, authentic(i));
        }
        for (const other of [new Uint8Array(0), sample(2, 1), sample(3, 2), sample(4, 1)]) {
          const given = [...list];
          given[i] = { ...message, ad: other };
          check(`message ${i} with other additional data`, given, i, authentic(i));
        }
      });
    });
  });
});
