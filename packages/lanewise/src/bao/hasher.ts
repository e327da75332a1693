/** The outboard of a content that comes in pieces, while it is hashed. */
import { OutboardBuilder, type Outboard } from './builder.ts';
import { STAGE_BYTES } from './map.ts';
import { hashSubtree } from './nodes.ts';
import { groupLengthOf, parentBytes, readLength, VALUE, writeLength } from './shape.ts';
import { fixed, lengthOf, refuseSurplus } from '../calls/checks.ts';
import { checkAlive, HALF_WAY, type End } from '../calls/lifetime.ts';
import { optionOf, optionsOf } from '../calls/options.ts';
import { byteLengthOf, Bytes, copyBytes, copyOf, fillBytes, floor, min, part } from '../engine/intrinsics.ts';

/** How long the groups of a tree are. */
export interface GroupOptions {
  /**
   * The bytes of a group, which the tree has as leaves: 1024 unless given, as the `bao` crate has them; 16384 as `bao-tree` and iroh. A power
   * of two up to 65536. Longer groups make a shorter outboard, and more bytes that a reader has to fetch for one.
   */
  readonly groupLength?: number;
}

const OPTIONS = { __proto__: null, groupLength: 1 } as const;

/**
 * The saved form, all integers little-endian:
 *
 *      offset  bytes  field
 *           0      1  version: 1
 *           1      7  0
 *           8      8  length of a group
 *          16      8  bytes in whole parts of 64 KiB
 *          24         32 bytes for each of them, then all of their parents; then the bytes after them
 */
const VERSION = 1;
const SAVED_HEADER = 24;

/**
 * Hashes a content in pieces, and keeps the tree over it. Made by `outboard.create` and `outboard.load`. It needs 64 bytes for each group
 * of the content so far.
 */
export class OutboardHasher {
  #builder: OutboardBuilder;
  readonly #pending = new Bytes(STAGE_BYTES);
  #pendingLength = 0;
  #end: End | undefined;

  /** @internal */
  constructor(builder: OutboardBuilder) {
    if (!(builder instanceof OutboardBuilder)) throw new TypeError('this object is made by outboard.create()');
    this.#builder = builder;
  }

  /** @internal */
  static create(options: unknown, expected?: number): OutboardHasher {
    const groupLength = groupLengthOf(optionOf(optionsOf(options, OPTIONS), 'groupLength'));
    return new OutboardHasher(new OutboardBuilder(groupLength, STAGE_BYTES, expected));
  }

