/** The machines of chunked streams: pieces of any length, damage of every kind, errors, wiping. */
import { describe, expect, it } from 'vitest';
import { agePayload, chunked, type Opener, type Sealer } from '../../src/stream.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { cut, released, through, viewsOf, type Machine } from '../support/stream.ts';

const key = sample(32, 81);
const plaintextOf = (length: number): Uint8Array<ArrayBuffer> => sample(length, 82);

interface Format {
  readonly name: 'chunked' | 'agePayload';
  readonly chunk: number;
  readonly headerLength: number;
  sealer(): Promise<Sealer>;
  /** An opener of a stream with this header. */
  opener(header: Uint8Array): Promise<Opener>;
}
const formats: readonly Format[] = [
  {
    name: 'chunked',
    chunk: 16_384,
    headerLength: 56,
    sealer: () => chunked(key).sealer(),
    opener: (header) => chunked(key).opener({ header }),
  },
  {
    name: 'agePayload',
    chunk: 65_536,
    headerLength: 0,
    sealer: () => Promise.resolve(agePayload(key).sealer()),
    opener: () => Promise.resolve(agePayload(key).opener()),
  },
];

/** The sealed plaintext, and a function that makes its opener. */
async function sealed(format: Format, plaintext: Uint8Array) {
  const sealer = await format.sealer();
  const body = through(sealer, [plaintext]);
  return { body, opener: () => format.opener(sealer.header) };
}

