/** Streams and readers that give no byte before it is proven: damage, mirrors, ranges, ends. */
import { describe, expect, test } from 'vitest';
import { decode, decodeSlice, encode, outboard, slice, verified, verifiedReader } from '../../src/bao.ts';
import { blake3 } from '../../src/blake3.ts';
import { modelOf } from '../support/bao.ts';
import { concat, sample } from '../support/bytes.ts';
import { allInto } from '../support/stream.ts';

/** By a reader: a Response of a browser replaces the error of its stream. */
async function read(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
    parts.push(value);
  }
}
function flipped(bytes: Uint8Array, at: number, bit = 1): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  copy[at] ^= bit;
  return copy;
}
function streamOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

const groupLength = 16_384;
const content = sample(300_001, 3);
const hash = blake3(content);
const tree = modelOf(content, groupLength, false);
const woven = modelOf(content, groupLength, true);

describe('shapes', () => {
  const lengths = [0, 1, 1023, 1024, 1025, 65_535, 65_536, 65_537, 131_072, 196_609, 300_001];
  test.each(lengths)('%i bytes, in every group length', async (length) => {
    const its = content.subarray(0, length);
    for (let group = 1024; group <= 65_536; group *= 2) {
      const made = await outboard(its, { groupLength: group });
      expect(made.hash).toEqual(blake3(its));
      expect(made.outboard).toEqual(modelOf(its, group, false));
      const hasher = outboard.create({ groupLength: group });
      for (let at = 0; at < length; at += 7777) hasher.update(its.subarray(at, Math.min(length, at + 7777)));
      expect(outboard.load(hasher.save()).digest()).toEqual(made);
    }
  });

  test('sources of every kind', async () => {
    const { outboard: expected } = await outboard(content, { groupLength });
    for (const source of [new Blob([content]), streamOf(content, 1000), new Response(content), [content]])
      expect((await outboard(source, { groupLength })).outboard).toEqual(expected);
    expect((await encode(streamOf(content, 70_000), { groupLength })).encoded).toEqual(woven);
    expect(await decode(streamOf(woven, 999), hash, { groupLength })).toEqual(content);
  });
});

describe('damage', () => {
  const small = sample(3 * 1024 + 5, 9);
  const its = blake3(small);
  const encoded = modelOf(small, 1024, true);
  const apart = modelOf(small, 1024, false);
  const refused = (call: Promise<unknown>): Promise<void> => expect(call).rejects.toThrow();

  test('every byte of an encoding, its outboard and its content', async () => {
    for (let at = 0; at < encoded.length; at++) await refused(decode(flipped(encoded, at, 1 << (at & 7)), its));
    for (let at = 0; at < apart.length; at++)
      await refused(decode(small, its, { outboard: flipped(apart, at, 1 << (at & 7)) }));
    for (let at = 0; at < small.length; at++)
      await refused(decode(flipped(small, at, 1 << (at & 7)), its, { outboard: apart }));
  });

  test('every truncation, and a byte too many', async () => {
    for (let to = 0; to < encoded.length; to += to < 200 ? 1 : 7) await refused(decode(encoded.slice(0, to), its));
    for (let to = 0; to < apart.length; to++) await refused(decode(small, its, { outboard: apart.slice(0, to) }));
    await refused(decode(concat(encoded, new Uint8Array(1)), its));
    await refused(decode(concat(small, new Uint8Array(1)), its, { outboard: apart }));
    await refused(decode(small, its, { outboard: concat(apart, new Uint8Array(1)) }));
  });

  test('every byte and truncation of a slice that does not reach the end', async () => {
    const made = await slice(encoded, 1024, 10);
    // A smaller length may have the same tree so far; what comes is right all the same.
    for (let at = 0; at < made.length; at++) {
      const got = await decodeSlice(flipped(made, at), its, 1024, 10).catch(() => undefined);
      if (at >= 8) expect(got).toBe(undefined);
      else if (got) expect(got).toEqual(small.slice(1024, 1034));
    }
    for (let to = 0; to < made.length; to++) await refused(decodeSlice(made.slice(0, to), its, 1024, 10));
  });

  test('an encoding of no bytes proves nothing under another hash', async () => {
    await refused(decode(new Uint8Array(8), its));
    await refused(read(verified(new Uint8Array(0), its, { outboard: new Uint8Array(8) })));
    await refused(decodeSlice(new Uint8Array(8), its, 5, 5));
  });

  test('a stream gives what is right before the first wrong group, and names that', async () => {
    for (const at of [0, 16_384, 100_000, 299_999]) {
      const stream = verified(new Blob([flipped(content, at)]), hash, { outboard: tree, groupLength });
      const got: Uint8Array[] = [];
      const reader = stream.getReader();
      const reading = (async () => {
        for (let step = await reader.read(); step.value; step = await reader.read()) got.push(step.value);
      })();
      const group = at - (at % groupLength);
      await expect(reading).rejects.toThrow(
        `bytes ${group} to ${Math.min(group + groupLength, content.length)} do not match the hash`,
      );
      const all = concat(...got);
      expect(all).toEqual(content.subarray(0, all.length));
      expect(all.length).toBeLessThanOrEqual(group);
    }
  });
});

