/* Vectors of LANES words, one block in each lane. 1 stands for a word of its own. */
#ifndef LANEWISE_LANES_H
#define LANEWISE_LANES_H

#include "common.h"

#define JOIN_(x, y) x##_##y
#define JOIN(x, y) JOIN_(x, y)
/* The name of a function in this width. */
#define WIDE(name) JOIN(name, LANES)

/*
 * How many quarter rounds stand side by side, each on four words: as many as the registers hold. Compilers keep the order of the text: where
 * there are 16 registers for vectors, four of them spill words on the way from one step to the next.
 */
#if defined(__x86_64__) && (LANES == 4 || LANES == 8)
#define SIDE 2
#else
#define SIDE 4
#endif
#define ROUNDS(name) JOIN(name, SIDE)

#if LANES == 1

typedef uint32_t words;
#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))

#else

typedef uint32_t words __attribute__((vector_size(4 * LANES)));
typedef uint8_t octets __attribute__((vector_size(4 * LANES)));

/* The same indices in each part of 128 bits: J is the number of words of the parts before. */
#define PART(J, a, b, c, d) (J) + (a), (J) + (b), (J) + (c), (J) + (d)
#if LANES == 4
#define PARTS(a, b, c, d) PART(0, a, b, c, d)
#elif LANES == 8
#define PARTS(a, b, c, d) PART(0, a, b, c, d), PART(4, a, b, c, d)
#else
#define PARTS(a, b, c, d) PART(0, a, b, c, d), PART(4, a, b, c, d), PART(8, a, b, c, d), PART(12, a, b, c, d)
#endif
/* Four words in each part. */
#if LANES == 4
#define IN_PARTS(...) __VA_ARGS__
#elif LANES == 8
#define IN_PARTS(...) __VA_ARGS__, __VA_ARGS__
#else
#define IN_PARTS(...) __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
#endif
/* Words of the first vector are 0 to 3, of the second LANES to LANES + 3, in each part. */
#define UNPACK(x, y, a, b, c, d) __builtin_shufflevector(x, y, PARTS(a, b, c, d))

#define SECOND LANES
#define LOW32(x, y) UNPACK(x, y, 0, SECOND, 1, SECOND + 1)
#define HIGH32(x, y) UNPACK(x, y, 2, SECOND + 2, 3, SECOND + 3)
#define LOW64(x, y) UNPACK(x, y, 0, 1, SECOND, SECOND + 1)
#define HIGH64(x, y) UNPACK(x, y, 2, 3, SECOND + 2, SECOND + 3)

/* AVX-512 rotates by one instruction, which compilers know; elsewhere whole bytes move by one permutation. */
#if defined(__AVX512VL__) || !(defined(__SSSE3__) || defined(__ARM_NEON))
#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))
#else
#define BYTES4(J, r) (J) + (4 - (r)) % 4, (J) + (5 - (r)) % 4, (J) + (6 - (r)) % 4, (J) + (7 - (r)) % 4
#define BYTES16(J, r) BYTES4(J, r), BYTES4((J) + 4, r), BYTES4((J) + 8, r), BYTES4((J) + 12, r)
#if LANES == 4
#define ALL_BYTES(r) BYTES16(0, r)
#else
#define ALL_BYTES(r) BYTES16(0, r), BYTES16(16, r)
#endif
#define MOVED(x, r) ((words)__builtin_shufflevector((octets)(x), (octets)(x), ALL_BYTES(r)))
#define ROTL(x, n) ((n) == 8 ? MOVED(x, 1) : (n) == 16 ? MOVED(x, 2) : (n) == 24 ? MOVED(x, 3) : ((x) << (n) | (x) >> (32 - (n))))
#endif

/* Four rows become columns, in each part of 128 bits: row i of the result has word i of all four. */
INLINE void columns(words r[4]) {
  const words low01 = LOW32(r[0], r[1]), low23 = LOW32(r[2], r[3]);
  const words high01 = HIGH32(r[0], r[1]), high23 = HIGH32(r[2], r[3]);
  r[0] = LOW64(low01, low23);
  r[1] = HIGH64(low01, low23);
  r[2] = LOW64(high01, high23);
  r[3] = HIGH64(high01, high23);
}

