/* Poly1305, RFC 8439 §2.5: two limbs of 64 bits and a small third; many blocks in vectors of 26-bit limbs. */
#ifndef LANEWISE_POLY1305_ONCE
#define LANEWISE_POLY1305_ONCE

typedef unsigned __int128 wide;

/* The most blocks side by side in vectors. */
#define MOST_POWERS 8

struct poly1305 {
  uint64_t h[3];
  uint64_t r[2];
  uint64_t s[2];
  /* Powers of r from the first on, in limbs of 26 bits; how many there are. */
  uint32_t powers[MOST_POWERS][5];
  uint32_t count;
};

/*
 * h = h·r mod 2^130 - 5, not reduced completely. r1 is a multiple of 4, so r1·2^128 ≡ 5·(r1 / 4). With h2 < 8 nothing overflows: r0, r1
 * are below 2^60.
 */
INLINE void multiply(uint64_t h[3], uint64_t r0, uint64_t r1) {
  const uint64_t q1 = r1 + (r1 >> 2);
  const wide d0 = (wide)h[0] * r0 + (wide)h[1] * q1;
  wide d1 = (wide)h[0] * r1 + (wide)h[1] * r0 + h[2] * q1;
  uint64_t d2 = h[2] * r0;
  d1 += (uint64_t)(d0 >> 64);
  d2 += (uint64_t)(d1 >> 64);
  /* Bits 130 and up come back times 5: 5·floor(t / 4) = (t - t mod 4) + floor(t / 4). */
  wide sum = (wide)(uint64_t)d0 + ((d2 & ~(uint64_t)3) + (d2 >> 2));
  h[0] = (uint64_t)sum;
  sum = (wide)(uint64_t)d1 + (uint64_t)(sum >> 64);
  h[1] = (uint64_t)sum;
  h[2] = (d2 & 3) + (uint64_t)(sum >> 64);
}

/* Adds a block, with `top` for its bit 128. */
INLINE void add_block(uint64_t h[3], uint64_t low, uint64_t high, uint64_t top) {
  wide sum = (wide)h[0] + low;
  h[0] = (uint64_t)sum;
  sum = (wide)h[1] + high + (uint64_t)(sum >> 64);
  h[1] = (uint64_t)sum;
  h[2] += top + (uint64_t)(sum >> 64);
}

/* The words of h at the state's place may be 2^130 and more by a small multiple, as in WebAssembly. */
static void load_poly1305(struct poly1305 *poly, const uint8_t *state) {
  poly->h[0] = load64(state);
  poly->h[1] = load64(state + 8);
  poly->h[2] = load32(state + 16);
  poly->r[0] = load64(state + POLY1305_KEY);
  poly->r[1] = load64(state + POLY1305_KEY + 8);
  poly->s[0] = load64(state + POLY1305_S);
  poly->s[1] = load64(state + POLY1305_S + 8);
  poly->count = 0;
}

static void store64(uint8_t *to, uint64_t x) {
  store32(to, (uint32_t)x);
  store32(to + 4, (uint32_t)(x >> 32));
}

static void store_poly1305(const struct poly1305 *poly, uint8_t *state) {
  store64(state, poly->h[0]);
  store64(state + 8, poly->h[1]);
  store32(state + 16, (uint32_t)poly->h[2]);
  for (int i = 0; i < 2; i++) {
    store64(state + POLY1305_KEY + 8 * i, poly->r[i]);
    store64(state + POLY1305_S + 8 * i, poly->s[i]);
  }
}

/* Takes the one-time key and clamps r, RFC 8439 §2.5.1. */
static void start_poly1305(struct poly1305 *poly, const uint8_t key[32]) {
  static const uint32_t clamp[4] = POLY1305_CLAMP;
  for (int i = 0; i < 2; i++) {
    poly->r[i] = load64(key + 8 * i) & (clamp[2 * i] | (uint64_t)clamp[2 * i + 1] << 32);
    poly->s[i] = load64(key + 16 + 8 * i);
  }
  for (int i = 0; i < 3; i++) poly->h[i] = 0;
  poly->count = 0;
}

/* The tag: h mod p = h - p·floor((h + 5) / 2^130), since h < 2p; its low 128 bits and s are added. */
static void finish_poly1305(const struct poly1305 *poly, uint8_t tag[16]) {
  uint64_t h[3] = {poly->h[0], poly->h[1], poly->h[2]};
  /* Bits from 130 on first, so that h < 2p. */
  const uint64_t over = h[2] >> 2;
  h[2] &= 3;
  add_block(h, 5 * over, 0, 0);
  uint64_t g[3] = {h[0], h[1], h[2]};
  add_block(g, 5, 0, 0);
  add_block(h, 5 * (g[2] >> 2), 0, 0);
  add_block(h, poly->s[0], poly->s[1], 0);
  store64(tag, h[0]);
  store64(tag + 8, h[1]);
  wipe(h, sizeof h);
  wipe(g, sizeof g);
}

#endif

#if LANES >= 8 && defined(__x86_64__)
#include <immintrin.h>

