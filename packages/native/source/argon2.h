/*
 * Argon2's G, RFC 9106 §3.5, and the blocks of a segment, §3.4: functions of argon2/module.ts. A block is 128 words of 64 bits. P is that of
 * argon2/rounds.ts: on words, or on vectors with a row of four words of one P, or of two, in each.
 */

#define ARGON2_BLOCK_WORDS (ARGON2_BLOCK_BYTES / 8)
#define ROTL64(x, n) ((x) << (n) | (x) >> (64 - (n)))

#if LANES >= 8 && defined(__x86_64__)

typedef limbs longs;
/* P's that are side by side in a vector. */
#define SIDE_BY_SIDE (LANES / 8)
#define LOW_PRODUCT(x, y) PRODUCT(x, y)
INLINE longs WIDE(load_longs)(const uint8_t *from) { return (longs)load_words(from); }
INLINE void WIDE(store_longs)(uint8_t *to, longs x) { store_words(to, (words)x); }

#if LANES == 8
#define TURN(x, n) __builtin_shufflevector(x, x, n, (n + 1) % 4, (n + 2) % 4, (n + 3) % 4)
/* Whole bytes move by one permutation; by one bit, a word is doubled. */
#undef ROTL64
#define BYTES8(J, r) (J) + (8 - (r)) % 8, (J) + (9 - (r)) % 8, (J) + (10 - (r)) % 8, (J) + (11 - (r)) % 8, \
                     (J) + (12 - (r)) % 8, (J) + (13 - (r)) % 8, (J) + (14 - (r)) % 8, (J) + (15 - (r)) % 8
#define MOVED8(x, r) ((longs)__builtin_shufflevector((octets)(x), (octets)(x), BYTES8(0, r), BYTES8(8, r), BYTES8(16, r), BYTES8(24, r)))
#define ROTL64(x, n) ((n) == 1 ? (((x) + (x)) | (x) >> 63) : MOVED8(x, (n) / 8))
#else
#define TURN(x, n) \
  __builtin_shufflevector(x, x, n, (n + 1) % 4, (n + 2) % 4, (n + 3) % 4, 4 + n, 4 + (n + 1) % 4, 4 + (n + 2) % 4, 4 + (n + 3) % 4)
#endif

/* P on two groups of four rows, side by side: a row's words are rotated, so that diagonals become columns, and back. */
INLINE void WIDE(permute)(longs x[8]) {
  ARGON2_ON_ROWS(x)
  for (int i = 0; i < 8; i += 4) {
    x[i + 1] = TURN(x[i + 1], 1);
    x[i + 2] = TURN(x[i + 2], 2);
    x[i + 3] = TURN(x[i + 3], 3);
  }
  ARGON2_ON_ROWS(x)
  for (int i = 0; i < 8; i += 4) {
    x[i + 1] = TURN(x[i + 1], 3);
    x[i + 2] = TURN(x[i + 2], 2);
    x[i + 3] = TURN(x[i + 3], 1);
  }
}

#define FIRST_LONGS(x, y) ((longs)FIRSTS((words)(x), (words)(y)))
#define SECOND_LONGS(x, y) ((longs)SECONDS((words)(x), (words)(y)))

/* P on all rows of the matrix. */
INLINE void WIDE(argon2_rows)(longs z[]) {
#if LANES == 8
  for (int i = 0; i < 32; i += 8) WIDE(permute)(z + i);
#else
  for (int i = 0; i < 16; i += 8) {
    longs *q = z + i, x[8];
    for (int k = 0; k < 2; k++) {
      for (int s = 0; s < 2; s++) {
        x[4 * k + 2 * s] = FIRST_LONGS(q[4 * k + s], q[4 * k + 2 + s]);
        x[4 * k + 2 * s + 1] = SECOND_LONGS(q[4 * k + s], q[4 * k + 2 + s]);
      }
    }
    WIDE(permute)(x);
    for (int k = 0; k < 2; k++) {
      for (int s = 0; s < 2; s++) {
        q[4 * k + s] = FIRST_LONGS(x[4 * k + 2 * s], x[4 * k + 2 * s + 1]);
        q[4 * k + 2 + s] = SECOND_LONGS(x[4 * k + 2 * s], x[4 * k + 2 * s + 1]);
      }
    }
  }
#endif
}

