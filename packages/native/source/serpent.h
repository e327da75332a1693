/* Serpent's blocks and its key schedule, over the memory map of serpent/map.ts. The rounds are those of serpent/rounds.ts. */

#define SERPENT_KEYS (SERPENT_ROUNDS + 1)
/* The words of the round keys of eight rounds: one turn of the loops over them. */
#define TURN_WORDS 32
#define TURNS (SERPENT_ROUNDS / 8)

/* Round keys stay in the memory of the kernel between calls, where only this code reads them. */
INLINE uint32_t *serpent_keys(const struct memory *memory) { return (uint32_t *)(void *)(memory->bytes + SERPENT_ROUND); }

/* Both are read before anything is written: compilers need not fear an overlap. */
INLINE void xor_block(uint8_t *to, const uint8_t *x, const uint8_t *y) {
  uint64_t a[2], b[2];
  memcpy(a, x, sizeof a);
  memcpy(b, y, sizeof b);
  for (int i = 0; i < 2; i++) a[i] ^= b[i];
  memcpy(to, a, sizeof a);
}

/* Eight rounds, by a macro that runs a step; the linear transformation after the last is apart. */
#define ENCRYPT_TURN(STEP) \
  STEP(SERPENT_ENCRYPT_0) STEP(SERPENT_ENCRYPT_1) STEP(SERPENT_ENCRYPT_2) STEP(SERPENT_ENCRYPT_3) \
  STEP(SERPENT_ENCRYPT_4) STEP(SERPENT_ENCRYPT_5) STEP(SERPENT_ENCRYPT_6) STEP(SERPENT_ENCRYPT_7)
#define DECRYPT_TURN(STEP) \
  STEP(SERPENT_DECRYPT_7) STEP(SERPENT_DECRYPT_6) STEP(SERPENT_DECRYPT_5) STEP(SERPENT_DECRYPT_4) \
  STEP(SERPENT_DECRYPT_3) STEP(SERPENT_DECRYPT_2) STEP(SERPENT_DECRYPT_1) STEP(SERPENT_DECRYPT_0)

#pragma push_macro("ROTL")
#undef ROTL
#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define KEY(i) k[i]

/* "Serpent: A Proposal for the Advanced Encryption Standard", §4: prekeys, then the S-box of each round key. */
static void WIDE(serpent_schedule)(struct memory *memory) {
  static const uint32_t constants[4 * SERPENT_KEYS] = SERPENT_KEY_CONSTANTS;
  uint32_t *k = serpent_keys(memory), prekeys[8 + 4 * SERPENT_KEYS];
  for (uint32_t i = 0; i < 8; i++) prekeys[i] = load32(memory->bytes + SERPENT_KEY + 4 * i);
  for (uint32_t i = 0; i < 4 * SERPENT_KEYS; i++) {
    const uint32_t *at = prekeys + 8 + i;
    const uint32_t word = at[-8] ^ at[-5] ^ at[-3] ^ at[-1] ^ SERPENT_PHI ^ i;
    prekeys[8 + i] = ROTL(word, 11);
  }
#define ROUND_KEY(number) \
  { \
    uint32_t *x = prekeys + 8 + 4 * (i + number); \
    SERPENT_KEY_##number(uint32_t, KEY, x) \
  }
  for (int i = 0; i < SERPENT_ROUNDS; i += 8) {
    ROUND_KEY(0) ROUND_KEY(1) ROUND_KEY(2) ROUND_KEY(3) ROUND_KEY(4) ROUND_KEY(5) ROUND_KEY(6) ROUND_KEY(7)
  }
  {
    const int i = SERPENT_ROUNDS;
    ROUND_KEY(0)
  }
  for (int i = 0; i < 4 * SERPENT_KEYS; i++) k[i] = prekeys[8 + i] ^ constants[i];
  wipe(prekeys, sizeof prekeys);
}

