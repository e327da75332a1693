/** Properties of the machines of streams, on random pieces of random streams. */
import fc from 'fast-check';
import { openerOf, sealerOf } from '../../../src/stream/chunk-transform.ts';
import { ChaChaChunks } from '../../../src/stream/chacha-chunks.ts';
import { SecretstreamState } from '../../../src/stream/secretstream-state.ts';
import { concat, expectBytes, refusal, sample } from '../../support/bytes.ts';
import { lengths, onAllEngines, property, seeds, type Property } from '../../support/properties.ts';
import { secretstreamModel } from '../../support/secretstream-oracle.ts';
import { messageOpenerOf, messageSealerOf } from '../../../src/stream/message-transform.ts';
import * as models from '../../support/stream-models.ts';
import { chunkingOf, released, viewsOf, type Machine } from '../../support/stream.ts';

const views = Object.values(viewsOf);

/** Where a piece is, and where the result of the call goes. */
interface Piece {
  readonly length: number;
  readonly view: (length: number) => Uint8Array;
  /** Fresh bytes, bytes of the exact length or longer, or the piece's own buffer, so many bytes from its start. */
  readonly out: 'fresh' | 'exact' | 'longer' | number;
}
const pieceOf = (longest: number): fc.Arbitrary<Piece> =>
  fc.record({
    length: fc.oneof(
      fc.constantFrom(0, 1),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: longest }),
      fc.constant(longest),
    ),
    view: fc.constantFrom(...views),
    out: fc.oneof(
      fc.constantFrom<Piece['out'][]>('fresh', 'exact', 'longer'),
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 0, max: longest }),
    ),
  });

/** One call, on a piece that is overwritten as soon as the call returns, before the result is looked at. */
function call(
  { view, out }: Piece,
  bytes: Uint8Array,
  length: number,
  work: (bytes: Uint8Array, out?: Uint8Array) => Uint8Array,
): Uint8Array {
  if (typeof out === 'number') {
    const room = view(bytes.length + out + length);
    const piece = room.subarray(0, bytes.length);
    piece.set(bytes);
    const result = work(piece, room.subarray(out)).slice();
    return result;
  }
  const piece = view(bytes.length);
  piece.set(bytes);
  const result = out === 'fresh' ? work(piece) : work(piece, view(out === 'exact' ? length : length + 99));
  piece.fill(0xaa);
  return result;
}

/** All that a machine gives for bytes in these pieces; the last takes the rest. */
function pushed(machine: Machine, bytes: Uint8Array, pieces: readonly Piece[]): Uint8Array {
  const results: Uint8Array[] = [];
  let at = 0;
  pieces.forEach((piece, i) => {
    const end = i === pieces.length - 1 ? bytes.length : Math.min(bytes.length, at + piece.length);
    const wanted = machine.outputLength(end - at);
    const result = call(piece, bytes.subarray(at, end), wanted, (...values) => machine.push(...values));
    if (result.length !== wanted) throw new Error(`push gave ${result.length} bytes instead of ${wanted}`);
    results.push(result);
    at = end;
  });
  const wanted = machine.outputLength();
  const end = machine.end();
  if (end.length !== wanted) throw new Error(`end gave ${end.length} bytes instead of ${wanted}`);
  return concat(...results, end);
}

/** A format with chunks of any length: mostly short ones, so that there are many of them in a few bytes. */
const chunkings = fc
  .record({
    chunkLength: fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 1, max: 40 }) },
      { weight: 4, arbitrary: fc.integer({ min: 41, max: 1500 }) },
      { weight: 1, arbitrary: fc.constantFrom(16_384, 65_536) },
    ),
    fullLast: fc.boolean(),
    headerLength: fc.constantFrom(0, 56),
  })
  .map(({ chunkLength, fullLast, headerLength }) => chunkingOf(chunkLength, fullLast, headerLength));

const streams = chunkings.chain((chunking) => {
  const { chunkLength } = chunking;
  const chunks = (most: number) => fc.integer({ min: 0, max: most * chunkLength });
  return fc.record({
    chunking: fc.constant(chunking),
    seed: seeds,
    length: fc.oneof(
      chunks(chunkLength > 1500 ? 3 : 8),
      fc.integer({ min: 0, max: 3 }).map((count) => count * chunkLength),
    ),
    pieces: fc.array(pieceOf(3 * chunkLength), { minLength: 1, maxLength: 12 }),
  });
});
type Stream = typeof streams extends fc.Arbitrary<infer T> ? T : never;

