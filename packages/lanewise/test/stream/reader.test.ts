/** Random access to encrypted streams: any range of any source, and nothing that is not authentic. */
import { describe, expect, it } from 'vitest';
import {
  agePayload,
  chunked,
  fetchRange,
  randomAccess,
  secretstream,
  type RandomAccessSource,
} from '../../src/stream.ts';
import { concat, expectBytes, sample } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { formats, plaintextOf, Recorder, rejection } from '../support/stream-reader.ts';

describe.each(formats)('$name', (format) => {
  const { chunk, headerLength } = format;
  const whole = chunk + 16;

  onEachEngine((engine) => {
    it('reads from and to all edges of chunks', async () => {
      for (const size of [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk + 5]) {
        const plaintext = plaintextOf(size);
        const file = await format.reader(await format.seal(plaintext));
        expect(file.size).toBe(size);
        const edges = [0, chunk, 2 * chunk, size].flatMap((at) => [at - 1, at, at + 1]);
        const places = [...new Set(edges)].filter((at) => at >= 0 && at <= size);
        for (const from of places)
          for (const to of places)
            if (from <= to)
              expectBytes(await file.read(from, to), plaintext.subarray(from, to), `${from} to ${to} of ${size}`);
        file.destroy();
      }
    });

    it('reads random ranges, many at a time', async () => {
      const plaintext = plaintextOf(5 * chunk + 77);
      const source = new Recorder(await format.seal(plaintext));
      let turn = 0;
      // The first asked is the last that is answered.
      source.delay = () => new Promise((resolve) => setTimeout(resolve, (turn++ * 7) % 5));
      const file = await format.reader(source);
      const random = sample(engine === 'simd' ? 400 : 40, 84);
      const ranges = Array.from({ length: random.length / 4 }, (_, i) =>
        [random[4 * i] * 256 + random[4 * i + 1], random[4 * i + 2] * 256 + random[4 * i + 3]]
          .map((at) => Math.floor((at / 65_535) * plaintext.length))
          .sort((a, b) => a - b),
      );
      await Promise.all(
        ranges.map(async ([from, to]) =>
          expectBytes(await file.read(from, to), plaintext.subarray(from, to), `${from} to ${to}`),
        ),
      );
      for (const [from, to] of ranges.slice(0, 10))
        expectBytes(await file.read(from, to), plaintext.subarray(from, to), `${from} to ${to}`);
    });
  });

  it('fetches each chunk once: in one request, and not again for small reads one behind the other', async () => {
    const plaintext = plaintextOf(6 * chunk + 100);
    const source = new Recorder(await format.seal(plaintext));
    const file = await format.reader(source);
    const header = headerLength ? [[0, headerLength]] : [];
    expect(source.reads).toEqual([...header, [headerLength + 6 * whole, source.bytes.length]]);
    const of = async (from: number, to: number): Promise<[number, number][]> => {
      source.reads.length = 0;
      expectBytes(await file.read(from, to), plaintext.subarray(from, to), `${from} to ${to}`);
      return source.reads.map(([a, b]) => [(a - headerLength) / whole, (b - headerLength) / whole]);
    };
    expect(await of(6 * chunk + 3, 6 * chunk + 50), 'the last chunk').toEqual([]);
    expect(await of(chunk + 5, 4 * chunk + 1), 'four chunks').toEqual([[1, 5]]);
    expect(await of(4 * chunk + 1, 5 * chunk), 'the kept chunk').toEqual([]);
    expect(await of(3 * chunk, 5 * chunk), 'all but the kept chunk').toEqual([[3, 4]]);
    expect(await of(4 * chunk, 6 * chunk), 'all behind the kept chunk').toEqual([[5, 6]]);
    let fetched = 0;
    for (let at = 0; at < plaintext.length; at += 1024) {
      const reads = await of(at, Math.min(at + 1024, plaintext.length));
      for (const [from, to] of reads) fetched += to - from;
    }
    expect(fetched).toBeCloseTo((source.bytes.length - headerLength) / whole, 9);
    // Random reads of 1 KiB need a chunk each, and no more.
    for (const at of [2, 0, 5, 4, 1, 3]) expect(await of(at * chunk + 512, at * chunk + 1536)).toEqual([[at, at + 1]]);
  });

  it('begins at an offset, and has nothing in front of it', async () => {
    const plaintext = plaintextOf(chunk + 300);
    const sealed = await format.seal(plaintext);
    const source = new Recorder(concat(new Uint8Array(1000), sealed));
    const file = await format.reader(source, { offset: 1000 });
    expect(file.size).toBe(plaintext.length);
    expectBytes(await file.read(0, file.size), plaintext, 'all');
    expect(Math.min(...source.reads.map(([from]) => from))).toBe(1000);
    expect(await rejection(format.reader(sealed, { offset: sealed.length + 1 }))).toEqual(
      new RangeError(
        `"offset" expected integer from 0 to ${sealed.length}, the size of the source, got ${sealed.length + 1}`,
      ),
    );
  });

  it('every kind of source', async () => {
    const plaintext = plaintextOf(2 * chunk + 300);
    const sealed = await format.seal(plaintext);
    const inPieces = (most: number) => (into: Uint8Array, at: number) => {
      const some = sealed.subarray(at, at + Math.min(most, into.length));
      into.set(some);
      return some.length;
    };
    const step = inPieces(10_000);
    const blob = new Blob([sealed]);
    const sources: Readonly<Record<string, RandomAccessSource>> = {
      bytes: sealed,
      'bytes at an offset': concat(new Uint8Array(3), sealed).subarray(3),
      Blob: blob,
      File: new File([sealed], 'name'),
      'a FileHandle of Node': {
        stat: () => Promise.resolve({ size: sealed.length }),
        read: (into: Uint8Array, offset: number, length: number, at: number) =>
          Promise.resolve({ bytesRead: step(into.subarray(offset, offset + length), at) }),
      },
      'a FileSystemSyncAccessHandle': {
        getSize: () => sealed.length,
        read: (into: Uint8Array, { at }: { at: number }) => step(into, at),
      },
      'a FileSystemFileHandle': { getFile: () => Promise.resolve(blob) },
      'an object': { size: sealed.length, read: (from: number, to: number) => sealed.subarray(from, to) },
      'an object with promises': {
        size: () => Promise.resolve(sealed.length),
        read: (from: number, to: number) => Promise.resolve(sealed.slice(from, to)),
      },
      'another randomAccess': randomAccess(blob),
      'ranges of a URL': fetchRange('http://localhost/', {
        fetch: (_, init) => {
          const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init.headers).get('range')!)!;
          const end = Math.min(Number(last) + 1, sealed.length);
          const headers = { 'content-range': `bytes ${first}-${end - 1}/${sealed.length}`, etag: '"one"' };
          return Promise.resolve(new Response(sealed.slice(Number(first), end), { status: 206, headers }));
        },
      }),
    };
    for (const [kind, source] of Object.entries(sources)) {
      const file = await format.reader(source);
      expectBytes(await file.read(5, file.size), plaintext.subarray(5), kind);
      expectBytes(await file.read(chunk, chunk + 1), plaintext.subarray(chunk, chunk + 1), kind);
    }
    expectBytes(sealed, await blob.arrayBuffer().then((buffer) => new Uint8Array(buffer)), 'the source, afterwards');
  });

  it('cut at every byte around the edges of chunks: refused when it is opened, impossible sizes before it is read', async () => {
    const plaintext = plaintextOf(2 * chunk + 40);
    const sealed = await format.seal(plaintext);
    const around = (at: number): number[] => Array.from({ length: 37 }, (_, i) => headerLength + at + i - 18);
    const module = format.name === 'chunked' ? chunked : agePayload;
    const ends = [0, 1, ...around(18), ...around(whole), ...around(2 * whole), sealed.length - 1];
    for (const end of ends.filter((at) => at >= 0 && at < sealed.length)) {
      const source = new Recorder(sealed.subarray(0, end));
      const error = (await rejection(format.reader(source))) as Error;
      let possible = true;
      try {
        module.plaintextSize(end);
      } catch {
        possible = false;
      }
      if (!possible) {
        expect(error).toEqual(new Error(`truncated after ${end} bytes, or no encrypted stream: none has this size`));
        expect(source.reads).toEqual([]);
      } else
        expect(error.message).toMatch(new RegExp(`^chunk [012] is not authentic, or truncated after ${end} bytes$`));
    }
  });

  it('the last chunk forged: refused when it is opened; another chunk: when it is read', async () => {
    const plaintext = plaintextOf(3 * chunk + 40);
    const sealed = await format.seal(plaintext);
    const flipped = (at: number): Uint8Array => sealed.map((byte, i) => (i === at ? byte ^ 1 : byte));
    for (const at of [sealed.length - 1, sealed.length - 17, headerLength + 3 * whole])
      expect(await rejection(format.reader(flipped(at)))).toEqual(
        new Error(`chunk 3 is not authentic, or truncated after ${sealed.length} bytes`),
      );
    const file = await format.reader(flipped(headerLength + whole + 5));
    for (const [from, to] of [
      [0, 4 * 16],
      [chunk - 1, chunk + 1],
      [chunk, 2 * chunk],
      [0, file.size],
    ])
      if (to <= chunk) expectBytes(await file.read(from, to), plaintext.subarray(from, to), 'in front of it');
      else expect(await rejection(file.read(from, to))).toEqual(new Error('chunk 1 is not authentic'));
    expectBytes(await file.read(2 * chunk, file.size), plaintext.subarray(2 * chunk), 'behind it');
  });

  it('chunks swapped, and the last chunk of another stream', async () => {
    const [a, b] = [await format.seal(plaintextOf(2 * chunk + 9)), await format.seal(sample(2 * chunk + 9, 5))];
    const at = (i: number): number => headerLength + i * whole;
    const swapped = concat(a.subarray(0, at(0)), a.subarray(at(1), at(2)), a.subarray(at(0), at(1)), a.subarray(at(2)));
    const file = await format.reader(swapped);
    expect(await rejection(file.read(0, 1))).toEqual(new Error('chunk 0 is not authentic'));
    expect(await rejection(file.read(chunk, chunk + 1))).toEqual(new Error('chunk 1 is not authentic'));
    if (format.name === 'chunked')
      expect(await rejection(format.reader(concat(a.subarray(0, at(2)), b.subarray(at(2)))))).toEqual(
        new Error(`chunk 2 is not authentic, or truncated after ${a.length} bytes`),
      );
  });

  it('a wrong key', async () => {
    const sealed = await format.seal(plaintextOf(10));
    const error = (await rejection(format.reader(sealed, {}, sample(32, 1)))) as Error;
    expect(error.message).toBe(
      format.name === 'chunked'
        ? 'wrong key or context, or a header that was changed'
        : `chunk 0 is not authentic, or truncated after ${sealed.length} bytes`,
    );
  });

  it('a source that changes: an error, and never other bytes', async () => {
    const plaintext = plaintextOf(3 * chunk + 40);
    const sealed = await format.seal(plaintext);
    let now: Uint8Array = sealed;
    const file = await format.reader({
      size: () => now.length,
      read: (from: number, to: number) => now.subarray(from, to),
    });
    now = sealed.subarray(0, headerLength + whole + 100);
    expect(await rejection(file.read(chunk, chunk + 1))).toEqual(
      new Error(`cannot read ${whole} bytes of the source at ${headerLength + whole}: it gave 100; was it changed?`),
    );
    expectBytes(await file.read(0, chunk), plaintext.subarray(0, chunk), 'what is still there');
    now = concat(sealed, sealed);
    expectBytes(await file.read(0, file.size), plaintext, 'a source that has grown');
    now = sealed.map((byte) => byte ^ 1);
    expect(await rejection(file.read(chunk, chunk + 1))).toEqual(new Error('chunk 1 is not authentic'));
  });
});

it('secretstream has none', () => {
  expect('reader' in secretstream).toBe(false);
});