describe('ranges', () => {
  const options = { outboard: tree, groupLength };
  test.each([
    [0, 0],
    [0, 1],
    [16_383, 16_385],
    [70_000, 200_000],
    [300_000, 300_001],
    [300_001, 300_001],
  ])('from %i to %i', async (from, to) => {
    const wanted = content.slice(from, to);
    expect(await read(verified(content, hash, { ...options, range: { from, to } }))).toEqual(wanted);
    expect(await read(verified(woven, hash, { groupLength, range: { from, to } }))).toEqual(wanted);
    const its = await slice(content, from, to - from, options);
    expect(await read(verified(streamOf(its, 777), hash, { groupLength, range: { from, to } }))).toEqual(wanted);
    const reader = await verifiedReader(content, hash, options);
    expect(reader.size).toBe(content.length);
    expect(await reader.read(from, to)).toEqual(wanted);
    reader.destroy();
  });

  test('outside of the content is an error', async () => {
    await expect(read(verified(content, hash, { ...options, range: { from: 300_002 } }))).rejects.toThrow(
      '"range" expected within 300001 bytes, the size, got from 300002 to the end',
    );
    await expect(read(verified(content, hash, { ...options, range: { to: 300_002 } }))).rejects.toThrow('"range"');
    const reader = await verifiedReader(content, hash, options);
    expect(() => reader.read(0, 300_002)).toThrow('"to" expected integer from "from" to 300001, the size, got 300002');
    reader.destroy();
    await expect(reader.read(0, 1)).rejects.toThrow('cannot use a reader after destroy()');
  });

  test('a reader with memory of its own', async () => {
    // WebKit has no byte streams: there the stream is one of other chunks.
    const lengths = [65_536, 1, 1_048_576, 16_384];
    expect(await allInto(verified(content, hash, options), lengths)).toEqual(content);
  });
});

