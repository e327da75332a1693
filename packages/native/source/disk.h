/*
 * Adiantum and HPolyC: the functions of disk/module.ts over the memory map of disk/map.ts, with AES by the processor's instructions. HBSH is
 * that of "Adiantum: length-preserving encryption for entry-level processors", §2: the head of disk/pages-kernel.ts draws it.
 */
#define DISK_BLOCK_BYTES 16
#define MESSAGE_KEY (DISK_POLY_KEY + DISK_BLOCK_BYTES)
#define AES_KEYS (AES_ROUNDS + 1)

typedef __m128i aes_block;

INLINE aes_block load_aes(const uint8_t *from) { return _mm_loadu_si128((const aes_block *)(const void *)from); }
INLINE void store_aes(uint8_t *to, aes_block x) { _mm_storeu_si128((aes_block *)(void *)to, x); }

/* In the memory all round keys but the first have the constant of the S-box, as the circuits of WebAssembly need it. */
INLINE void aes_keys(const struct memory *memory, aes_block keys[AES_KEYS]) {
  const aes_block constant = _mm_set1_epi32((int)AES_CONSTANT);
  for (int i = 0; i < AES_KEYS; i++) {
    keys[i] = load_aes(memory->bytes + DISK_ROUND + DISK_BLOCK_BYTES * i);
    if (i) keys[i] = _mm_xor_si128(keys[i], constant);
  }
}

/* SubWord, FIPS 197 §5.2: in four equal columns, ShiftRows moves nothing. */
INLINE uint32_t sub_word(uint32_t word) {
  return (uint32_t)_mm_cvtsi128_si32(_mm_aesenclast_si128(_mm_set1_epi32((int)word), _mm_setzero_si128()));
}

/* FIPS 197 §5.2. */
static void expand_aes_key(struct memory *memory, const uint8_t key[32]) {
  uint32_t w[4 * AES_KEYS], constant = 1;
  for (int i = 0; i < 8; i++) w[i] = load32(key + 4 * i);
  for (int i = 8; i < 4 * AES_KEYS; i++) {
    uint32_t word = w[i - 1];
    if (i % 8 == 0) {
      word = sub_word(word >> 8 | word << 24) ^ constant;
      constant <<= 1;
    } else if (i % 8 == 4) word = sub_word(word);
    w[i] = w[i - 8] ^ word;
  }
  for (int i = 0; i < 4 * AES_KEYS; i++) store32(memory->bytes + DISK_ROUND + 4 * i, i < 4 ? w[i] : w[i] ^ AES_CONSTANT);
  wipe(w, sizeof w);
}

/* FIPS 197 §5.1, on a block of each page. */
OUTLINE void aes_encrypt(const struct memory *memory, uint8_t blocks[][DISK_BLOCK_BYTES], size_t count) {
  aes_block keys[AES_KEYS];
  aes_keys(memory, keys);
  for (size_t b = 0; b < count; b++) {
    aes_block x = _mm_xor_si128(load_aes(blocks[b]), keys[0]);
    for (int i = 1; i < AES_ROUNDS; i++) x = _mm_aesenc_si128(x, keys[i]);
    store_aes(blocks[b], _mm_aesenclast_si128(x, keys[AES_ROUNDS]));
  }
  wipe(keys, sizeof keys);
}

/* The equivalent inverse cipher, §5.3.5. */
OUTLINE void aes_decrypt(const struct memory *memory, uint8_t blocks[][DISK_BLOCK_BYTES], size_t count) {
  aes_block keys[AES_KEYS];
  aes_keys(memory, keys);
  for (int i = 1; i < AES_ROUNDS; i++) keys[i] = _mm_aesimc_si128(keys[i]);
  for (size_t b = 0; b < count; b++) {
    aes_block x = _mm_xor_si128(load_aes(blocks[b]), keys[AES_ROUNDS]);
    for (int i = AES_ROUNDS - 1; i; i--) x = _mm_aesdec_si128(x, keys[i]);
    store_aes(blocks[b], _mm_aesdeclast_si128(x, keys[0]));
  }
  wipe(keys, sizeof keys);
}