/* Two or four columns are in one vector of each row. */
#define COLUMN_GROUPS (32 / LANES)
#if LANES == 8
#define TWO_FIRST(x, y) FIRST_LONGS(x, y)
#define TWO_LAST(x, y) SECOND_LONGS(x, y)
#define UPPER(x, y) FIRST_LONGS(x, y)
#define LOWER(x, y) SECOND_LONGS(x, y)
#else
#define TWO_FIRST(x, y) __builtin_shufflevector(x, y, 0, 1, 8, 9, 2, 3, 10, 11)
#define TWO_LAST(x, y) __builtin_shufflevector(x, y, 4, 5, 12, 13, 6, 7, 14, 15)
#define UPPER(x, y) ((longs)EVEN_PARTS((words)(x), (words)(y)))
#define LOWER(x, y) ((longs)ODD_PARTS((words)(x), (words)(y)))
#endif

/* P on a group of columns, and their sum with R. */
INLINE void WIDE(argon2_columns)(const longs z[], const longs r[], int group, uint8_t *to) {
  longs x[8];
  for (int k = 0; k < 4; k++) {
    const longs upper = z[2 * k * COLUMN_GROUPS + group], lower = z[(2 * k + 1) * COLUMN_GROUPS + group];
    x[k] = TWO_FIRST(upper, lower);
    x[4 + k] = TWO_LAST(upper, lower);
  }
  WIDE(permute)(x);
  for (int k = 0; k < 4; k++) {
    const int upper = 2 * k * COLUMN_GROUPS + group, lower = upper + COLUMN_GROUPS;
    WIDE(store_longs)(to + upper * (int)sizeof *z, r[upper] ^ UPPER(x[k], x[4 + k]));
    WIDE(store_longs)(to + lower * (int)sizeof *z, r[lower] ^ LOWER(x[k], x[4 + k]));
  }
}

#else

typedef uint64_t longs;
#define LOW_PRODUCT(x, y) ((uint64_t)(uint32_t)(x) * (uint32_t)(y))
INLINE longs WIDE(load_longs)(const uint8_t *from) { return load64(from); }
INLINE void WIDE(store_longs)(uint8_t *to, longs x) { store64(to, x); }

INLINE void WIDE(argon2_rows)(longs z[]) {
  for (int i = 0; i < ARGON2_BLOCK_WORDS; i += 16) {
    longs *x = z + i;
    ARGON2_ON_WORDS(x)
  }
}

#define COLUMN_GROUPS 8
INLINE void WIDE(argon2_columns)(const longs z[], const longs r[], int group, uint8_t *to) {
  longs x[16];
  for (int w = 0; w < 16; w++) x[w] = z[w / 2 * 16 + 2 * group + w % 2];
  ARGON2_ON_WORDS(x)
  for (int w = 0; w < 16; w++) {
    const int at = w / 2 * 16 + 2 * group + w % 2;
    store64(to + 8 * at, r[at] ^ x[w]);
  }
}

#endif

#define LONGS (ARGON2_BLOCK_BYTES / sizeof(longs))
/* Z and R of §3.5. */
struct WIDE(argon2_work) {
  longs z[LONGS], r[LONGS];
};

INLINE void WIDE(argon2_begin)(struct WIDE(argon2_work) *work, const uint8_t *x, const uint8_t *y, const uint8_t *to, bool onto) {
  for (size_t i = 0; i < LONGS; i++) {
    const size_t at = i * sizeof(longs);
    work->z[i] = WIDE(load_longs)(x + at) ^ WIDE(load_longs)(y + at);
    work->r[i] = onto ? work->z[i] ^ WIDE(load_longs)(to + at) : work->z[i];
  }
  WIDE(argon2_rows)(work->z);
}