describe('mirrors', () => {
  /** A source that counts what it is asked for. */
  const counting = (
    bytes: Uint8Array,
    answer = (from: number, to: number) => Promise.resolve(bytes.slice(from, to)),
  ) => {
    const asked: [number, number][] = [];
    return {
      asked,
      size: bytes.length,
      read(from: number, to: number) {
        asked.push([from, to]);
        return answer(from, to);
      },
    };
  };
  const options = { outboard: tree, groupLength };

  test('one wrong group is asked for elsewhere, and nothing else', async () => {
    const [bad, good] = [counting(flipped(content, 100_000)), counting(content)];
    expect(await read(verified(bad, hash, { ...options, sources: [good] }))).toEqual(content);
    expect(good.asked[0]).toEqual([98_304, 114_688]);
  });

  test('several wrong groups of one source, and of several', async () => {
    const wrongAt = (...places: number[]): Uint8Array<ArrayBuffer> =>
      places.reduce((bytes, at) => flipped(bytes, at), content);
    for (const sources of [
      [wrongAt(70_000, 100_000, 120_000, 299_000), content],
      [wrongAt(0, 16_384, 32_768, 250_000), content],
      [wrongAt(70_000, 120_000), wrongAt(100_000, 250_000)],
      [wrongAt(70_000, 100_000), wrongAt(100_000, 120_000), wrongAt(70_000, 120_000, 130_000)],
    ]) {
      const [first, ...others] = sources.map((bytes) => counting(bytes));
      expect(await read(verified(first, hash, { ...options, sources: others }))).toEqual(content);
      const reader = await verifiedReader(first, hash, { ...options, sources: others });
      expect(await reader.read(60_000, 290_000)).toEqual(content.slice(60_000, 290_000));
    }
  });

  test('a source that is silent, fails, or has another size', async () => {
    const silent = counting(content, () => new Promise(() => undefined));
    const failing = counting(content, () => Promise.reject(new Error('no route')));
    const short = counting(content.subarray(1));
    for (const bad of [silent, failing, short]) {
      const stream = verified(bad, hash, { ...options, sources: [counting(content)], patience: 1 });
      expect(await read(stream)).toEqual(content);
      expect(bad.asked.length).toBeLessThanOrEqual(1);
    }
    await expect(read(verified(failing, hash, { ...options, sources: [short] }))).rejects.toThrow(
      'the source has 300000 bytes, and the outboard is of 300001 bytes',
    );
  });

  test('all wrong', async () => {
    const stream = verified(flipped(content, 5), hash, { ...options, sources: [flipped(content, 6)] });
    await expect(read(stream)).rejects.toThrow('bytes 0 to 16384 do not match the hash');
  });

  test('all wrong, while several reads are under way', async () => {
    const places = [5, 20_000, 70_000, 100_000, 150_000, 200_000];
    const wrong = (bit: number) => {
      const source = counting(places.reduce((bytes, at) => flipped(bytes, at, bit), content));
      return {
        ...source,
        async read(from: number, to: number) {
          if (source.asked.length > 1000) throw new Error('asked for ever');
          // A task, in which the other reads go on.
          await new Promise((resolve) => setTimeout(resolve));
          return source.read(from, to);
        },
      };
    };
    const reader = await verifiedReader(wrong(1), hash, { ...options, sources: [wrong(2), wrong(4)] });
    const results = await Promise.allSettled(places.map((at) => reader.read(at, at + 1)));
    expect(results.map((result) => String((result as PromiseRejectedResult).reason))).toEqual(
      places.map((at) => {
        const from = at - (at % groupLength);
        return `Error: bytes ${from} to ${from + groupLength} do not match the hash`;
      }),
    );
  });

  test.each([
    ['outboard', (source: AsyncIterable<Uint8Array>, signal: AbortSignal) => outboard(source, { signal })],
    ['encode', (source: AsyncIterable<Uint8Array>, signal: AbortSignal) => encode(source, { signal })],
    ['decode', (source: AsyncIterable<Uint8Array>, signal: AbortSignal) => decode(source, hash, { signal })],
    ['verified', (source: AsyncIterable<Uint8Array>, signal: AbortSignal) => read(verified(source, hash, { signal }))],
  ])('a signal is heard between empty pieces: %s', async (_, use) => {
    // Without a turn of the event loop between them, no timer fires before the last.
    async function* empty() {
      for (let i = 0; i < 300_000; i++) yield await Promise.resolve(new Uint8Array(0));
    }
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 0);
    await expect(use(empty(), controller.signal)).rejects.toThrow('enough');
  });

  test('a signal ends a stream that waits', async () => {
    const controller = new AbortController();
    const silent = counting(content, () => new Promise(() => undefined));
    const reading = read(verified(silent, hash, { ...options, signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('enough')), 5);
    await expect(reading).rejects.toThrow('enough');
  });
});