#endif

INLINE words splat(uint32_t word) {
#if LANES == 1
  return word;
#else
  return (words){} + word;
#endif
}

INLINE words load_words(const uint8_t *from) {
  words x;
  memcpy(&x, from, sizeof x);
  return x;
}

INLINE void store_words(uint8_t *to, words x) { memcpy(to, &x, sizeof x); }

#if LANES == 8
/* The first, and the second, halves of two vectors. */
#define FIRSTS(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11)
#define SECONDS(x, y) __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15)
#elif LANES == 16
#define EVEN_PARTS(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define ODD_PARTS(x, y) __builtin_shufflevector(x, y, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)
#define FIRSTS(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
#define SECONDS(x, y) __builtin_shufflevector(x, y, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)
#endif

/* Words per block: its vectors are 16 / LANES. */
#define BLOCK_WORDS 16

#if LANES > 1
/*
 * Sixteen vectors with a word of all blocks in each, to LANES blocks of sixteen words, and back. Block b is vectors
 * `16 / LANES` each from `b * 16 / LANES` on.
 */
INLINE void blocks_of(words x[16]) {
  for (int i = 0; i < 16; i += 4) columns(x + i);
  /* Now part p of x[4 g + k] has words 4 g to 4 g + 3 of block 4 p + k. */
  words y[16];
#if LANES == 4
  for (int k = 0; k < 4; k++)
    for (int g = 0; g < 4; g++) y[4 * k + g] = x[4 * g + k];
#elif LANES == 8
  for (int k = 0; k < 4; k++)
    for (int g = 0; g < 2; g++) {
      y[2 * k + g] = FIRSTS(x[8 * g + k], x[8 * g + 4 + k]);
      y[2 * (4 + k) + g] = SECONDS(x[8 * g + k], x[8 * g + 4 + k]);
    }
#else
  for (int k = 0; k < 4; k++) {
    const words a = EVEN_PARTS(x[k], x[4 + k]), b = EVEN_PARTS(x[8 + k], x[12 + k]);
    const words c = ODD_PARTS(x[k], x[4 + k]), d = ODD_PARTS(x[8 + k], x[12 + k]);
    /* a: parts 0 and 2 of word groups 0, then of 1. */
    y[k] = EVEN_PARTS(a, b);
    y[8 + k] = ODD_PARTS(a, b);
    y[4 + k] = EVEN_PARTS(c, d);
    y[12 + k] = ODD_PARTS(c, d);
  }
#endif
  for (int i = 0; i < 16; i++) x[i] = y[i];
}

/* The inverse: blocks to sixteen vectors with a word of all blocks in each. */
INLINE void words_of(words x[16]) {
  words y[16];
#if LANES == 4
  for (int k = 0; k < 4; k++)
    for (int g = 0; g < 4; g++) y[4 * g + k] = x[4 * k + g];
#elif LANES == 8
  for (int k = 0; k < 4; k++)
    for (int g = 0; g < 2; g++) {
      y[8 * g + k] = FIRSTS(x[2 * k + g], x[2 * (4 + k) + g]);
      y[8 * g + 4 + k] = SECONDS(x[2 * k + g], x[2 * (4 + k) + g]);
    }
#else
  for (int k = 0; k < 4; k++) {
    const words a = EVEN_PARTS(x[k], x[4 + k]), b = EVEN_PARTS(x[8 + k], x[12 + k]);
    const words c = ODD_PARTS(x[k], x[4 + k]), d = ODD_PARTS(x[8 + k], x[12 + k]);
    y[k] = EVEN_PARTS(a, b);
    y[8 + k] = ODD_PARTS(a, b);
    y[4 + k] = EVEN_PARTS(c, d);
    y[12 + k] = ODD_PARTS(c, d);
  }
#endif
  for (int i = 0; i < 16; i += 4) columns(y + i);
  for (int i = 0; i < 16; i++) x[i] = y[i];
}
#endif

#endif