/* to = x + y, or x - y, modulo 2^128. */
INLINE void sum128(uint8_t *to, const uint8_t *x, const uint8_t *y, bool minus) {
  const uint64_t ones = 0 - (uint64_t)minus;
  const wide low = (wide)load64(x) + (load64(y) ^ ones) + minus;
  const uint64_t high = load64(x + 8) + (load64(y + 8) ^ ones) + (uint64_t)(low >> 64);
  store64(to, (uint64_t)low);
  store64(to + 8, high);
}

#define NH_UNIT 16
#define NH_PASSES 4
/* Units side by side in a vector. */
#define NH_SIDES (LANES / 4)
#define WORD_PAIRS(x, a, b) UNPACK(x, x, a, a, b, b)

INLINE void WIDE(nh_units)(const uint8_t *message, const uint8_t *key, limbs sums[NH_PASSES]) {
  const words m = load_words(message);
  for (int pass = 0; pass < NH_PASSES; pass++) {
    const words t = m + load_words(key + NH_UNIT * pass);
    sums[pass] += PRODUCT(WORD_PAIRS(t, 0, 1), WORD_PAIRS(t, 2, 3));
  }
}

/* §6.3: the hash of a piece, of whole units. */
OUTLINE void WIDE(nh_piece)(const uint8_t *key, const uint8_t *message, size_t units, uint8_t to[32]) {
  limbs sums[NH_PASSES] = {0};
  for (; units >= NH_SIDES; units -= NH_SIDES, message += NH_SIDES * NH_UNIT, key += NH_SIDES * NH_UNIT)
    WIDE(nh_units)(message, key, sums);
  for (int pass = 0; pass < NH_PASSES; pass++) {
    uint64_t sum = 0;
    for (int i = 0; i < 2 * NH_SIDES; i++) sum += sums[pass][i];
    for (size_t u = 0; u < units; u++) {
      const uint8_t *m = message + NH_UNIT * u, *k = key + NH_UNIT * (u + (size_t)pass);
      uint32_t t[4];
      for (int w = 0; w < 4; w++) t[w] = load32(m + 4 * w) + load32(k + 4 * w);
      sum += (uint64_t)t[0] * t[2] + (uint64_t)t[1] * t[3];
    }
    store64(to + 8 * pass, sum);
  }
  wipe(sums, sizeof sums);
}

/* Hashing in progress: with s = 0, and under one of two keys. */
INLINE void begin_hash(const struct memory *memory, uint32_t key, struct poly1305 *poly) {
  poly->r[0] = load64(memory->bytes + key);
  poly->r[1] = load64(memory->bytes + key + 8);
  poly->s[0] = poly->s[1] = 0;
  poly->h[0] = poly->h[1] = poly->h[2] = 0;
}

/* Lengths and tweak: for Adiantum a number to add, for HPolyC an accumulator. */
struct tweaked {
  uint64_t h[3];
  uint8_t number[DISK_BLOCK_BYTES];
};

static void WIDE(hash_tweak)(const struct memory *memory, struct poly1305 *poly, uint32_t nh, const uint8_t *head, size_t length, struct tweaked *to) {
  begin_hash(memory, DISK_POLY_KEY, poly);
  WIDE(absorb_bytes)(poly, head, length, false);
  memcpy(to->h, poly->h, sizeof to->h);
  if (nh) finish_poly1305(poly, to->number);
}

INLINE void begin_message(const struct memory *memory, struct poly1305 *poly, uint32_t nh, const struct tweaked *tweak) {
  begin_hash(memory, nh ? MESSAGE_KEY : DISK_POLY_KEY, poly);
  if (!nh) memcpy(poly->h, tweak->h, sizeof poly->h);
}

static void WIDE(absorb_message)(struct memory *memory, struct poly1305 *poly, uint32_t nh, const uint8_t *from, size_t length) {
  const uint8_t *key = memory->bytes + DISK_NH_KEY;
  /* As in WebAssembly, where the caller wipes it. */
  uint8_t *hash = memory->bytes + DISK_NH, rest[1024];
  if (!nh) {
    WIDE(absorb_bytes)(poly, from, length, false);
    return;
  }
  for (; length >= sizeof rest; length -= sizeof rest, from += sizeof rest) {
    WIDE(nh_piece)(key, from, sizeof rest / NH_UNIT, hash);
    WIDE(absorb_blocks)(poly, hash, 2);
  }
  if (length) {
    const size_t units = (length + NH_UNIT - 1) / NH_UNIT;
    memcpy(rest, from, length);
    memset(rest + length, 0, units * NH_UNIT - length);
    WIDE(nh_piece)(key, rest, units, hash);
    WIDE(absorb_blocks)(poly, hash, 2);
    wipe(rest, sizeof rest);
  }
}

