/** Streams of bytes on their way: through machines, in pieces, and through streams of the platform. */
import type { Contestant } from '../../client/contestants/contestant.ts';
import type { Passage } from '../../client/room.ts';

/** The length of pieces that files and bodies commonly come in. */
export const PIECE_BYTES = 65536;

/** Receives results, which are valid until it returns. */
export type Take = (bytes: Uint8Array) => void;

type ByteStream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** The bytes that pass through, and the right result. */
interface Passing {
  readonly contestant: Contestant;
  readonly bytes: number;
  readonly expected: Uint8Array;
  /** Decrypts a result that differs every time, by another implementation. */
  readonly opened?: (output: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/** Collects results, which their owner may overwrite. */
function collector(mostBytes: number): { take: Take; collected: () => Uint8Array } {
  const all = new Uint8Array(mostBytes);
  let length = 0;
  return {
    take(bytes) {
      all.set(bytes, length);
      length += bytes.length;
    },
    collected: () => all.subarray(0, length),
  };
}

/** Encryption makes streams longer, by at most this share and a header. */
const roomFor = (bytes: number): number => bytes + bytes / 512 + 4096;

const ignored: Take = () => undefined;

/** Passes everything at once, by a function that returns when it is done. */
export const passing = ({ opened, ...common }: Passing, pass: (take: Take) => void): Passage => ({
  ...common,
  run: () => pass(ignored),
  check() {
    const { take, collected } = collector(roomFor(common.bytes));
    pass(take);
    return opened ? Promise.resolve(opened(collected())) : collected();
  },
});

/** The same, by a function that returns a promise. */
export const passingLater = ({ opened, ...common }: Passing, pass: (take: Take) => Promise<void>): Passage => ({
  ...common,
  asynchronous: true,
  run: () => pass(ignored),
  async check() {
    const { take, collected } = collector(roomFor(common.bytes));
    await pass(take);
    return opened ? opened(collected()) : collected();
  },
});

/** A machine: `push` and `end` with an output buffer. */
interface Machine {
  push(bytes: Uint8Array, out: Uint8Array): Uint8Array;
  end(out: Uint8Array): Uint8Array;
}

/** Pushes bytes through a machine in pieces. One buffer holds the result of a piece, and of the end. */
export function pushAll(machine: Machine, bytes: Uint8Array, piece: number, out: Uint8Array, take: Take): void {
  for (let at = 0; at < bytes.length; at += piece) take(machine.push(bytes.subarray(at, at + piece), out));
  take(machine.end(out));
}

/** Room for the result of pieces of this length, to which bytes of a chunk may be added that were kept. */
export const roomForPiece = (piece: number): Uint8Array => new Uint8Array(roomFor(piece + 65536));

/** A stream that gives bytes in pieces when it is pulled. */
export function streamOf(bytes: Uint8Array<ArrayBuffer>): ByteStream {
  let at = 0;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(at, (at += PIECE_BYTES)));
        if (at >= bytes.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Passes bytes through a function that makes a stream of a stream. */
export const flowing = (
  common: Passing,
  from: Uint8Array<ArrayBuffer>,
  convert: (source: ByteStream) => ByteStream,
  read: typeof drain = drain,
): Passage => passingLater(common, (take) => read(convert(streamOf(from)), take));

/** Reads a stream to its end. */
export async function drain(stream: ReadableStream<Uint8Array>, take: Take): Promise<void> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) take(next.value);
}

/** The same by a BYOB reader, which lends one buffer to and fro. */
export async function drainBack(
  stream: ReadableStream<Uint8Array>,
  take: Take,
  bytes = 2 * PIECE_BYTES,
): Promise<void> {
  const reader = stream.getReader({ mode: 'byob' });
  let room = new Uint8Array(bytes);
  for (let next = await reader.read(room); !next.done; next = await reader.read(room)) {
    take(next.value);
    room = new Uint8Array(next.value.buffer);
  }
}
