/**
 * A write-ahead log (sqlite.org/fileformat2.html §4): frames of a header, which begins with a page's number, and the page. Checksums are those of
 * the ciphertexts, where SQLite's own, which are above this layer, are those of the plaintexts: frames get the one or the other on their way.
 */
import { IOERR_WRITE, SQLiteFailure } from '../codes.ts';
import { partsOf } from '../files/encrypted-file.ts';
import type { Steps } from '../steps.ts';
import { Log } from './log.ts';
import type { PageCipher } from './pages.ts';

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Where the header of a frame has its checksum, which covers the first 8 bytes of the header, and the page. */
const SUM_AT = 16;
const SUM_BYTES = 8;

type Sum = readonly [number, number];

function sumIn(bytes: Uint8Array, at: number): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  return [view.getUint32(0), view.getUint32(4)];
}

function writeSum(bytes: Uint8Array, at: number, [a, b]: Sum): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at);
  view.setUint32(0, a);
  view.setUint32(4, b);
}

/** sqlite.org/fileformat2.html §4.2 */
function checksum(bytes: Uint8Array, [a, b]: Sum, isBigEndian: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + view.getUint32(at, !isBigEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, !isBigEndian) + a) >>> 0;
  }
  return [a, b];
}

export class WriteAheadLog extends Log {
  /** A page that SQLite writes in two parts, where a flush comes between: how many bytes came, and where the page begins. */
  #part = new Uint8Array(0);
  #partAt = -1;
  #filled = 0;
  /** The checksum of plaintexts after the frame that was read last, and the number of the next. */
  #sum: Sum = [0, 0];
  #next = -1;

  *read(into: Uint8Array, at: number): Steps<boolean> {
    const isWhole = yield* this.raw.read(into, at);
    if (at + into.length <= LOG_HEADER_BYTES + FRAME_HEADER_BYTES) return isWhole;
    const cipher = yield* this.database.cipher();
    const frame = FRAME_HEADER_BYTES + cipher.pageSize;
    const skipped = Math.max(0, LOG_HEADER_BYTES - at);
    for (const part of partsOf(at + skipped - LOG_HEADER_BYTES, into.length - skipped, frame)) {
      if (part.to <= FRAME_HEADER_BYTES) continue;
      const frameAt = LOG_HEADER_BYTES + part.index * frame;
      const page = yield* this.page(cipher, frameAt + FRAME_HEADER_BYTES, yield* this.numberAt(frameAt));
      const from = Math.max(part.from, FRAME_HEADER_BYTES);
      const place = skipped + part.at + from - part.from;
      if (page) into.set(page.subarray(from - FRAME_HEADER_BYTES, part.to - FRAME_HEADER_BYTES), place);
      else into.fill(0, place, place + part.to - from);
      if (part.to - part.from === frame)
        yield* this.#translate(into.subarray(skipped + part.at, skipped + part.at + frame), part.index);
    }
    return isWhole;
  }

  /** Gives a frame, decrypted, the checksum of the plaintexts up to it, if its own is that of the ciphertexts. SQLite reads them in turn. */
  *#translate(frame: Uint8Array, index: number): Steps<void> {
    const at = LOG_HEADER_BYTES + index * frame.length;
    const isBig = yield* this.#isBigEndian();
    if (index === 0) this.#sum = yield* this.#sumAt(LOG_HEADER_BYTES - SUM_BYTES);
    else if (index !== this.#next) return;
    const stored = new Uint8Array(frame.length);
    yield* this.raw.read(stored, at);
    const own = yield* this.#sumOf(stored, index, isBig);
    const [a, b] = sumIn(stored, SUM_AT);
    if (own[0] !== a || own[1] !== b) {
      this.#next = -1;
      return;
    }
    this.#sum = checksum(frame.subarray(FRAME_HEADER_BYTES), checksum(frame.subarray(0, 8), this.#sum, isBig), isBig);
    this.#next = index + 1;
    writeSum(frame, SUM_AT, this.#sum);
  }

  /** The checksum of a frame as it is stored, which goes on from that of the frame before. */
  *#sumOf(stored: Uint8Array, index: number, isBig: boolean): Steps<Sum> {
    const at = LOG_HEADER_BYTES + (index - 1) * stored.length + SUM_AT;
    const before = yield* this.#sumAt(index === 0 ? LOG_HEADER_BYTES - SUM_BYTES : at);
    return checksum(stored.subarray(FRAME_HEADER_BYTES), checksum(stored.subarray(0, 8), before, isBig), isBig);
  }

  *#sumAt(at: number): Steps<Sum> {
    const bytes = new Uint8Array(SUM_BYTES);
    yield* this.raw.read(bytes, at);
    return sumIn(bytes, 0);
  }

  /** The lowest bit of the magic number tells how the checksums take the bytes. */
  *#isBigEndian(): Steps<boolean> {
    return ((yield* this.numberAt(0)) & 1) === 1;
  }

  *write(bytes: Uint8Array, at: number): Steps<void> {
    if (at < LOG_HEADER_BYTES + FRAME_HEADER_BYTES) return yield* this.raw.write(bytes, at);
    const cipher = yield* this.database.cipher();
    const { pageSize } = cipher;
    const from = (at - LOG_HEADER_BYTES) % (FRAME_HEADER_BYTES + pageSize);
    if (from + bytes.length <= FRAME_HEADER_BYTES) {
      yield* this.raw.write(bytes, at);
      // SQLite writes the header alone when a page before was replaced: its page stays, and its checksum changes.
      return yield* this.#seal(cipher, at - from);
    }
    const inPage = from - FRAME_HEADER_BYTES;
    const pageAt = at - inPage;
    if (inPage === 0 && this.#part.length !== pageSize) this.#part = new Uint8Array(pageSize);
    if (inPage === 0) {
      this.#partAt = pageAt;
      this.#filled = 0;
    }
    if (inPage < 0 || inPage !== this.#filled || pageAt !== this.#partAt || inPage + bytes.length > pageSize)
      throw new SQLiteFailure(IOERR_WRITE, 'a write-ahead log expected pages, written from their beginning on');
    this.#part.set(bytes, inPage);
    this.#filled += bytes.length;
    if (this.#filled < pageSize) return;
    const number = yield* this.numberAt(pageAt - FRAME_HEADER_BYTES);
    yield* this.store(cipher, this.#part, pageAt, number);
    yield* this.#seal(cipher, pageAt - FRAME_HEADER_BYTES);
    this.#part.fill(0);
    this.#partAt = -1;
  }

  /** Gives a frame that is whole the checksum of the ciphertexts up to it. */
  *#seal({ pageSize }: PageCipher, at: number): Steps<void> {
    const stored = new Uint8Array(FRAME_HEADER_BYTES + pageSize);
    if (!(yield* this.raw.read(stored, at))) return;
    const sum = yield* this.#sumOf(stored, (at - LOG_HEADER_BYTES) / stored.length, yield* this.#isBigEndian());
    const bytes = new Uint8Array(SUM_BYTES);
    writeSum(bytes, 0, sum);
    yield* this.raw.write(bytes, at + SUM_AT);
  }

  override destroy(): void {
    super.destroy();
    this.#part.fill(0);
  }
}