INLINE void finish_message(struct poly1305 *poly, uint32_t nh, const struct tweaked *tweak, uint8_t to[DISK_BLOCK_BYTES]) {
  finish_poly1305(poly, to);
  if (nh) sum128(to, to, tweak->number, false);
}

/* HChaCha of a key and a nonce in each lane, draft-irtf-cfrg-xchacha-03 §2.2. */
OUTLINE void WIDE(subkeys)(const struct memory *memory, uint32_t double_rounds, uint8_t middle[LANES][DISK_BLOCK_BYTES], uint32_t to[8][LANES]) {
  static const uint32_t sigma[4] = SIGMA;
  words x[16];
  for (int w = 0; w < 4; w++) x[w] = splat(sigma[w]);
  for (int w = 0; w < 8; w++) x[4 + w] = splat(load32(memory->bytes + DISK_KEY + 4 * w));
  for (int w = 0; w < 4; w++)
    for (int lane = 0; lane < LANES; lane++) x[12 + w][lane] = load32(middle[lane] + 4 * w);
  for (; double_rounds; double_rounds--) {
    ROUNDS(CHACHA_DOUBLE_ROUND)(x)
  }
  for (int w = 0; w < 4; w++) {
    memcpy(to[w], &x[w], sizeof *x);
    memcpy(to[4 + w], &x[12 + w], sizeof *x);
  }
  wipe(x, sizeof x);
}

/* A page's stream at its beginning: the nonce's 17th byte is 1. */
INLINE void WIDE(start_stream)(uint32_t input[16], const uint32_t subkeys[8][LANES], size_t lane) {
  static const uint32_t sigma[4] = SIGMA, last[4] = {0, 0, 1, 0};
  for (int w = 0; w < 4; w++) input[w] = sigma[w];
  for (int w = 0; w < 8; w++) input[4 + w] = subkeys[w][lane];
  for (int w = 0; w < 4; w++) input[12 + w] = last[w];
}

/* A group of pages, one in each lane: the values between the two passes over them. */
struct WIDE(page_group) {
  uint8_t middle[LANES][DISK_BLOCK_BYTES];
  struct tweaked tweaks[LANES];
  uint32_t subkeys[8][LANES];
  /* Apart for each key, so that powers of r are computed once. */
  struct poly1305 tweak, message;
  uint32_t input[16];
};

static void WIDE(turn_middle)(const struct memory *memory, struct WIDE(page_group) *group, uint32_t back, uint32_t double_rounds, size_t count) {
  if (!back) aes_encrypt(memory, group->middle, count);
  WIDE(subkeys)(memory, double_rounds, group->middle, group->subkeys);
  if (back) aes_decrypt(memory, group->middle, count);
}

INLINE void WIDE(hash_message)(struct memory *memory, struct WIDE(page_group) *group, size_t i, uint32_t nh, const uint8_t *page, size_t length, uint8_t hash[DISK_BLOCK_BYTES]) {
  begin_message(memory, &group->message, nh, &group->tweaks[i]);
  WIDE(absorb_message)(memory, &group->message, nh, page, length);
  finish_message(&group->message, nh, &group->tweaks[i], hash);
}