/* How many blocks are side by side, each in 64 bits of every vector. */
#define SIDES (LANES / 2)
typedef uint64_t limbs __attribute__((vector_size(8 * SIDES)));

#if LANES == 8
/* The compilers know no vector type whose product of 32 bits has 64, so this one instruction is an intrinsic. */
#define PRODUCT(x, y) ((limbs)_mm256_mul_epu32((__m256i)(x), (__m256i)(y)))
#define EVENS(x, y) __builtin_shufflevector(x, y, 0, 4, 2, 6)
#define ODDS(x, y) __builtin_shufflevector(x, y, 1, 5, 3, 7)
/* The number of the block in each lane. */
static const uint8_t WIDE(block_of)[SIDES] = {0, 2, 1, 3};
#else
#define PRODUCT(x, y) ((limbs)_mm512_mul_epu32((__m512i)(x), (__m512i)(y)))
#define EVENS(x, y) __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14)
#define ODDS(x, y) __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15)
static const uint8_t WIDE(block_of)[SIDES] = {0, 4, 1, 5, 2, 6, 3, 7};
#endif

#define LIMB_MASK 0x3ffffff

INLINE void WIDE(limbs_of)(const uint64_t h[3], uint32_t limbs[5]) {
  limbs[0] = h[0] & LIMB_MASK;
  limbs[1] = h[0] >> 26 & LIMB_MASK;
  limbs[2] = (h[0] >> 52 | h[1] << 12) & LIMB_MASK;
  limbs[3] = h[1] >> 14 & LIMB_MASK;
  limbs[4] = (uint32_t)(h[1] >> 40 | h[2] << 24);
}

OUTLINE void WIDE(make_powers)(struct poly1305 *poly) {
  uint64_t power[3] = {poly->r[0], poly->r[1], 0};
  for (int i = 0;; i++) {
    WIDE(limbs_of)(power, poly->powers[i]);
    if (i + 1 == SIDES) break;
    multiply(power, poly->r[0], poly->r[1]);
  }
  poly->count = SIDES;
  wipe(power, sizeof power);
}

/*
 * The columns of h·r, with q = 5·r, limbs of r below 2^27 and of h below 2^28: a column is below 2^60, and the sum of two below 2^61.
 * Carried, limbs are below 2^26 and a little.
 */
INLINE void WIDE(products)(const limbs h[5], const limbs r[5], const limbs q[5], limbs d[5]) {
  d[0] = PRODUCT(h[0], r[0]) + PRODUCT(h[1], q[4]) + PRODUCT(h[2], q[3]) + PRODUCT(h[3], q[2]) + PRODUCT(h[4], q[1]);
  d[1] = PRODUCT(h[0], r[1]) + PRODUCT(h[1], r[0]) + PRODUCT(h[2], q[4]) + PRODUCT(h[3], q[3]) + PRODUCT(h[4], q[2]);
  d[2] = PRODUCT(h[0], r[2]) + PRODUCT(h[1], r[1]) + PRODUCT(h[2], r[0]) + PRODUCT(h[3], q[4]) + PRODUCT(h[4], q[3]);
  d[3] = PRODUCT(h[0], r[3]) + PRODUCT(h[1], r[2]) + PRODUCT(h[2], r[1]) + PRODUCT(h[3], r[0]) + PRODUCT(h[4], q[4]);
  d[4] = PRODUCT(h[0], r[4]) + PRODUCT(h[1], r[3]) + PRODUCT(h[2], r[2]) + PRODUCT(h[3], r[1]) + PRODUCT(h[4], r[0]);
}

INLINE void WIDE(carry)(const limbs d[5], limbs h[5]) {
  limbs d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3], d4 = d[4];
  d1 += d0 >> 26;
  d0 &= LIMB_MASK;
  d4 += d3 >> 26;
  d3 &= LIMB_MASK;
  d2 += d1 >> 26;
  d1 &= LIMB_MASK;
  const limbs over = d4 >> 26;
  d0 += over + (over << 2);
  d4 &= LIMB_MASK;
  d3 += d2 >> 26;
  d2 &= LIMB_MASK;
  d1 += d0 >> 26;
  d0 &= LIMB_MASK;
  d4 += d3 >> 26;
  d3 &= LIMB_MASK;
  h[0] = d0;
  h[1] = d1;
  h[2] = d2;
  h[3] = d3;
  h[4] = d4;
}

INLINE void WIDE(times)(limbs h[5], const limbs r[5], const limbs q[5]) {
  limbs d[5];
  WIDE(products)(h, r, q, d);
  WIDE(carry)(d, h);
}

/* Adds SIDES blocks, each with its bit 128. */
INLINE void WIDE(add_blocks)(limbs h[5], const uint8_t *from) {
  limbs first, second;
  memcpy(&first, from, sizeof first);
  memcpy(&second, from + sizeof first, sizeof second);
  const limbs low = EVENS(first, second), high = ODDS(first, second);
  h[0] += low & LIMB_MASK;
  h[1] += low >> 26 & LIMB_MASK;
  h[2] += (low >> 52 | high << 12) & LIMB_MASK;
  h[3] += high >> 14 & LIMB_MASK;
  h[4] += high >> 40 | (1 << 24);
}