function streamOf({ chunking, seed, length }: Stream) {
  const { chunkLength, fullLast } = chunking;
  const [key, random, plaintext] = [sample(32, seed), sample(12, seed + 1), sample(length, seed + 2)];
  const base = fullLast ? new Uint8Array(12) : random;
  const sealed = fullLast
    ? models.agePayload(key, plaintext, chunkLength)
    : models.chunkedBody(key, base, plaintext, chunkLength);
  const cipher = (): ChaChaChunks => new ChaChaChunks(key.slice(), base.slice(), fullLast);
  return {
    plaintext,
    sealed,
    sealer: () => sealerOf(chunking, cipher(), new Uint8Array(0)),
    opener: () => openerOf(chunking, cipher()),
  };
}

const whole = property(
  'a stream of chunks is that of the specification, in any pieces, in any buffers, wherever out is',
  10,
  streams,
  (its) => {
    const { plaintext, sealed, sealer, opener } = streamOf(its);
    onAllEngines((engine) => {
      expectBytes(pushed(sealer(), plaintext, its.pieces), sealed, `${engine} sealed`);
      expectBytes(pushed(opener(), sealed, its.pieces), plaintext, `${engine} opened`);
    });
  },
);

/** The fate of a stream of `chunks` chunks on its way; numbers are taken modulo the lengths. */
const damages = fc.oneof(
  fc.record({ kind: fc.constant('flip' as const), at: fc.nat(), bit: fc.integer({ min: 0, max: 7 }) }),
  fc.record({ kind: fc.constantFrom('cut' as const, 'drop' as const, 'double' as const), at: fc.nat() }),
  fc.record({ kind: fc.constantFrom('swap' as const, 'mix' as const), at: fc.nat(), to: fc.nat() }),
  fc.record({ kind: fc.constant('more' as const), length: fc.integer({ min: 1, max: 50 }) }),
);
type Damage = typeof damages extends fc.Arbitrary<infer T> ? T : never;

function damaged(sealed: Uint8Array, other: Uint8Array, chunk: number, damage: Damage): Uint8Array {
  const chunksOf = (bytes: Uint8Array): Uint8Array[] =>
    Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) => bytes.subarray(chunk * i, chunk * (i + 1)));
  const chunks = chunksOf(sealed);
  const at = 'at' in damage ? damage.at % chunks.length : 0;
  switch (damage.kind) {
    case 'flip': {
      const flipped = sealed.slice();
      flipped[damage.at % sealed.length] ^= 1 << damage.bit;
      return flipped;
    }
    case 'cut':
      return sealed.slice(0, damage.at % sealed.length);
    case 'drop':
      return concat(...chunks.filter((_, i) => i !== at));
    case 'double':
      return concat(...chunks.slice(0, at + 1), ...chunks.slice(at));
    case 'swap': {
      const to = damage.to % chunks.length;
      [chunks[at], chunks[to]] = [chunks[to], chunks[at]];
      return concat(...chunks);
    }
    case 'mix': {
      const others = chunksOf(other);
      chunks[at] = others[damage.to % others.length];
      return concat(...chunks);
    }
    case 'more':
      return concat(sealed, sample(damage.length, 77));
  }
}

const wrong = property(
  'of a stream of chunks that was changed, the authentic ones are released, and then there is an error',
  10,
  fc.tuple(streams, damages),
  ([its, damage]) => {
    const { chunkLength, fullLast } = its.chunking;
    const { plaintext, sealed, opener } = streamOf(its);
    const sealedLength = chunkLength + 16;
    const other = streamOf({ ...its, seed: its.seed + 3 });
    const given = damaged(sealed, other.sealed, sealedLength, damage);
    if (Buffer.compare(given, sealed) === 0) return;
    // A full chunk is released if it and all before it are in their places.
    let good = 0;
    const same = (from: number): boolean =>
      from + sealedLength <= given.length &&
      Buffer.compare(given.subarray(from, from + sealedLength), sealed.subarray(from, from + sealedLength)) === 0;
    while (same(good * sealedLength)) good++;
    const pieces: Uint8Array[] = [];
    for (let at = 0, i = 0; at < given.length; i++) {
      const length = Math.max(its.pieces[i % its.pieces.length].length, Math.ceil(given.length / 1000));
      pieces.push(given.subarray(at, at + length));
      at += length;
    }
    onAllEngines((engine) => {
      const got = released(opener(), pieces);
      expectBytes(got.plaintext, plaintext.subarray(0, good * chunkLength), `${engine} released`);
      if (!/^truncated|^chunk \d+ is (not authentic|empty)|^data after the end$/.test(got.error))
        throw new Error(`${engine}: "${got.error}" for ${damage.kind}, fullLast ${fullLast}`);
    });
  },
);

const messages = fc.record({
  seed: seeds,
  counter: fc.constantFrom(1, 0xff, 0xffff, 0xffffff, 0xfffffffe, 0xffffffff),
  messages: fc.array(
    fc.record({
      length: lengths(140_000),
      ad: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 }), lengths(2100)),
      tag: fc.oneof(fc.constantFrom(0, 1, 2), fc.integer({ min: 0, max: 255 })),
      rekey: fc.constantFrom(false, false, false, true),
      piece: pieceOf(100),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});
