/*
 * A stream cipher in blocks of 64 bytes, over the memory map of keystream/map.ts. A template: CORE is `chacha` or `salsa`, and
 * DOUBLE_ROUND, INPUT_OF, COUNTER and NONCE are those of that core, from generated/rounds.h.
 */
#define NAMED(name) JOIN(CORE, JOIN(name, LANES))

/* The words of a block take these words of the input: see keystream/core.ts. */
static const uint8_t NAMED(input_of)[16] = INPUT_OF;

/* The counter of 64 bits moves on; the caller has made sure that one of 32 bits does not overflow. */
INLINE void NAMED(advance)(uint32_t input[16], uint64_t blocks) {
  const uint64_t counter = (input[COUNTER] | (uint64_t)input[COUNTER + 1] << 32) + blocks;
  input[COUNTER] = (uint32_t)counter;
  input[COUNTER + 1] = (uint32_t)(counter >> 32);
}

/* The rounds on one block, in words; without the addition of the input. */
OUTLINE void NAMED(permute)(const uint32_t input[16], uint32_t double_rounds, uint32_t x[16]) {
  for (int w = 0; w < 16; w++) x[w] = input[NAMED(input_of)[w]];
#pragma push_macro("ROTL")
#undef ROTL
#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))
  do {
    DOUBLE_ROUND(x)
  } while (--double_rounds);
#pragma pop_macro("ROTL")
}

/* One block of keystream. */
INLINE void NAMED(block)(const uint32_t input[16], uint32_t double_rounds, uint8_t out[64]) {
  uint32_t x[16];
  NAMED(permute)(input, double_rounds, x);
  for (int w = 0; w < 16; w++) store32(out + 4 * w, x[w] + input[NAMED(input_of)[w]]);
  wipe(x, sizeof x);
}

#if LANES > 1
#define GROUP_BYTES (64 * LANES)

/* A block in each lane: LANES blocks are XORed with the keystream. RFC 8439 §2.3, §2.4; Salsa20 specification §8, §10 */
INLINE void NAMED(lanes)(const uint32_t input[16], words x[16], words *low, words *high) {
  words lane;
  for (uint32_t i = 0; i < LANES; i++) lane[i] = i;
  const words first = splat(input[COUNTER]);
  *low = first + lane;
  /* A counter below the first has carried; the comparison gives -1. */
  *high = splat(input[COUNTER + 1]) - (words)(*low < first);
  UNROLLED
  for (int w = 0; w < 16; w++) {
    const int i = NAMED(input_of)[w];
    x[w] = i == COUNTER ? *low : i == COUNTER + 1 ? *high : splat(input[i]);
  }
}

INLINE void NAMED(finish_lanes)(const uint32_t input[16], words x[16], words low, words high, const uint8_t *in, uint8_t *out) {
  UNROLLED
  for (int w = 0; w < 16; w++) {
    const int i = NAMED(input_of)[w];
    x[w] += i == COUNTER ? low : i == COUNTER + 1 ? high : splat(input[i]);
  }
  blocks_of(x);
  for (size_t i = 0; i < 16; i++) store_words(out + i * sizeof(words), x[i] ^ load_words(in + i * sizeof(words)));
}

/* Whole groups. Two sets of lanes in turn, where the registers hold them, keep a processor busy that waits for a set. */
OUTLINE void NAMED(groups)(uint32_t input[16], uint32_t double_rounds, const uint8_t *in, uint8_t *out, size_t groups) {
  for (; groups; groups--, in += GROUP_BYTES, out += GROUP_BYTES) {
    words x[16], low, high;
    NAMED(lanes)(input, x, &low, &high);
    for (uint32_t i = double_rounds; i; i--) {
      DOUBLE_ROUND(x)
    }
    NAMED(finish_lanes)(input, x, low, high, in, out);
    NAMED(advance)(input, LANES);
  }
}
#endif

