/** The official vectors of BLAKE3 through every entry point, and its counters at their ends, on every engine. */
// Runs in every mode: known answers.
import { describe, expect, test } from 'vitest';
import { blake3, hashMany, subtree, type Blake3 } from '../../src/blake3.ts';
import { atOffset, concat, expectBytes, guarded, unhex } from '../support/bytes.ts';
import { onEachEngine } from '../support/engines.ts';
import { modeNames, modes, pattern, piecesOf, testsOf, type ModeName } from '../support/blake3.ts';

type Official = Readonly<Record<ModeName, string>> & { readonly input_len: number };
const official = testsOf<Official>('blake3.json', 35);

interface Edge {
  readonly kind: 'output' | 'tail' | 'subtree';
  readonly mode: ModeName;
  readonly input_len: number;
  readonly position: string;
  readonly length: number;
  readonly output: string;
  readonly chunksBefore: string;
  readonly stack: readonly string[];
  readonly offset: string;
  readonly chainingValue: string;
}
const edge = testsOf<Edge>('blake3-edge.json', 195);
const ofKind = (kind: Edge['kind']): Edge[] => edge.filter((t) => t.kind === kind);

const inputs = new Map([...official, ...edge].map(({ input_len }) => [input_len, pattern(input_len)]));
const input = (length: number): Uint8Array<ArrayBuffer> => inputs.get(length)!;

/** Takes a message in updates of one size. */
function inPieces(message: Uint8Array, size: number, hasher: Blake3): Blake3 {
  for (const piece of piecesOf(message, size)) hasher.update(piece);
  return hasher;
}