/* (x, y, to, onto, z) */
static uint32_t WIDE(argon2_compress)(struct memory *memory, const uint32_t *a) {
  for (int i = 0; i < 3; i++)
    if (!within(memory, a[i], ARGON2_BLOCK_BYTES)) return TRAP;
  struct WIDE(argon2_work) work;
  uint8_t *to = memory->bytes + a[2];
  WIDE(argon2_begin)(&work, memory->bytes + a[0], memory->bytes + a[1], to, a[3]);
  for (int group = 0; group < COLUMN_GROUPS; group++) WIDE(argon2_columns)(work.z, work.r, group, to);
  wipe(&work, sizeof work);
  return 0;
}

/* A segment, in blocks. */
struct segment {
  uint32_t columns, p, lane, start, before;
  bool is_first;
};

/*
 * The number of the block that is read for block i of a segment. §3.4.1.1: in Argon2d, and in the later part of Argon2id, it depends on the
 * password.
 */
INLINE size_t argon2_reference(const struct segment *its, uint32_t i, const uint8_t *pair) {
  const uint64_t j1 = load32(pair);
  const uint32_t lane = its->is_first ? its->lane : load32(pair + 4) % its->p;
  const uint32_t area = lane == its->lane ? its->before + i - 1 : its->before - (i == 0);
  const uint32_t column = its->start + area - 1 - (uint32_t)((j1 * j1 >> 32) * area >> 32);
  return (size_t)lane * its->columns + (column < its->columns ? column : column - its->columns);
}

/* (columns, p, lane, slice and onto, pass, from, until, pairs): the number of the block after the last that has a pair. */
static uint32_t WIDE(argon2_fill)(struct memory *memory, const uint32_t *a) {
  const uint32_t columns = a[0], p = a[1], lane = a[2], slice = a[3] & 3, from = a[5], length = columns / 4;
  const bool is_later = a[4], onto = a[3] & 4, is_known = a[7];
  uint32_t until = a[6];
  struct segment its = {columns, p, lane, .is_first = slice == 0 && !is_later};
  its.start = is_later && slice < 3 ? (slice + 1) * length : 0;
  its.before = is_later ? columns - length : slice * length;
  if (columns % 4 || length < 2 || lane >= p || from >= until || until > length || (its.is_first && from < 2)) return TRAP;
  if (memory->length < ARGON2_BLOCKS || (memory->length - ARGON2_BLOCKS) / ARGON2_BLOCK_BYTES / p < columns) return TRAP;
  if (is_known && !within(memory, a[7], ARGON2_BLOCK_BYTES)) return TRAP;
  if (is_known) until = (uint32_t)least(until, from - from % ARGON2_BLOCK_WORDS + ARGON2_BLOCK_WORDS);

  uint8_t *blocks = memory->bytes + ARGON2_BLOCKS;
  const size_t first = (size_t)lane * columns;
  size_t number = first + slice * length + from;
  const uint8_t *previous = blocks + ARGON2_BLOCK_BYTES * (first + (slice * length + from + columns - 1) % columns);
  const uint8_t *pairs = memory->bytes + a[7];
#define PAIR(i, block) (is_known ? pairs + 8 * ((i) % ARGON2_BLOCK_WORDS) : (block))
  const uint8_t *reference = blocks + ARGON2_BLOCK_BYTES * argon2_reference(&its, from, PAIR(from, previous));
  struct WIDE(argon2_work) work;
  for (uint32_t i = from; i < until; i++, number++) {
    uint8_t *to = blocks + ARGON2_BLOCK_BYTES * number;
    WIDE(argon2_begin)(&work, previous, reference, to, onto);
    WIDE(argon2_columns)(work.z, work.r, 0, to);
    /* The first words are there now, and with them the next reference, which is anywhere in memory: it is fetched meanwhile. */
    if (i + 1 < until) {
      reference = blocks + ARGON2_BLOCK_BYTES * argon2_reference(&its, i + 1, PAIR(i + 1, to));
      for (int at = 0; at < ARGON2_BLOCK_BYTES; at += 64) __builtin_prefetch(reference + at);
    }
    for (int group = 1; group < COLUMN_GROUPS; group++) WIDE(argon2_columns)(work.z, work.r, group, to);
    previous = to;
  }
  wipe(&work, sizeof work);
  return until;
}

static const struct export_ WIDE(argon2_exports)[] = {
  {"compress", 5, false, WIDE(argon2_compress)},
  {"fill", 8, true, WIDE(argon2_fill)},
};
