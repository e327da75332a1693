/**
 * PBKDF2-HMAC-SHA-256 with one iteration (RFC 8018 §5.2, RFC 2104) in linear memory, in steps: block i of its output is
 * HMAC(password, salt || i), where i is a big-endian word.
 */
import type { Instance } from '../engine/instance.ts';
import { fillBytes, floor, min, moveBytes, part } from '../engine/intrinsics.ts';
import { BLOCK_BYTES, DIGEST, INNER, OUTER, STAGE, STAGE_BYTES, STARTED, STATE, STATE_BYTES } from './map.ts';
import type { Functions } from './module.ts';

/** Number of bytes that the padding of SHA-256 adds at least: a bit, and the length in bits. FIPS 180-4 §5.1.1 */
const LEAST_PADDING = 9;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/** A big-endian word. */
function writeWord(memory: Uint8Array, at: number, word: number): void {
  for (let i = 0; i < 4; i++) memory[at + i] = word >>> (24 - 8 * i);
}

/**
 * Pads a message of `length` bytes, whose last `rest` are at an address and begin a block; memory is zero after them. Returns
 * the number of blocks from the address on.
 */
function pad(memory: Uint8Array, address: number, rest: number, length: number): number {
  const blocks = rest + LEAST_PADDING > BLOCK_BYTES ? 2 : 1;
  const end = address + blocks * BLOCK_BYTES;
  memory[address + rest] = 0x80;
  writeWord(memory, end - 8, floor(length / 2 ** 29));
  writeWord(memory, end - 4, length << 3);
  return blocks;
}

export class Pbkdf2 {
  readonly #kernel: Instance<Functions>;
  /** The bytes of the salt in STAGE, after its whole blocks, and the number of blocks that they and their padding fill. */
  #rest = 0;
  #blocks = 0;

  /** Takes the password. Memory is zero. */
  constructor(kernel: Instance<Functions>, password: Uint8Array, length: number) {
    this.#kernel = kernel;
    const { memory, run } = kernel;
    if (length > BLOCK_BYTES) {
      run.start();
      const rest = this.#absorb(password, length);
      run.compress(STAGE, pad(memory, STAGE, rest, length));
      fillBytes(memory, 0, STAGE, STAGE + 2 * BLOCK_BYTES);
      moveBytes(memory, STAGE, STATE, STATE + STATE_BYTES);
    } else kernel.write(STAGE, length, password);
    this.#beginWith(INNER_PAD, INNER);
    this.#beginWith(INNER_PAD ^ OUTER_PAD, OUTER);
    fillBytes(memory, 0, STAGE, STAGE + BLOCK_BYTES);
    pad(memory, DIGEST, STATE_BYTES, BLOCK_BYTES + STATE_BYTES);
  }

  /** XORs a byte onto the key at STAGE, hashes it, and saves the chaining value. */
  #beginWith(byte: number, to: number): void {
    const { memory, run } = this.#kernel;
    for (let i = STAGE; i < STAGE + BLOCK_BYTES; i++) memory[i] ^= byte;
    run.start();
    run.compress(STAGE, 1);
    moveBytes(memory, to, STATE, STATE + STATE_BYTES);
  }

  /** Takes a salt. */
  salt(salt: Uint8Array, length: number): void {
    this.beginSalt();
    this.endSalt(length, this.#absorb(salt, length));
  }

  /** Takes a salt whose whole blocks the caller gives to the kernel; the other bytes are then at STAGE. */
  beginSalt(): void {
    moveBytes(this.#kernel.memory, STATE, INNER, INNER + STATE_BYTES);
  }

  endSalt(length: number, rest = 0): void {
    const { memory } = this.#kernel;
    moveBytes(memory, STARTED, STATE, STATE + STATE_BYTES);
    fillBytes(memory, 0, STAGE + rest, STAGE + STAGE_BYTES);
    this.#rest = rest;
    this.#blocks = pad(memory, STAGE, rest + 4, BLOCK_BYTES + length + 4);
  }

  /** Block `number` of the output, from 1 on, goes to STATE. */
  block(number: number): void {
    const { memory, run } = this.#kernel;
    moveBytes(memory, STATE, STARTED, STARTED + STATE_BYTES);
    writeWord(memory, STAGE + this.#rest, number);
    run.compress(STAGE, this.#blocks);
    moveBytes(memory, DIGEST, STATE, STATE + STATE_BYTES);
    moveBytes(memory, STATE, OUTER, OUTER + STATE_BYTES);
    run.compress(DIGEST, 1);
  }

  /** Hashes the whole blocks of `bytes`; the rest stays at STAGE, and zeros after it. Returns the length of the rest. */
  #absorb(bytes: Uint8Array, length: number): number {
    const { memory, run } = this.#kernel;
    let size: number;
    for (let at = 0; ; at += STAGE_BYTES) {
      size = min(STAGE_BYTES, length - at);
      this.#kernel.write(STAGE, size, part(bytes, at, size));
      if (size < STAGE_BYTES) break;
      run.compress(STAGE, STAGE_BYTES / BLOCK_BYTES);
    }
    const rest = size % BLOCK_BYTES;
    if (rest < size) {
      run.compress(STAGE, (size - rest) / BLOCK_BYTES);
      moveBytes(memory, STAGE, STAGE + size - rest, STAGE + size);
    }
    fillBytes(memory, 0, STAGE + rest, STAGE + STAGE_BYTES);
    return rest;
  }
}