  /** @internal */
  static load(state: Uint8Array): OutboardHasher {
    const saved = copyOf(state, lengthOf(state, 'state'));
    const size = byteLengthOf(saved);
    const wrong = (): RangeError => new RangeError('"state" expected what save() of this version gave');
    if (size < SAVED_HEADER || saved[0] !== VERSION) throw wrong();
    let groupLength: number, whole: number;
    try {
      groupLength = groupLengthOf(readLength(part(saved, 8, 8)));
      whole = readLength(part(saved, 16, 8));
    } catch {
      throw wrong();
    }
    for (let i = 1; i < 8; i++) if (saved[i]) throw wrong();
    const parts = whole / STAGE_BYTES;
    const valuesLength = parts * VALUE;
    const parentsLength = parts * parentBytes(STAGE_BYTES, groupLength);
    const pendingAt = SAVED_HEADER + valuesLength + parentsLength;
    const pendingLength = size - pendingAt;
    if (whole % STAGE_BYTES || pendingLength < 0 || pendingLength > STAGE_BYTES || (parts && !pendingLength))
      throw wrong();
    const values = part(saved, SAVED_HEADER, valuesLength);
    const parents = part(saved, SAVED_HEADER + valuesLength, parentsLength);
    const made = new OutboardHasher(new OutboardBuilder(groupLength, STAGE_BYTES).restore(parents, values));
    copyBytes(made.#pending, part(saved, pendingAt, pendingLength));
    made.#pendingLength = pendingLength;
    return made;
  }

  /** The bytes so far. */
  get length(): number {
    return this.#builder.length + this.#pendingLength;
  }

  /**
   * Takes the next bytes of the content.
   *
   * @param bytes - Any number.
   * @returns The object.
   * @throws TypeError if that isn't a Uint8Array, Error after `digest` or `destroy`, or after a call that threw half-way.
   */
  update(bytes: Uint8Array): this {
    refuseSurplus(arguments, 1);
    checkAlive('this outboard', this.#end);
    const its = fixed(bytes, 'bytes');
    this.#end = HALF_WAY;
    this.#absorb(its);
    this.#end = undefined;
    return this;
  }

  /**
   * The hash, and the outboard of all bytes. The object can't be used any more.
   *
   * @returns Both, as fresh bytes.
   * @throws Error after `digest` or `destroy`, or after a call that threw half-way.
   */
  digest(): Outboard {
    refuseSurplus(arguments, 0);
    checkAlive('this outboard', this.#end);
    this.#end = HALF_WAY;
    const rest = part(this.#pending, 0, this.#pendingLength);
    const made = this.#builder.finish(this.#pendingLength, (place, to, at) => {
      const value = new Bytes(VALUE);
      hashSubtree(place, rest, this.#builder.groupLength, to, value, at);
      return value;
    });
    this.#finish('digest()');
    return made;
  }

  /**
   * The state of the object, from which `outboard.load` makes another, here or elsewhere, that goes on with the next bytes. It has the
   * content's last bytes in it, up to 64 KiB.
   *
   * @returns Fresh bytes: 32 and the parents for each 64 KiB of the content, and what follows them.
   * @throws Error after `digest` or `destroy`, or after a call that threw half-way.
   */
  save(): Uint8Array<ArrayBuffer> {
    refuseSurplus(arguments, 0);
    checkAlive('this outboard', this.#end);
    const { parents, values } = this.#builder.state;
    const pendingAt = SAVED_HEADER + byteLengthOf(values) + byteLengthOf(parents);
    const saved = new Bytes(pendingAt + this.#pendingLength);
    saved[0] = VERSION;
    writeLength(this.#builder.groupLength, part(saved, 8, 8));
    writeLength(this.#builder.length, part(saved, 16, 8));
    copyBytes(saved, values, SAVED_HEADER);
    copyBytes(saved, parents, SAVED_HEADER + byteLengthOf(values));
    copyBytes(saved, part(this.#pending, 0, this.#pendingLength), pendingAt);
    return saved;
  }

  /** Wipes the bytes of the content that are kept. The object can't be used any more. */
  destroy(): void {
    refuseSurplus(arguments, 0);
    this.#finish('destroy()');
  }

  #finish(end: End): void {
    this.#end = end;
    fillBytes(this.#pending, 0);
    this.#pendingLength = 0;
    this.#builder = new OutboardBuilder(STAGE_BYTES, STAGE_BYTES);
  }

  /** Whole parts are hashed when it is known that more bytes follow, straight from the caller's memory where that has all of one. */
  #absorb(bytes: Uint8Array): void {
    const length = byteLengthOf(bytes);
    for (let at = 0; at < length;) {
      if (this.#pendingLength === STAGE_BYTES) {
        this.#builder.hash(this.#pending);
        this.#pendingLength = 0;
      }
      if (!this.#pendingLength && length - at > STAGE_BYTES) {
        const whole = floor((length - at - 1) / STAGE_BYTES) * STAGE_BYTES;
        this.#builder.hash(part(bytes, at, whole));
        at += whole;
        continue;
      }
      const taken = min(length - at, STAGE_BYTES - this.#pendingLength);
      copyBytes(this.#pending, part(bytes, at, taken), this.#pendingLength);
      this.#pendingLength += taken;
      at += taken;
    }
  }
}