describe.each(formats)('$name', (format) => {
  const { chunk } = format;
  const whole = chunk + 16;

  onEachEngine(() => {
    it('any pieces give what one gives', async () => {
      for (const length of [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 5]) {
        const plaintext = plaintextOf(length);
        const { body, opener } = await sealed(format, plaintext);
        expectBytes(through(await opener(), [body]), plaintext, `${length} bytes`);
        for (const lengths of [[chunk], [chunk - 1], [chunk + 1], [0, 1, 15, 16, 17, chunk], [7 * 1024 + 1]]) {
          const random = await format.sealer();
          const again = concat(...cut(plaintext, lengths).map((piece) => random.push(piece)), random.end());
          expect(again.length, `${length} bytes by ${lengths.join()}`).toBe(body.length);
          if (format.name === 'agePayload') expectBytes(again, body, `${length} bytes by ${lengths.join()}`);
          expectBytes(
            through(await format.opener(random.header), cut(again, lengths)),
            plaintext,
            `${length} bytes by ${lengths.join()}, opened`,
          );
          expectBytes(through(await opener(), cut(body, lengths)), plaintext, `${length} bytes by ${lengths.join()}`);
        }
      }
    });

    it('byte by byte', async () => {
      const plaintext = plaintextOf(300);
      const { body, opener } = await sealed(format, plaintext);
      expectBytes(through(await opener(), cut(body, [1])), plaintext, 'opened');
    });

    it('writes to `out`, and says how much it will be', async () => {
      const plaintext = plaintextOf(3 * chunk + 9);
      const { body, opener } = await sealed(format, plaintext);
      const run = (machine: Machine, pieces: readonly Uint8Array[]): Uint8Array => {
        const room = new Uint8Array(5 * whole).fill(0xee);
        let at = 0;
        const take = (length: number, call: (out: Uint8Array) => Uint8Array): void => {
          const got = call(room.subarray(at));
          expect(got.length).toBe(length);
          expect(got.byteOffset).toBe(at);
          expect(got.buffer).toBe(room.buffer);
          at += length;
          expect(room.subarray(at).every((byte) => byte === 0xee)).toBe(true);
        };
        for (const piece of pieces) take(machine.outputLength(piece.length), (out) => machine.push(piece, out));
        take(machine.outputLength(), (out) => machine.end(out));
        return room.subarray(0, at);
      };
      expectBytes(run(await opener(), cut(body, [chunk + 1, 3])), plaintext, 'opened');
      const sealer = await format.sealer();
      const again = run(sealer, cut(plaintext, [3, chunk + 1]));
      expectBytes(through(await format.opener(sealer.header), [again]), plaintext, 'sealed');
    });

    it('in place, and over itself in any way', async () => {
      const plaintext = plaintextOf(3 * chunk + 9);
      const { body, opener } = await sealed(format, plaintext);
      for (const [from, to] of [
        [0, 0],
        [0, 5],
        [5, 0],
        [whole, 0],
        [0, whole],
        [100, 17],
      ]) {
        const buffer = new Uint8Array(6 * whole);
        for (const first of [0, 10]) {
          const sealer = await format.sealer();
          buffer.set(plaintext, from);
          const start = sealer.push(plaintext.subarray(0, first));
          const rest = buffer.subarray(from + first, from + plaintext.length);
          const got = concat(start, sealer.push(rest, buffer.subarray(to)), sealer.end());
          expectBytes(through(await format.opener(sealer.header), [got]), plaintext, `sealed from ${from} to ${to}`);
          const machine = await opener();
          buffer.set(body, from);
          const begun = machine.push(body.subarray(0, first));
          const left = buffer.subarray(from + first, from + body.length);
          const opened = concat(begun, machine.push(left, buffer.subarray(to)), machine.end());
          expectBytes(opened, plaintext, `opened from ${from} to ${to}`);
        }
      }
    });
  });

  it('keeps nothing of the caller: a piece may be overwritten when the call returns', async () => {
    const plaintext = plaintextOf(2 * chunk + 100);
    const sealer = await format.sealer();
    const buffer = new Uint8Array(1000);
    const parts: Uint8Array[] = [];
    for (const piece of cut(plaintext, [1000])) {
      buffer.set(piece);
      parts.push(sealer.push(buffer.subarray(0, piece.length)));
      buffer.fill(0xaa);
    }
    const body = concat(...parts, sealer.end());
    expectBytes(through(await format.opener(sealer.header), [body]), plaintext, 'sealed');
  });

  it('views of shared, resizable and pooled buffers', async () => {
    const plaintext = plaintextOf(chunk + 100);
    const { body, opener } = await sealed(format, plaintext);
    for (const [kind, make] of Object.entries(viewsOf)) {
      const copied = (bytes: Uint8Array): Uint8Array => {
        const copy = make(bytes.length);
        copy.set(bytes);
        return copy;
      };
      const machine = await opener();
      const [a, b] = [copied(body.subarray(0, 77)), copied(body.subarray(77))];
      const opened = concat(machine.push(a), machine.push(b, make(machine.outputLength(b.length))), machine.end());
      expectBytes(opened, plaintext, kind);
      const sealer = await format.sealer();
      const again = concat(sealer.push(copied(plaintext), make(sealer.outputLength(plaintext.length))), sealer.end());
      expectBytes(through(await format.opener(sealer.header), [again]), plaintext, kind);
    }
  });

  it('cut at every byte around the edges of chunks: an error, and only authentic chunks before it', async () => {
    const plaintext = plaintextOf(2 * chunk + 40);
    const { body, opener } = await sealed(format, plaintext);
    const around = (at: number): number[] => Array.from({ length: 37 }, (_, i) => at + i - 18);
    for (const end of [...around(18), ...around(whole), ...around(2 * whole), body.length - 1].filter(
      (at) => at < body.length,
    )) {
      const got = released(await opener(), cut(body.subarray(0, end), [whole + 100]));
      expectBytes(got.plaintext, plaintext.subarray(0, Math.floor(end / whole) * chunk), `cut at ${end}`);
      expect(got.error).toMatch(new RegExp(`truncated after ${format.headerLength + end} bytes$`));
      if (end % whole < 16) expect(got.error).toMatch(/^truncated/);
      else if (end % whole > 16) expect(got.error).toMatch(/^chunk [012] is not authentic, or truncated/);
    }
  });

  it('flipped at every byte of a small stream', async () => {
    const { body, opener } = await sealed(format, plaintextOf(20));
    for (let i = 0; i < body.length; i++) {
      const changed = body.slice();
      changed[i] ^= 1 << (i & 7);
      const got = released(await opener(), cut(changed, [5]));
      expect(got.plaintext).toHaveLength(0);
      expect(got.error).toBe(`chunk 0 is not authentic, or truncated after ${format.headerLength + body.length} bytes`);
    }
  });

  it('chunks swapped, dropped, doubled, of another stream, and behind the end', async () => {
    const plaintext = plaintextOf(3 * chunk + 5);
    const { body, opener } = await sealed(format, plaintext);
    const foreign =
      format.name === 'chunked'
        ? (await sealed(format, plaintext)).body
        : through(agePayload(sample(32, 5)).sealer(), [plaintext]);
    const [a, b, c, d] = cut(body, [whole]);
    const [, f] = cut(foreign, [whole]);
    const cases: readonly [what: string, stream: Uint8Array[], good: number, error: RegExp][] = [
      ['swapped', [b, a, c, d], 0, /^chunk 0 is not authentic$/],
      ['swapped later', [a, c, b, d], 1, /^chunk 1 is not authentic$/],
      ['dropped', [a, c, d], 1, /^chunk 1 is not authentic$/],
      ['the first dropped', [b, c, d], 0, /^chunk 0 is not authentic$/],
      ['the last dropped', [a, b, c], 3, /^truncated after \d+ bytes$/],
      ['doubled', [a, b, b, c, d], 2, /^chunk 2 is not authentic$/],
      ['two streams mixed', [a, f, c, d], 1, /^chunk 1 is not authentic$/],
      ['the last one early', [a, d], 1, /^chunk 1 is not authentic, or truncated/],
      ['one more behind', [a, b, c, d, a], 3, /^chunk 3 is not authentic$/],
      ['a byte behind', [a, b, c, d, Uint8Array.of(0)], 3, /^chunk 3 is not authentic, or truncated/],
      ['nothing', [], 0, new RegExp(`^truncated after ${format.headerLength} bytes$`)],
    ];
    for (const [what, parts, good, error] of cases)
      for (const lengths of [[1e9], [whole], [1000], [whole + 1]]) {
        const got = released(await opener(), cut(concat(...parts), lengths));
        expectBytes(got.plaintext, plaintext.subarray(0, good * chunk), what);
        expect(got.error, what).toMatch(error);
      }
  });

  it('refuses to go on with the error that it has given, and holds nothing', async () => {
    const { body, opener } = await sealed(format, plaintextOf(chunk + 5));
    body[whole - 1] ^= 1;
    const machine = await opener();
    for (let i = 0; i < 3; i++) expect(() => machine.push(body)).toThrow(new Error('chunk 0 is not authentic'));
    expect(() => machine.end()).toThrow(new Error('chunk 0 is not authentic'));
    machine.destroy();
    expect(() => machine.end()).toThrow(new Error('cannot use an opener after destroy()'));
  });

  it('refuses wrong arguments before any work, and goes on', async () => {
    const plaintext = plaintextOf(chunk + 5);
    const { body, opener } = await sealed(format, plaintext);
    const machine = await opener();
    const sealer = await format.sealer();
    const short = new Uint8Array(chunk - 1);
    for (const [call, error] of [
      [() => machine.push('x' as never), TypeError],
      [
        () => machine.push(body, short),
        new RangeError(`"out" expected Uint8Array of length >= ${chunk}, got length=${chunk - 1}`),
      ],
      [
        () => sealer.push(plaintext, short),
        new RangeError(`"out" expected Uint8Array of length >= ${whole}, got length=${chunk - 1}`),
      ],
      [() => sealer.push(plaintext, [] as never), TypeError],
      [() => sealer.end(new Uint8Array(15)), RangeError],
      [() => machine.outputLength(-1), RangeError],
      [() => sealer.outputLength('1' as never), TypeError],
    ] as const)
      expect(call).toThrow(error);
    expectBytes(through(machine, [body]), plaintext, 'opened');
    expectBytes(through(await format.opener(sealer.header), [through(sealer, [plaintext])]), plaintext, 'sealed');
  });

  it('ends', async () => {
    const { body, opener } = await sealed(format, plaintextOf(5));
    const ended = await opener();
    through(ended, [body]);
    const sealer = await format.sealer();
    sealer.end();
    for (const call of [() => ended.push(body), () => ended.end(), () => ended.outputLength()])
      expect(call).toThrow(new Error('cannot use an opener after end()'));
    for (const call of [() => sealer.push(body), () => sealer.end(), () => sealer.outputLength(1)])
      expect(call).toThrow(new Error('cannot use a sealer after end()'));
    const destroyed = await format.sealer();
    (destroyed as unknown as Disposable)[Symbol.dispose ?? 'destroy']();
    expect(() => destroyed.push(body)).toThrow(new Error('cannot use a sealer after destroy()'));
  });

  it('has the sizes that it says, and refuses the others', () => {
    const module = format.name === 'chunked' ? chunked : agePayload;
    const sizes = [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 2 ** 40 + 17];
    const all = new Set(sizes.map((size) => module.ciphertextSize(size)));
    for (const size of sizes) expect(module.plaintextSize(module.ciphertextSize(size))).toBe(size);
    const { headerLength } = format;
    const full = headerLength + whole;
    const impossible = [0, headerLength, headerLength + 15, full + 1, full + 15, 2 * full - headerLength + 3].concat(
      format.name === 'chunked' ? [full, full + whole] : [full + 16],
    );
    for (const size of impossible) {
      expect(all).not.toContain(size);
      expect(() => module.plaintextSize(size), `${size}`).toThrow(
        new RangeError(`"size" expected size of a complete encrypted stream, got ${size}`),
      );
    }
    expect(() => module.ciphertextSize(2 ** 53 - 1)).toThrow(RangeError);
    expect(() => module.ciphertextSize(1.5)).toThrow(RangeError);
    expect(() => module.plaintextSize('1' as never)).toThrow(TypeError);
  });
});

