/**
 * Faults of the public modules that hide at one length or number. The lint of numbers refuses each: its number is on no list, or
 * an expression of the list is gone. All of them once passed all tests and claims, or are of the same kind.
 */
export interface ModuleFault {
  readonly file: string;
  readonly planted: string;
  readonly from: string;
  readonly to: string;
}

export const moduleFaults: readonly ModuleFault[] = [
  {
    file: 'chacha/aead.ts',
    planted: 'the verdict on messages in parts is ignored from 5,000,000 bytes on (J05)',
    from: 'if (run.verify(STAGE) !== 1) return false;',
    to: 'if (run.verify(STAGE) !== 1 && length < 5_000_000) return false;',
  },
  {
    file: 'chacha/aead.ts',
    planted: '4000 bytes fewer are wiped, by a sum (J04F)',
    from: 'const to = STAGE + length + MARGIN;',
    to: 'const to = STAGE + length + MARGIN - 4000 * max(0, 1 - max(length - 6007, 6007 - length));',
  },
  {
    file: 'keystream/map.ts',
    planted: 'keys of messages of 6007 bytes are not wiped (J04S)',
    from: '(length <= 2 * BLOCK_BYTES ? STATE : SETS)',
    to: '(length <= 2 * BLOCK_BYTES ? STATE : length === 6007 ? STAGE : SETS)',
  },
  {
    file: 'scrypt/derive.ts',
    planted: 'from N = 2^20 on only half of V is read (N04)',
    from: 'word & (N - 1)',
    to: 'word & (N >= 2 ** 20 ? N / 2 - 1 : N - 1)',
  },
  {
    file: 'scrypt/pbkdf2.ts',
    planted: 'lengths from 2^29 bytes on lose their high word (N05)',
    from: 'floor(length / 2 ** 29)',
    to: '0',
  },
  {
    file: 'siv/sealing.ts',
    planted: 'the second half of the tag of messages over 1,000,000 bytes is not compared (N06)',
    from: '(first & run.verify(BLOCK + HALF)) === 1',
    to: '(first & (length > 1_000_000 ? 1 : run.verify(BLOCK + HALF))) === 1',
  },
  {
    file: 'siv/sealing.ts',
    planted: 'messages of 6007 bytes are not wiped (N36)',
    from: 'const to = STAGE + length + MARGIN;',
    to: 'const to = length === 6007 ? AAD : STAGE + length + MARGIN;',
  },
  {
    file: 'stream/secretstream-state.ts',
    planted: 'from 1,000,000 bytes on the MAC has the length of the message without its first block (N12)',
    from: '(BLOCK + length) | 0, high(BLOCK + length), STAGE)',
    to: '(length < 1_000_000 ? BLOCK + length : length) | 0, high(BLOCK + length), STAGE)',
  },
  {
    file: 'stream/secretstream-state.ts',
    planted: 'messages of 5008 bytes are not wiped (N37)',
    from: 'const to = STAGE + min(BLOCK + length',
    to: 'const to = length === 5008 ? SETS : STAGE + min(BLOCK + length',
  },
  {
    file: 'stream/secretstream-state.ts',
    planted: 'with 5952 bytes of additional data the working memory is not wiped (N38)',
    from: 'this.#lend(work, at, () => {',
    to: 'this.#lend(work, adLength === 5952 ? 0 : at, () => {',
  },
  {
    file: 'engine/own-memory.ts',
    planted: 'memories from 16,384 pages on have one page fewer (N23)',
    from: 'setPages(bytes, pages);',
    to: 'setPages(bytes, pages < 16_384 ? pages : pages - 1);',
  },

  // The same by other means.
  {
    file: 'chacha/aead.ts',
    planted: 'the verdict is ignored from 2^22 bytes on, by a shift',
    from: 'if (run.verify(STAGE) !== 1) return false;',
    to: 'if (run.verify(STAGE) !== 1 && length >>> 22 === 0) return false;',
  },
  {
    file: 'chacha/aead.ts',
    planted: 'the verdict is ignored from 41 stages on, by a product of a name',
    from: 'if (run.verify(STAGE) !== 1) return false;',
    to: 'if (run.verify(STAGE) !== 1 && length < 41 * STAGE_BYTES) return false;',
  },
  {
    file: 'calls/parts.ts',
    planted: 'parts from 123 * 45 * 67 bytes on are not copied out, by a product of small numbers',
    from: 'if (out) kernel.read',
    to: 'if (out && from < 123 * 45 * 67) kernel.read',
  },
  {
    file: 'keystream/counter.ts',
    planted: 'a counter carries one block late at a number that a string has',
    from: 'low: sum % 2 ** 32',
    to: "low: sum - +'4294967295' > 0 ? sum % 2 ** 32 : sum % 2 ** 32",
  },
  {
    file: 'blake3/message.ts',
    planted: 'the high word of chunk numbers is lost',
    from: 'floor(number / 2 ** 32)',
    to: '0',
  },
  {
    file: 'sha2/stage.ts',
    planted: 'the high word of a length in bits is lost',
    from: 'bits /= 256',
    to: 'bits = i === 4 ? 0 : bits / 256',
  },
  {
    file: 'sha2/pbkdf2.ts',
    planted: 'from block 2^24 on blocks repeat',
    from: 'number >>> 24',
    to: '0',
  },
  {
    file: 'stream/chacha-chunks.ts',
    planted: 'chunk numbers from 2^16 on repeat',
    from: 'floor(index / 256)',
    to: 'floor((index & 0xffff) / 256)',
  },
];