/* (back, nh, doubleRounds, headLength, slot, pageLength, stride, count) */
static uint32_t WIDE(disk_pages)(struct memory *memory, const uint32_t *a) {
  const uint32_t back = a[0], nh = a[1], double_rounds = a[2];
  const size_t head_length = a[3], slot = a[4], stride = a[6], length = (size_t)a[5] - DISK_BLOCK_BYTES;
  size_t left = a[7];
  if (a[5] < DISK_BLOCK_BYTES || double_rounds == 0 || left == 0 || left > memory->length || stride > memory->length) return TRAP;
  if (slot > memory->length || !within(memory, DISK_HEADS, (left - 1) * slot + head_length)) return TRAP;
  if (!within(memory, DISK_STAGE, (left - 1) * stride + a[5])) return TRAP;
  struct WIDE(page_group) group = {.tweak.count = 0, .message.count = 0};
  uint8_t hash[DISK_BLOCK_BYTES], *first = memory->bytes + DISK_STAGE;
  const uint8_t *head = memory->bytes + DISK_HEADS;
  while (left) {
    const size_t count = least(left, LANES);
    for (size_t i = 0; i < count; i++, head += slot) {
      const uint8_t *page = first + i * stride;
      WIDE(hash_tweak)(memory, &group.tweak, nh, head, head_length, &group.tweaks[i]);
      WIDE(hash_message)(memory, &group, i, nh, page, length, hash);
      sum128(group.middle[i], page + length, hash, false);
    }
    WIDE(turn_middle)(memory, &group, back, double_rounds, count);
    for (size_t i = 0; i < count; i++) {
      uint8_t *page = first + i * stride;
      WIDE(start_stream)(group.input, group.subkeys, i);
      WIDE(chacha_xor_bytes)(group.input, double_rounds, page, page, length);
      WIDE(hash_message)(memory, &group, i, nh, page, length, hash);
      sum128(page + length, group.middle[i], hash, true);
    }
    first += count * stride;
    left -= count;
  }
  wipe(&group, sizeof group);
  wipe(hash, sizeof hash);
  return 0;
}

/* What a page in parts keeps in the memory between its calls. */
INLINE void load_tweaked(const struct memory *memory, struct tweaked *tweak) {
  const uint8_t *from = memory->bytes + DISK_TWEAKED;
  memcpy(tweak->number, from, DISK_BLOCK_BYTES);
  tweak->h[0] = load64(from);
  tweak->h[1] = load64(from + 8);
  tweak->h[2] = load32(from + 16);
}
INLINE void store_tweaked(struct memory *memory, uint32_t nh, const struct tweaked *tweak) {
  uint8_t *to = memory->bytes + DISK_TWEAKED;
  if (nh) memcpy(to, tweak->number, DISK_BLOCK_BYTES);
  else {
    store64(to, tweak->h[0]);
    store64(to + 8, tweak->h[1]);
    store32(to + 16, (uint32_t)tweak->h[2]);
  }
}

/* (nh, headLength) */
static uint32_t WIDE(disk_begin)(struct memory *memory, const uint32_t *a) {
  struct poly1305 poly = {.count = 0};
  struct tweaked tweak;
  if (!within(memory, DISK_HEADS, a[1])) return TRAP;
  WIDE(hash_tweak)(memory, &poly, a[0], memory->bytes + DISK_HEADS, a[1], &tweak);
  store_tweaked(memory, a[0], &tweak);
  begin_message(memory, &poly, a[0], &tweak);
  store_poly1305(&poly, memory->bytes + DISK_POLY);
  wipe(&poly, sizeof poly);
  wipe(&tweak, sizeof tweak);
  return 0;
}

INLINE void WIDE(absorb_stage)(struct memory *memory, uint32_t nh, size_t length) {
  struct poly1305 poly;
  load_poly1305(&poly, memory->bytes + DISK_POLY);
  WIDE(absorb_message)(memory, &poly, nh, memory->bytes + DISK_STAGE, length);
  store_poly1305(&poly, memory->bytes + DISK_POLY);
  wipe(&poly, sizeof poly);
}

/* (nh, length) */
static uint32_t WIDE(disk_absorb)(struct memory *memory, const uint32_t *a) {
  if (!within(memory, DISK_STAGE, a[1])) return TRAP;
  WIDE(absorb_stage)(memory, a[0], a[1]);
  return 0;
}

INLINE void WIDE(add_hash)(struct memory *memory, struct poly1305 *poly, uint32_t nh, struct tweaked *tweak, bool minus) {
  uint8_t hash[DISK_BLOCK_BYTES];
  load_poly1305(poly, memory->bytes + DISK_POLY);
  load_tweaked(memory, tweak);
  finish_message(poly, nh, tweak, hash);
  sum128(memory->bytes + DISK_MIDDLE, memory->bytes + DISK_MIDDLE, hash, minus);
  wipe(hash, sizeof hash);
}