onEachEngine(() => {
  describe.each(modeNames)('official vectors, %s', (name) => {
    const mode = modes[name];
    const all = official.map((vector) => ({
      length: vector.input_len,
      message: input(vector.input_len),
      long: unhex(vector[name]),
    }));

    test('one call', () => {
      for (const { length, message, long } of all) {
        expectBytes(blake3(message, mode), long.subarray(0, 32), `${length} bytes`);
        for (const dkLen of [1, 31, 33, 63, 64, 65, 127, 128, 131])
          expectBytes(blake3(message, { ...mode, dkLen }), long.subarray(0, dkLen), `${length} bytes to ${dkLen}`);
      }
    });

    test('any alignment', () => {
      for (const { length, message, long } of all)
        for (const offset of [1, 2, 3, 5, 7, 9, 15]) {
          const view = atOffset(offset, message);
          expectBytes(blake3(view, { ...mode, dkLen: 131 }), long, `${length} bytes at ${offset}`);
          const hasher = blake3.create({ ...mode, dkLen: 131 }).update(view);
          expectBytes(hasher.digest(), long, `${length} bytes at ${offset}, streamed`);
        }
    });

    test.each([1, 777, 65_536, 2 ** 20])('updates of %i bytes', (size) => {
      for (const { length, message, long } of all) {
        // 102,400 updates of one byte take long without WebAssembly, and test nothing new.
        if (size === 1 && length > 32_000) continue;
        const what = `${length} bytes`;
        expectBytes(inPieces(message, size, blake3.create(mode)).digest(), long.subarray(0, 32), what);
        expectBytes(inPieces(message, size, blake3.create({ ...mode, dkLen: 131 })).digest(), long, `${what}, dkLen`);
        const { out, check } = guarded(131, 3);
        inPieces(message, size, blake3.create({ ...mode, dkLen: 131 })).digestInto(out);
        expectBytes(out, long, `${what}, digestInto`);
        check(what);
        const hasher = inPieces(message, size, blake3.create(mode));
        expectBytes(hasher.peek(), long.subarray(0, 32), `${what}, peek`);
        expectBytes(hasher.peek(131), long, `${what}, peek of 131`);
        expectBytes(hasher.clone().xof(131), long, `${what}, clone and xof`);
        expectBytes(blake3.load(hasher.save()).xof(131), long, `${what}, save, load and xof`);
        expectBytes(hasher.xof(131), long, `${what}, xof`);
      }
    });

    test('output in pieces', () => {
      for (const { length, message, long } of all)
        for (const size of [1, 2, 7, 32, 63, 64, 65, 100]) {
          const hasher = blake3.create(mode).update(message);
          const pieces = [...piecesOf(long, size)].map((piece, i) =>
            i % 2 ? hasher.xof(piece.length) : hasher.xofInto(new Uint8Array(piece.length)),
          );
          expectBytes(concat(...pieces), long, `${length} bytes, output in pieces of ${size}`);
        }
    });

    test('output from every position', () => {
      for (const { length, message, long } of all) {
        const hasher = blake3.create(mode).update(message);
        for (let at = 130; at >= 0; at--) {
          const { out, check } = guarded(131 - at);
          hasher.seek(at % 2 ? at : BigInt(at)).xofInto(out);
          expectBytes(out, long.subarray(at), `${length} bytes, from ${at}`);
          check(`${length} bytes, from ${at}`);
        }
        const before = blake3.create(mode).update(message).seek(70);
        expectBytes(before.xof(20), long.subarray(70, 90), `${length} bytes, seek before the first xof`);
      }
    });

    test('many at once', () => {
      for (const dkLen of [20, 32, 64, 131]) {
        const messages = all.flatMap(({ message }) => [message, message]);
        const digests = hashMany(messages, { ...mode, dkLen });
        all.forEach(({ length, long }, i) => {
          expectBytes(digests[2 * i], long.subarray(0, dkLen), `${length} bytes to ${dkLen}`);
          expectBytes(digests[2 * i + 1], long.subarray(0, dkLen), `${length} bytes to ${dkLen}, again`);
        });
      }
    });

    test('the context as bytes', () => {
      if (typeof mode.context !== 'string') return;
      const bytes = new TextEncoder().encode(mode.context);
      for (const { length, message, long } of all)
        expectBytes(blake3(message, { context: bytes, dkLen: 131 }), long, `${length} bytes`);
    });
  });

  test('output at positions up to the last byte of all', () => {
    for (const { mode, input_len, position, length, output } of ofKind('output')) {
      const what = `${mode} of ${input_len} bytes from ${position}`;
      const at = BigInt(position);
      const hasher = blake3.create(modes[mode]).update(input(input_len)).seek(at);
      expectBytes(hasher.xof(length), unhex(output), what);
      // The same output in pieces, with seeks forwards and backwards.
      const pieces = [1, 62, 2, 64, 7].filter(
        (size, i, sizes) => sizes.slice(0, i + 1).reduce((a, b) => a + b) <= length,
      );
      hasher.seek(at);
      const given = pieces.map((size) => hasher.xof(size));
      expectBytes(concat(...given), unhex(output).subarray(0, concat(...given).length), `${what}, in pieces`);
      if (at <= BigInt(Number.MAX_SAFE_INTEGER))
        expectBytes(hasher.seek(Number(at)).xof(length), unhex(output), `${what}, as a number`);
    }
  });

  test('long output that passes block 2^32 is the same as in short pieces', () => {
    const start = 2n ** 38n - 100_000n;
    const hasher = blake3.create(modes.keyed_hash).update(input(1000)).seek(start);
    const long = hasher.xof(200_001);
    hasher.seek(start);
    const short = Array.from({ length: 201 }, (_, i) => hasher.xof(i < 200 ? 1000 : 1));
    expectBytes(concat(...short), long, '200,001 bytes');
  });

  test('messages of which up to 2^52 chunks came before', () => {
    for (const { mode, input_len, chunksBefore, stack, output } of ofKind('tail')) {
      const message = input(input_len);
      for (const first of [1, 700, 16_384]) {
        const size = Math.min(first, input_len);
        const hasher = blake3.load(stateAfter(mode, chunksBefore, stack, message.subarray(0, size)));
        const count = 1024n * BigInt(chunksBefore) + BigInt(size);
        const what = `${mode}, ${chunksBefore} chunks before ${input_len} bytes`;
        expect(hasher.count, what).toBe(count > BigInt(Number.MAX_SAFE_INTEGER) ? count : Number(count));
        hasher.update(message.subarray(size));
        expectBytes(hasher.clone().xof(80), unhex(output), what);
        expectBytes(blake3.load(hasher.save()).peek(80), unhex(output), `${what}, saved and loaded`);
      }
    }
  });

  test('parts of messages, up to chunk 2^43', () => {
    for (const { mode, input_len, offset, chainingValue } of ofKind('subtree')) {
      const part = subtree(input(input_len), { ...modes[mode], offset: Number(offset) });
      expectBytes(part.chainingValue, unhex(chainingValue), `${mode}, ${input_len} bytes at ${offset}`);
    }
  });
});

/**
 * A saved state, version 2, after `chunks` chunks: its head with the number of chaining values, of pending bytes and of
 * chunks changed, then the chaining values and the pending bytes.
 */
function stateAfter(mode: ModeName, chunks: string, stack: readonly string[], pending: Uint8Array): Uint8Array {
  const head = blake3.create(modes[mode]).save();
  expect([head.length, head[0]]).toEqual([64, 2]);
  const view = new DataView(head.buffer);
  head[2] = stack.length;
  view.setUint32(4, pending.length, true);
  view.setBigUint64(8, BigInt(chunks), true);
  return concat(head, ...stack.map(unhex), pending);
}
