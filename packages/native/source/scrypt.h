/*
 * scrypt, RFC 7914: the functions of scrypt/module.ts over the memory map of scrypt/map.ts. SHA-256 is rolled, as a derivation hashes few
 * blocks. A block of BlockMix depends on the one before it, so vectors hold the four columns of one block.
 */

#define SHA256_ROUNDS 64
#define SHA256_BLOCK 64

INLINE uint32_t load_big32(const uint8_t *from) { return __builtin_bswap32(load32(from)); }
INLINE void store_big32(uint8_t *to, uint32_t word) { store32(to, __builtin_bswap32(word)); }

/* () */
static uint32_t WIDE(scrypt_start)(struct memory *memory, const uint32_t *a) {
  static const uint32_t initial[8] = SHA256_INITIAL;
  (void)a;
  for (int i = 0; i < 8; i++) store_big32(memory->bytes + SCRYPT_STATE + 4 * i, initial[i]);
  return 0;
}

/* (address, blocks): FIPS 180-4 §6.2.2. */
static uint32_t WIDE(scrypt_compress)(struct memory *memory, const uint32_t *arguments) {
  static const uint32_t constants[SHA256_ROUNDS] = SHA256_CONSTANTS;
  const uint32_t address = arguments[0], blocks = arguments[1];
  if (blocks == 0 || !within(memory, address, (size_t)blocks * SHA256_BLOCK)) return TRAP;
  uint8_t *place = memory->bytes + SCRYPT_STATE;
  uint32_t state[8], schedule[SHA256_ROUNDS];
  for (int i = 0; i < 8; i++) state[i] = load_big32(place + 4 * i);
  for (const uint8_t *block = memory->bytes + address, *end = block + (size_t)blocks * SHA256_BLOCK; block < end; block += SHA256_BLOCK) {
    for (int t = 0; t < 16; t++) schedule[t] = load_big32(block + 4 * t);
    for (int t = 16; t < SHA256_ROUNDS; t++)
      schedule[t] = SHA256_SCHEDULED(schedule[t - 2], schedule[t - 7], schedule[t - 15], schedule[t - 16]);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < SHA256_ROUNDS; t++) {
      const uint32_t first = SHA256_FIRST(constants[t] + schedule[t]), second = SHA256_SECOND();
      h = g, g = f, f = e, e = d + first;
      d = c, c = b, b = a, a = first + second;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
  for (int i = 0; i < 8; i++) store_big32(place + 4 * i, state[i]);
  wipe(state, sizeof state);
  wipe(schedule, sizeof schedule);
  return 0;
}

#pragma push_macro("ROTL")
#undef ROTL
#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define SCRYPT_DOUBLE_ROUNDS 4

#if LANES > 1

typedef uint32_t diagonal __attribute__((vector_size(16)));
/* Word i of the result is that of w, x, y or z, by i. */
#define MIXED(w, x, y, z) __builtin_shufflevector(__builtin_shufflevector(w, x, 0, 5, 2, 7), __builtin_shufflevector(y, z, 0, 5, 2, 7), 0, 1, 6, 7)
#define DIAGONAL_TURN(x, n) __builtin_shufflevector(x, x, n, (n + 1) % 4, (n + 2) % 4, (n + 3) % 4)

/* A block as the diagonals of its matrix, on which a quarter round works at once. */
struct salsa_block {
  diagonal x[4];
};

INLINE struct salsa_block diagonals_of(const uint8_t *block) {
  diagonal r[4];
  memcpy(r, block, sizeof r);
  return (struct salsa_block){{MIXED(r[0], r[1], r[2], r[3]), MIXED(r[1], r[2], r[3], r[0]), MIXED(r[2], r[3], r[0], r[1]), MIXED(r[3], r[0], r[1], r[2])}};
}

INLINE void store_diagonals(uint8_t *to, const struct salsa_block *its) {
  const diagonal *x = its->x;
  const diagonal r[4] = {MIXED(x[0], x[3], x[2], x[1]), MIXED(x[1], x[0], x[3], x[2]), MIXED(x[2], x[1], x[0], x[3]), MIXED(x[3], x[2], x[1], x[0])};
  memcpy(to, r, sizeof r);
}

#define SALSA_PARTS 4

INLINE void salsa_rounds(struct salsa_block *its) {
  diagonal a = its->x[0], b = its->x[1], c = its->x[2], d = its->x[3];
  for (int i = 0; i < SCRYPT_DOUBLE_ROUNDS; i++) {
    SALSA_ON_ROWS(a, b, c, d)
    b = DIAGONAL_TURN(b, 3), c = DIAGONAL_TURN(c, 2), d = DIAGONAL_TURN(d, 1);
    SALSA_ON_ROWS(a, d, c, b)
    b = DIAGONAL_TURN(b, 1), c = DIAGONAL_TURN(c, 2), d = DIAGONAL_TURN(d, 3);
  }
  its->x[0] = a, its->x[1] = b, its->x[2] = c, its->x[3] = d;
}

#else

struct salsa_block {
  uint32_t x[16];
};
#define SALSA_PARTS 16

INLINE struct salsa_block diagonals_of(const uint8_t *block) {
  struct salsa_block its;
  for (int w = 0; w < 16; w++) its.x[w] = load32(block + 4 * w);
  return its;
}

INLINE void store_diagonals(uint8_t *to, const struct salsa_block *its) {
  for (int w = 0; w < 16; w++) store32(to + 4 * w, its->x[w]);
}

INLINE void salsa_rounds(struct salsa_block *its) {
  uint32_t x[16];
  memcpy(x, its->x, sizeof x);
  for (int i = 0; i < SCRYPT_DOUBLE_ROUNDS; i++) {
    SALSA_DOUBLE_ROUND_4(x)
  }
  memcpy(its->x, x, sizeof x);
}

#endif

INLINE void xor_onto(struct salsa_block *its, const uint8_t *block) {
  const struct salsa_block other = diagonals_of(block);
  for (int i = 0; i < SALSA_PARTS; i++) its->x[i] ^= other.x[i];
}

/* RFC 7914 §4, of a row or of the sum of two; `other` is null for one. */
INLINE void WIDE(block_mix)(const uint8_t *row, const uint8_t *other, uint8_t *to, size_t r) {
  const size_t last = (2 * r - 1) * SCRYPT_BLOCK_BYTES;
  struct salsa_block x = diagonals_of(row + last);
  if (other) xor_onto(&x, other + last);
  for (size_t i = 0; i < 2 * r; i++) {
    const size_t at = i * SCRYPT_BLOCK_BYTES;
    xor_onto(&x, row + at);
    if (other) xor_onto(&x, other + at);
    const struct salsa_block before = x;
    salsa_rounds(&x);
    for (int part = 0; part < SALSA_PARTS; part++) x.x[part] += before.x[part];
    /* Those with odd numbers go to the second half. */
    store_diagonals(to + (i / 2 + i % 2 * r) * SCRYPT_BLOCK_BYTES, &x);
  }
}
#pragma pop_macro("ROTL")

/* Whether so many rows begin at an address; r is not 0. */
INLINE bool rows_within(const struct memory *memory, uint32_t address, uint32_t r, size_t rows) {
  return r <= memory->length / 128 && rows <= memory->length / 128 / r && within(memory, address, 128 * (size_t)r * rows);
}

/* (address, r, count) */
static uint32_t WIDE(scrypt_fill)(struct memory *memory, const uint32_t *a) {
  const uint32_t address = a[0], r = a[1], count = a[2];
  if (r == 0 || count == 0 || !rows_within(memory, address, r, (size_t)count + 1)) return TRAP;
  const size_t length = 128 * (size_t)r;
  uint8_t *row = memory->bytes + address;
  for (uint32_t i = 0; i < count; i++, row += length) WIDE(block_mix)(row, NULL, row + length, r);
  return 0;
}

/* (from, row, to, r): the address `row` depends on the password, as RFC 7914 §5 has it. It is rarely in a cache, so all of it is fetched first. */
static uint32_t WIDE(scrypt_mix)(struct memory *memory, const uint32_t *a) {
  const uint32_t r = a[3];
  if (r == 0) return TRAP;
  for (int i = 0; i < 3; i++)
    if (!rows_within(memory, a[i], r, 1)) return TRAP;
  const uint8_t *row = memory->bytes + a[1];
  for (size_t at = 0; at < 128 * (size_t)r; at += SCRYPT_BLOCK_BYTES) __builtin_prefetch(row + at);
  WIDE(block_mix)(memory->bytes + a[0], row, memory->bytes + a[2], r);
  return 0;
}

static const struct export_ WIDE(scrypt_exports)[] = {
  {"start", 0, false, WIDE(scrypt_start)},
  {"compress", 2, false, WIDE(scrypt_compress)},
  {"fill", 3, false, WIDE(scrypt_fill)},
  {"mix", 4, false, WIDE(scrypt_mix)},
};