#define STEP(ROUND) ROUND(uint32_t, KEY, x)
/* One block, in words; §3. */
OUTLINE void WIDE(serpent_encrypt_one)(const uint32_t *k, const uint8_t *from, uint8_t *to) {
  uint32_t x[4];
  for (int w = 0; w < 4; w++) x[w] = load32(from + 4 * w);
  for (int turn = 1;; turn++, k += TURN_WORDS) {
    ENCRYPT_TURN(STEP)
    if (turn == TURNS) break;
    STEP(SERPENT_TRANSFORM)
  }
  for (int w = 0; w < 4; w++) store32(to + 4 * w, x[w] ^ KEY(TURN_WORDS + w));
}

/* §3.2 */
OUTLINE void WIDE(serpent_decrypt_one)(const uint32_t *k, const uint8_t *from, uint8_t *to) {
  uint32_t x[4];
  k += (TURNS - 1) * TURN_WORDS;
  for (int w = 0; w < 4; w++) x[w] = load32(from + 4 * w) ^ KEY(TURN_WORDS + w);
  for (int turn = 1;; turn++, k -= TURN_WORDS) {
    DECRYPT_TURN(STEP)
    if (turn == TURNS) break;
    STEP(SERPENT_TRANSFORM_BACK)
  }
  for (int w = 0; w < 4; w++) store32(to + 4 * w, x[w]);
}
#undef STEP
#undef KEY
#pragma pop_macro("ROTL")

/* What comes of a block x at `in`: E(x ^ before) ^ after, or D in place of E. Null stands for zeros. */
struct layers {
  const uint8_t *in, *before, *after;
  uint8_t *out;
};

INLINE const uint8_t *moved_by(const uint8_t *from, size_t bytes) { return from ? from + bytes : NULL; }

INLINE struct layers layers_from(struct layers its, size_t bytes) {
  return (struct layers){its.in + bytes, moved_by(its.before, bytes), moved_by(its.after, bytes), its.out + bytes};
}

INLINE void WIDE(serpent_one)(const uint32_t *k, bool decrypts, struct layers its) {
  uint8_t x[SERPENT_BLOCK];
  memcpy(x, its.in, sizeof x);
  if (its.before) xor_block(x, x, its.before);
  if (decrypts) WIDE(serpent_decrypt_one)(k, x, x);
  else WIDE(serpent_encrypt_one)(k, x, x);
  if (its.after) xor_block(x, x, its.after);
  memcpy(its.out, x, sizeof x);
  wipe(x, sizeof x);
}

#if LANES > 1
#define SET_BYTES (LANES * SERPENT_BLOCK)
/* The sets of LANES blocks that take turns: while the steps of one wait for each other, a processor has those of the next. */
#define SETS 4
#define GROUP_BLOCKS (SETS * LANES)
#define KEY(i) splat(k[i])

/* Unrolled, the sets would not fit the registers, and their code not the caches. */
#if defined(__clang__)
#define ROLLED _Pragma("clang loop unroll(disable)")
#else
#define ROLLED _Pragma("GCC unroll 1")
#endif
#define STEP(ROUND) \
  ROLLED for (int s = 0; s < count; s++) { \
    words *x = sets[s]; \
    ROUND(words, KEY, x) \
  }
#define ADD_KEY(TYPE, KEY, x) \
  for (int w = 0; w < 4; w++) x[w] ^= KEY(TURN_WORDS + w);

OUTLINE void WIDE(serpent_encrypt_sets)(const uint32_t *k, words sets[SETS][4], int count) {
  for (int turn = 1;; turn++, k += TURN_WORDS) {
    ENCRYPT_TURN(STEP)
    if (turn == TURNS) break;
    STEP(SERPENT_TRANSFORM)
  }
  STEP(ADD_KEY)
}

OUTLINE void WIDE(serpent_decrypt_sets)(const uint32_t *k, words sets[SETS][4], int count) {
  k += (TURNS - 1) * TURN_WORDS;
  STEP(ADD_KEY)
  for (int turn = 1;; turn++, k -= TURN_WORDS) {
    DECRYPT_TURN(STEP)
    if (turn == TURNS) break;
    STEP(SERPENT_TRANSFORM_BACK)
  }
}
#undef STEP
#undef KEY