describe('age alone', () => {
  const whole = 65_552;
  const last = agePayload(key).sealer();
  const full = concat(last.push(plaintextOf(65_536)), last.end());

  it('a full last chunk is opened before the end is known', () => {
    const opener = agePayload(key).opener();
    expectBytes(opener.push(full), plaintextOf(65_536), 'pushed');
    expect(opener.end()).toHaveLength(0);
  });

  it('data after the end: an error after what is released', () => {
    const opener = agePayload(key).opener();
    expectBytes(opener.push(concat(full, Uint8Array.of(0))), plaintextOf(65_536), 'released');
    expect(() => opener.end()).toThrow(new Error('data after the end'));
    const other = agePayload(key).opener();
    expect(other.push(full)).toHaveLength(65_536);
    expect(other.push(new Uint8Array(0))).toHaveLength(0);
    expect(() => other.push(Uint8Array.of(0))).toThrow(new Error('data after the end'));
    expect(() => other.end()).toThrow(new Error('data after the end'));
  });

  it('an empty chunk at the end of a stream that is not empty', () => {
    const opener = agePayload(key).opener();
    const sealer = agePayload(key).sealer();
    opener.push(sealer.push(plaintextOf(65_537)));
    opener.push(full.subarray(0, 16));
    expect(() => opener.end()).toThrow(new Error(`chunk 1 is empty, or truncated after ${whole + 16} bytes`));
  });
});