type Messages = typeof messages extends fc.Arbitrary<infer T> ? T : never;

const FINAL = 3;
/** The messages as the model seals them; FINAL is the tag of the last one and of no other. */
function sealedBy({ seed, counter, messages: list }: Messages) {
  const [key, header] = [sample(32, seed), sample(24, seed + 1)];
  const model = secretstreamModel(key, header, counter);
  const sealed = list.map(({ length, ad: adLength, tag: any, rekey, piece }, i) => {
    if (rekey) model.rekey();
    const [message, ad] = [sample(length, seed + i), sample(adLength, seed - i)];
    const tag = i === list.length - 1 ? FINAL : any === FINAL ? 0 : any;
    return { message, ad, tag, rekey, piece, sealed: model.push(message, ad, tag) };
  });
  const state = (): SecretstreamState => new SecretstreamState(key, header, counter);
  return {
    sealed,
    sealer: () => messageSealerOf(state(), new Uint8Array(header)),
    opener: () => messageOpenerOf(state(), true),
  };
}

const chained = property(
  "messages are those of libsodium's format, in any buffers, wherever out is",
  10,
  messages,
  (its) => {
    const { sealed, sealer: makeSealer, opener: makeOpener } = sealedBy(its);
    onAllEngines((engine) => {
      const [sealer, opener] = [makeSealer(), makeOpener()];
      sealed.forEach(({ message, ad, tag, rekey, piece, sealed: wanted }, i) => {
        if (rekey) {
          sealer.rekey();
          opener.rekey();
        }
        const made = call(piece, message, wanted.length, (bytes, out) => sealer.push(bytes, out, { tag, ad }));
        expectBytes(made, wanted, `${engine} message ${i} sealed`);
        const got = call(piece, wanted, message.length, (bytes, out) => opener.push(bytes, out, { ad }));
        expectBytes(got, message, `${engine} message ${i} opened`);
        if (opener.tag !== tag) throw new Error(`${engine} message ${i} has the tag ${opener.tag} instead of ${tag}`);
      });
      expectBytes(sealer.end(), new Uint8Array(0), `${engine} the end`);
      opener.end();
    });
  },
);

const forged = property(
  'of messages that were changed, the authentic ones are released, and then there is an error',
  5,
  fc.tuple(
    messages,
    fc.constantFrom('flip', 'cut', 'longer', 'drop', 'double', 'swap', 'mix', 'ad'),
    fc.nat(),
    fc.nat(),
  ),
  ([its, kind, which, where]) => {
    const { sealed, opener: makeOpener } = sealedBy(its);
    const others = sealedBy({ ...its, seed: its.seed + 50 }).sealed;
    const at = which % sealed.length;
    const list = sealed.slice();
    const { sealed: bytes, ad } = sealed[at];
    if (kind === 'flip') {
      const flipped = bytes.slice();
      flipped[where % bytes.length] ^= 1 << (where & 7);
      list[at] = { ...sealed[at], sealed: flipped };
    } else if (kind === 'cut') list[at] = { ...sealed[at], sealed: bytes.subarray(0, where % bytes.length) };
    else if (kind === 'longer') list[at] = { ...sealed[at], sealed: concat(bytes, new Uint8Array(1 + (where % 20))) };
    else if (kind === 'ad') list[at] = { ...sealed[at], ad: concat(ad, new Uint8Array(1)) };
    else if (kind === 'mix') list[at] = others[at];
    else if (kind === 'drop') list.splice(at, 1);
    else if (kind === 'double') list.splice(at, 0, sealed[at]);
    else [list[at], list[(at + 1) % list.length]] = [list[(at + 1) % list.length], list[at]];
    // Messages in their places are opened, up to the first that is not in its place.
    const good = list.findIndex((each, i) => each !== sealed[i]);
    if (good < 0 && list.length === sealed.length) return;
    const first = good < 0 ? list.length : good;
    onAllEngines((engine) => {
      const opener = makeOpener();
      list.slice(0, first).forEach(({ sealed: its, ad, rekey, message }, i) => {
        if (rekey) opener.rekey();
        expectBytes(opener.push(its, undefined, { ad }), message, `${engine} message ${i}`);
      });
      const error = refusal(() => {
        if (first === list.length) opener.end();
        else {
          const ended = first === sealed.length;
          if (list[first].rekey && !ended) opener.rekey();
          opener.push(list[first].sealed, undefined, { ad: list[first].ad });
        }
      });
      if (!/^Error: (message \d+ is (not authentic|truncated)|truncated after|data after the end)/.test(error))
        throw new Error(`${engine}, ${kind}: ${error}`);
    });
  },
);

export const properties: readonly Property[] = [whole, wrong, chained, forged];

/** How many cases the tests draw; `npm run fuzz` draws as many as there is time for. */
export const CASES = 6000;