describe('reads at the same time', () => {
  /** A source whose answers wait until they are let go. */
  function held(bytes: Uint8Array) {
    const waiting: (() => void)[] = [];
    let isHeld = false;
    let aborted = 0;
    return {
      size: bytes.length,
      async read(from: number, to: number, signal: AbortSignal) {
        signal.addEventListener('abort', () => aborted++);
        if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
        signal.throwIfAborted();
        return bytes.slice(from, to);
      },
      hold: () => (isHeld = true),
      waiting,
      letGo() {
        isHeld = false;
        waiting.splice(0).forEach((go) => go());
      },
      aborted: () => aborted,
    };
  }
  /** In groups of 1 KiB, so that the outboard has several pages. */
  const long = sample(2_500_000, 7);
  const longHash = blake3(long);
  const longTree = modelOf(long, 1024, false);
  const turn = () => new Promise((resolve) => setTimeout(resolve));

  test.each(['first', 'second', 'both'] as const)('the %s is given up', async (which) => {
    const source = held(longTree);
    const reader = await verifiedReader(long, longHash, { outboard: source });
    source.hold();
    // Their groups have parents on one page of the outboard.
    const [first, second] = [new AbortController(), new AbortController()];
    const reads = [reader.read(1_500_000, 1_500_010, first.signal), reader.read(1_503_000, 1_503_010, second.signal)];
    const settled = Promise.allSettled(reads);
    await turn();
    expect(source.waiting.length).toBe(1);
    if (which !== 'second') first.abort(new Error('enough'));
    if (which !== 'first') second.abort(new Error('enough'));
    const isOver = which === 'both';
    await turn();
    expect(source.aborted()).toBe(isOver ? 1 : 0);
    source.letGo();
    const refused = { status: 'rejected', reason: new Error('enough') };
    expect(await settled).toEqual([
      which === 'second' ? { status: 'fulfilled', value: long.slice(1_500_000, 1_500_010) } : refused,
      which === 'first' ? { status: 'fulfilled', value: long.slice(1_503_000, 1_503_010) } : refused,
    ]);
    // The page comes again for those that come later.
    expect(await reader.read(1_500_000, 1_500_010)).toEqual(long.slice(1_500_000, 1_500_010));
    reader.destroy();
  });

  test('one that begins in the turn in which the only other is given up', async () => {
    const source = held(longTree);
    const reader = await verifiedReader(long, longHash, { outboard: source });
    source.hold();
    const controller = new AbortController();
    const first = expect(reader.read(1_500_000, 1_500_010, controller.signal)).rejects.toThrow('enough');
    await turn();
    controller.abort(new Error('enough'));
    const second = reader.read(1_500_000, 1_500_010);
    await first;
    await turn();
    source.letGo();
    expect(await second).toEqual(long.slice(1_500_000, 1_500_010));
    reader.destroy();
  });
});

test('wrong arguments are refused at once', () => {
  expect(() => decode(woven, hash.subarray(1))).toThrow('"hash" expected Uint8Array of length 32, got length=31');
  expect(() => outboard(content, { groupLength: 3000 })).toThrow(
    '"groupLength" expected power of two from 1024 to 65536, got 3000',
  );
  expect(() => verified(content, hash, { range: { from: 2, to: 1 } })).toThrow(
    '"to" expected integer from 2 up, got 1',
  );
  expect(() => verified(content, hash, { sources: [content] })).toThrow('"sources" expected with "outboard"');
  expect(() => slice(content, -1, 5)).toThrow('"start" expected integer from 0 up, got -1');
  expect(() => outboard.load(new Uint8Array(10))).toThrow('"state" expected what save() of this version gave');
});