/* XORs bytes with as much keystream. */
INLINE void NAMED(xor_with)(const uint8_t *keystream, const uint8_t *in, uint8_t *out, size_t length) {
  size_t i = 0;
  for (; i + 8 <= length; i += 8) {
    uint64_t x, y;
    memcpy(&x, in + i, 8);
    memcpy(&y, keystream + i, 8);
    x ^= y;
    memcpy(out + i, &x, 8);
  }
  for (; i < length; i++) out[i] = in[i] ^ keystream[i];
}

#if defined(ON_ROWS) && LANES > 4
/* Four blocks, whose rows are side by side in the parts of SETS times four vectors. */
#define BY_ROWS
#define SETS (16 / LANES)
#define ROWS_BYTES 256

/* The words of each row move on by N columns, so that diagonals become columns. */
#define TURNED(x, n) UNPACK(x, x, (n) % 4, (n + 1) % 4, (n + 2) % 4, (n + 3) % 4)

/* Four blocks of keystream, from the counter on, which does not move: in the time of one block in words, which waits for each step. */
OUTLINE void NAMED(rows)(const uint32_t input[16], uint32_t double_rounds, uint8_t out[ROWS_BYTES]) {
  typedef uint32_t row __attribute__((vector_size(16)));
  static const uint32_t number_of[16] = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
  words first[SETS][4], x[SETS][4];
  for (int s = 0; s < SETS; s++) {
    for (int r = 0; r < 4; r++) {
      row its;
      memcpy(&its, input + 4 * r, sizeof its);
      first[s][r] = __builtin_shufflevector(its, its, IN_PARTS(0, 1, 2, 3));
    }
    const words last = first[s][3], low = last + load_words((const uint8_t *)(number_of + s * LANES));
    /* Words below those that they were added to have carried, to the word beside them: the comparison gives -1. */
    const words carried = (words)(low < last);
    first[s][3] = low - UNPACK(carried, carried, 1, 0, 2, 3);
    for (int r = 0; r < 4; r++) x[s][r] = first[s][r];
  }
  for (; double_rounds; double_rounds--) {
    for (int s = 0; s < SETS; s++) {
      ON_ROWS(x[s][0], x[s][1], x[s][2], x[s][3])
      for (int r = 1; r < 4; r++) x[s][r] = r == 1 ? TURNED(x[s][r], 1) : r == 2 ? TURNED(x[s][r], 2) : TURNED(x[s][r], 3);
      ON_ROWS(x[s][0], x[s][1], x[s][2], x[s][3])
      for (int r = 1; r < 4; r++) x[s][r] = r == 1 ? TURNED(x[s][r], 3) : r == 2 ? TURNED(x[s][r], 2) : TURNED(x[s][r], 1);
    }
  }
  for (int s = 0; s < SETS; s++)
    for (int r = 0; r < 4; r++) {
      x[s][r] += first[s][r];
      for (int part = 0; part < LANES / 4; part++)
        memcpy(out + 64 * (s * LANES / 4 + part) + 16 * r, (const uint8_t *)&x[s][r] + 16 * part, 16);
    }
  wipe(x, sizeof x);
}
#undef SETS
#undef TURNED
#endif

/* XORs `length` bytes with the keystream; `out` is `in`, or does not overlap it. The counter moves on by whole blocks. */
static void NAMED(xor_bytes)(uint32_t input[16], uint32_t double_rounds, const uint8_t *in, uint8_t *out, size_t length) {
#if LANES > 1
  const size_t groups = length / GROUP_BYTES;
  if (groups) {
    NAMED(groups)(input, double_rounds, in, out, groups);
    in += groups * GROUP_BYTES;
    out += groups * GROUP_BYTES;
    length -= groups * GROUP_BYTES;
  }
#if defined(ON_ROWS) && LANES > 4
  if (length && length <= ROWS_BYTES) {
    uint8_t keystream[ROWS_BYTES];
    NAMED(rows)(input, double_rounds, keystream);
    NAMED(advance)(input, (length + 63) / 64);
    NAMED(xor_with)(keystream, in, out, length);
    wipe(keystream, sizeof keystream);
    return;
  }
#endif
  if (length > 128) {
    /* The group may be longer than the message: its keystream is made aside. */
    uint8_t keystream[GROUP_BYTES] = {0};
    const size_t blocks = (length + 63) / 64;
    memcpy(keystream, in, length);
    NAMED(groups)(input, double_rounds, keystream, keystream, 1);
    NAMED(advance)(input, blocks - LANES);
    memcpy(out, keystream, length);
    wipe(keystream, sizeof keystream);
    return;
  }
#endif
  for (; length; in += 64, out += 64) {
    uint8_t keystream[64];
    const size_t size = least(length, 64);
    NAMED(block)(input, double_rounds, keystream);
    NAMED(advance)(input, 1);
    NAMED(xor_with)(keystream, in, out, size);
    wipe(keystream, sizeof keystream);
    length -= size;
  }
}