/* (back, nh, doubleRounds) */
static uint32_t WIDE(disk_turn)(struct memory *memory, const uint32_t *a) {
  struct WIDE(page_group) group = {.message.count = 0};
  if (a[2] == 0) return TRAP;
  WIDE(add_hash)(memory, &group.message, a[1], group.tweaks, false);
  memcpy(group.middle[0], memory->bytes + DISK_MIDDLE, DISK_BLOCK_BYTES);
  WIDE(turn_middle)(memory, &group, a[0], a[2], 1);
  memcpy(memory->bytes + DISK_MIDDLE, group.middle[0], DISK_BLOCK_BYTES);
  WIDE(start_stream)(group.input, group.subkeys, 0);
  WIDE(chacha_store_input)(memory, group.input);
  begin_message(memory, &group.message, a[1], group.tweaks);
  store_poly1305(&group.message, memory->bytes + DISK_POLY);
  wipe(&group, sizeof group);
  return 0;
}

/* (nh, doubleRounds, length): all parts but the last are of whole blocks. */
static uint32_t WIDE(disk_stream)(struct memory *memory, const uint32_t *a) {
  uint32_t input[16];
  if (a[1] == 0 || !within(memory, DISK_STAGE, a[2])) return TRAP;
  WIDE(chacha_load_input)(memory, input);
  WIDE(chacha_xor_bytes)(input, a[1], memory->bytes + DISK_STAGE, memory->bytes + DISK_STAGE, a[2]);
  WIDE(chacha_store_input)(memory, input);
  wipe(input, sizeof input);
  WIDE(absorb_stage)(memory, a[0], a[2]);
  return 0;
}

/* (nh) */
static uint32_t WIDE(disk_end)(struct memory *memory, const uint32_t *a) {
  struct poly1305 poly;
  struct tweaked tweak;
  WIDE(add_hash)(memory, &poly, a[0], &tweak, true);
  wipe(&poly, sizeof poly);
  wipe(&tweak, sizeof tweak);
  return 0;
}

/* (at, slot, step, count): heads with numbers that rise. */
static uint32_t WIDE(disk_heads)(struct memory *memory, const uint32_t *a) {
  const size_t at = a[0], slot = a[1], count = a[3];
  if (count == 0 || count > memory->length || slot > memory->length || at + 8 > slot) return TRAP;
  if (!within(memory, DISK_HEADS, count * slot)) return TRAP;
  uint8_t *head = memory->bytes + DISK_HEADS;
  for (size_t i = 1; i < count; i++, head += slot) {
    memcpy(head + slot, head, slot);
    store64(head + slot + at, load64(head + at) + a[2]);
  }
  return 0;
}

/* (doubleRounds): XChaCha's stream begins with the key of AES; those of Poly1305 and of NH follow. §2 */
static uint32_t WIDE(disk_derive)(struct memory *memory, const uint32_t *a) {
  static const uint32_t clamp[4] = POLY1305_CLAMP, last[8] = {1};
  uint8_t keys[64 * 18] = {0}, *state = memory->bytes + KEYSTREAM_STATE;
  uint32_t input[16];
  if (a[0] == 0) return TRAP;
  memcpy(state + 16, memory->bytes + DISK_KEY, 32);
  for (int w = 0; w < 8; w++) store32(state + 48 + 4 * w, last[w]);
  WIDE(chacha_start)(memory, input, KEYSTREAM_EXTENDED, a[0]);
  WIDE(chacha_xor_bytes)(input, a[0], keys, keys, sizeof keys);
  expand_aes_key(memory, keys);
  memcpy(memory->bytes + DISK_POLY_KEY, keys + 32, 2 * DISK_BLOCK_BYTES + DISK_NH_KEY_BYTES);
  for (int w = 0; w < 8; w++) {
    uint8_t *r = memory->bytes + DISK_POLY_KEY + 4 * w;
    store32(r, load32(r) & clamp[w % 4]);
  }
  wipe(keys, sizeof keys);
  wipe(input, sizeof input);
  wipe(state, KEYSTREAM_TAG - KEYSTREAM_STATE);
  return 0;
}

static const struct export_ WIDE(disk_exports)[] = {
  {"absorb", 2, false, WIDE(disk_absorb)}, {"begin", 2, false, WIDE(disk_begin)},   {"derive", 1, false, WIDE(disk_derive)},
  {"end", 1, false, WIDE(disk_end)},       {"extend", 1, false, WIDE(chacha_extend)}, {"heads", 4, false, WIDE(disk_heads)},
  {"pages", 8, false, WIDE(disk_pages)},   {"stream", 3, false, WIDE(disk_stream)}, {"turn", 3, false, WIDE(disk_turn)},
};