INLINE void WIDE(load_set)(const uint8_t *from, words x[4]) {
  for (int i = 0; i < 4; i++) x[i] = load_words(from + i * sizeof *x);
}

INLINE void WIDE(xor_set)(words x[4], const uint8_t *from) {
  for (int i = 0; i < 4; i++) x[i] ^= load_words(from + i * sizeof *x);
}

INLINE void WIDE(store_set)(uint8_t *to, const words x[4]) {
  for (int i = 0; i < 4; i++) store_words(to + i * sizeof *x, x[i]);
}

/* Up to SETS sets, from the last to the first: so `after` may be the block before each of `in`, in place. */
INLINE void WIDE(serpent_sets)(const uint32_t *k, bool decrypts, struct layers its, int count) {
  words sets[SETS][4];
  ROLLED for (int s = 0; s < count; s++) {
    WIDE(load_set)(its.in + s * SET_BYTES, sets[s]);
    if (its.before) WIDE(xor_set)(sets[s], its.before + s * SET_BYTES);
    columns(sets[s]);
  }
  if (decrypts) WIDE(serpent_decrypt_sets)(k, sets, count);
  else WIDE(serpent_encrypt_sets)(k, sets, count);
  ROLLED for (int s = count - 1; s >= 0; s--) {
    columns(sets[s]);
    if (its.after) WIDE(xor_set)(sets[s], its.after + s * SET_BYTES);
    WIDE(store_set)(its.out + s * SET_BYTES, sets[s]);
  }
  wipe(sets, sizeof sets);
}

/* Fewer blocks than a set has: the rest of it is aside. */
INLINE void WIDE(serpent_rest)(const uint32_t *k, bool decrypts, struct layers its, size_t length) {
  uint8_t in[SET_BYTES] = {0}, before[SET_BYTES] = {0}, after[SET_BYTES] = {0};
  memcpy(in, its.in, length);
  if (its.before) memcpy(before, its.before, length);
  if (its.after) memcpy(after, its.after, length);
  WIDE(serpent_sets)(k, decrypts, (struct layers){in, before, after, in}, 1);
  memcpy(its.out, in, length);
  wipe(in, sizeof in);
  wipe(before, sizeof before);
  wipe(after, sizeof after);
}
#endif

/* Fewer blocks take less time one by one than in a set. */
#define LEAST_IN_SET 3

/* Any number of blocks, from the last to the first: so `after` may be the block before each, and all of it in place. */
INLINE void WIDE(serpent_blocks)(const uint32_t *k, bool decrypts, struct layers its, size_t blocks) {
#if LANES > 1
  size_t rest = blocks % LANES, sets = blocks / LANES;
  if (rest >= LEAST_IN_SET) {
    WIDE(serpent_rest)(k, decrypts, layers_from(its, sets * SET_BYTES), rest * SERPENT_BLOCK);
    rest = 0;
  }
  for (; rest; rest--) WIDE(serpent_one)(k, decrypts, layers_from(its, sets * SET_BYTES + (rest - 1) * SERPENT_BLOCK));
  while (sets) {
    const size_t count = least(sets, SETS);
    sets -= count;
    WIDE(serpent_sets)(k, decrypts, layers_from(its, sets * SET_BYTES), (int)count);
  }
#else
  for (; blocks; blocks--) WIDE(serpent_one)(k, decrypts, layers_from(its, (blocks - 1) * SERPENT_BLOCK));
#endif
}

OUTLINE void WIDE(serpent_encrypt)(const uint32_t *k, struct layers its, size_t blocks) {
  WIDE(serpent_blocks)(k, false, its, blocks);
}
OUTLINE void WIDE(serpent_decrypt)(const uint32_t *k, struct layers its, size_t blocks) {
  WIDE(serpent_blocks)(k, true, its, blocks);
}