/* The input as words. */
INLINE void NAMED(load_input)(const struct memory *memory, uint32_t input[16]) {
  for (int w = 0; w < 16; w++) input[w] = load32(memory->bytes + KEYSTREAM_STATE + 4 * w);
}
INLINE void NAMED(store_input)(struct memory *memory, const uint32_t input[16]) {
  for (int w = 0; w < 16; w++) store32(memory->bytes + KEYSTREAM_STATE + 4 * w, input[w]);
}

/*
 * HChaCha, draft-irtf-cfrg-xchacha-03 §2.2, or HSalsa20, "Extending the Salsa20 nonce" §2: the key becomes the subkey, and the rest of the
 * nonce and its counter move up.
 */
static void NAMED(extend_words)(struct memory *memory, uint32_t input[16], uint32_t double_rounds) {
  uint32_t x[16];
  const uint8_t *rest = memory->bytes + KEYSTREAM_STATE + 64;
  NAMED(permute)(input, double_rounds, x);
  /* The first and the last row of the input are at the places that hold the subkey. */
  for (int w = 0; w < 16; w++) {
    const int i = NAMED(input_of)[w];
    if (i < 4) input[4 + i] = x[w];
    if (i >= 12) input[8 + i - 12] = x[w];
  }
  for (int i = 0; i < 2; i++) {
    input[NONCE + i] = load32(rest + 4 * i);
    input[COUNTER + i] = load32(rest + 8 + 4 * i);
  }
  wipe(x, sizeof x);
}

/* Completes the input by its constants, and for a long nonce by the subkey: the kinds of keystream/map.ts. */
static void NAMED(start)(struct memory *memory, uint32_t input[16], uint32_t kind, uint32_t double_rounds) {
  static const uint32_t sigma[4] = SIGMA, tau[4] = TAU;
  NAMED(load_input)(memory, input);
  if (kind == KEYSTREAM_CONTINUE) return;
  for (int w = 0; w < 4; w++) input[w] = kind == KEYSTREAM_SHORT_KEY ? tau[w] : sigma[w];
  if (kind == KEYSTREAM_EXTENDED) NAMED(extend_words)(memory, input, double_rounds);
}

static uint32_t NAMED(extend)(struct memory *memory, const uint32_t *a) {
  uint32_t input[16];
  if (a[0] == 0) return TRAP;
  NAMED(load_input)(memory, input);
  NAMED(extend_words)(memory, input, a[0]);
  NAMED(store_input)(memory, input);
  wipe(input, sizeof input);
  return 0;
}

/* (kind, doubleRounds, address, blocks) */
static uint32_t NAMED(xor)(struct memory *memory, const uint32_t *a) {
  const uint32_t double_rounds = a[1], address = a[2];
  const size_t whole = (size_t)a[3] * 64;
  uint32_t input[16];
  if (double_rounds == 0 || !within(memory, address, whole)) return TRAP;
  const bool is_input = memory->input && address == memory->stage;
  const size_t length = is_input ? least(whole, memory->input_length) : whole;
  NAMED(start)(memory, input, a[0], double_rounds);
  NAMED(xor_bytes)(input, double_rounds, is_input ? memory->input : memory->bytes + address, memory->bytes + address, length);
  NAMED(store_input)(memory, input);
  wipe(input, sizeof input);
  return 0;
}