/* Absorbs `groups` times SIDES blocks. */
OUTLINE void WIDE(absorb_groups)(struct poly1305 *poly, const uint8_t *from, size_t groups) {
  limbs h[5], r[5], q[5];
  uint32_t start[5];
  if (poly->count != SIDES) WIDE(make_powers)(poly);
  WIDE(limbs_of)(poly->h, start);
  for (int i = 0; i < 5; i++) {
    r[i] = (limbs){} + poly->powers[SIDES - 1][i];
    q[i] = r[i] * 5;
    h[i] = (limbs){start[i]};
  }
  WIDE(add_blocks)(h, from);
  from += 16 * SIDES;
  groups--;
  /* Two groups in turn: h·r² + m·r waits for one product and is carried once, for both. */
  if (groups >= 4) {
    limbs square[5], fives[5], m[5], own[5], d[5];
    for (int i = 0; i < 5; i++) square[i] = r[i];
    WIDE(times)(square, r, q);
    for (int i = 0; i < 5; i++) fives[i] = square[i] * 5;
    for (; groups >= 2; groups -= 2, from += 32 * SIDES) {
      for (int i = 0; i < 5; i++) m[i] = (limbs){};
      WIDE(add_blocks)(m, from);
      WIDE(products)(m, r, q, own);
      WIDE(products)(h, square, fives, d);
      for (int i = 0; i < 5; i++) d[i] += own[i];
      WIDE(carry)(d, h);
      WIDE(add_blocks)(h, from + 16 * SIDES);
    }
    wipe(square, sizeof square);
    wipe(fives, sizeof fives);
    wipe(m, sizeof m);
    wipe(own, sizeof own);
    wipe(d, sizeof d);
  }
  for (; groups; groups--, from += 16 * SIDES) {
    WIDE(times)(h, r, q);
    WIDE(add_blocks)(h, from);
  }
  /* Each lane by its own power: the last block by the first. */
  for (int i = 0; i < 5; i++) {
    for (int lane = 0; lane < SIDES; lane++) r[i][lane] = poly->powers[SIDES - 1 - WIDE(block_of)[lane]][i];
    q[i] = r[i] * 5;
  }
  WIDE(times)(h, r, q);
  uint64_t sum[5] = {0};
  for (int i = 0; i < 5; i++)
    for (int lane = 0; lane < SIDES; lane++) sum[i] += h[i][lane];
  for (int i = 0; i < 4; i++) {
    sum[i + 1] += sum[i] >> 26;
    sum[i] &= LIMB_MASK;
  }
  /* The fifth limb has up to 31 bits: those from 130 on come back times 5. */
  const uint64_t over = sum[4] >> 26;
  sum[4] &= LIMB_MASK;
  poly->h[0] = sum[0] | sum[1] << 26 | sum[2] << 52;
  poly->h[1] = sum[2] >> 12 | sum[3] << 14 | sum[4] << 40;
  poly->h[2] = sum[4] >> 24;
  add_block(poly->h, 5 * over, 0, 0);
  wipe(sum, sizeof sum);
  wipe(start, sizeof start);
  wipe(h, sizeof h);
  wipe(r, sizeof r);
  wipe(q, sizeof q);
}
#endif

/* Absorbs whole blocks. */
static void WIDE(absorb_blocks)(struct poly1305 *poly, const uint8_t *from, size_t blocks) {
#ifdef SIDES
  /* Powers, sums and lanes cost as much as some blocks one by one. */
  if (blocks >= 6 * SIDES) {
    const size_t groups = blocks / SIDES;
    WIDE(absorb_groups)(poly, from, groups);
    from += 16 * SIDES * groups;
    blocks -= SIDES * groups;
  }
#endif
  uint64_t h[3] = {poly->h[0], poly->h[1], poly->h[2]};
  const uint64_t r0 = poly->r[0], r1 = poly->r[1];
  for (; blocks; blocks--, from += 16) {
    add_block(h, load64(from), load64(from + 8), 1);
    multiply(h, r0, r1);
  }
  for (int i = 0; i < 3; i++) poly->h[i] = h[i];
  wipe(h, sizeof h);
}

/* Absorbs any number of bytes; a last block that isn't whole gets zeros after it, or a bit and zeros, and bit 128 or not. */
static void WIDE(absorb_bytes)(struct poly1305 *poly, const uint8_t *from, size_t length, bool padded) {
  const size_t whole = length / 16, rest = length % 16;
  WIDE(absorb_blocks)(poly, from, whole);
  if (rest) {
    uint8_t last[16] = {0};
    memcpy(last, from + 16 * whole, rest);
    if (!padded) last[rest] = 1;
    add_block(poly->h, load64(last), load64(last + 8), padded);
    multiply(poly->h, poly->r[0], poly->r[1]);
    wipe(last, sizeof last);
  }
}
