/* OCB3 with Serpent, RFC 7253: the functions of serpent/module.ts. */

/* L_0 to L_31, after L_$. */
#define DOUBLES 32
/* The blocks whose offsets are made at a time. */
#define PART_BLOCKS 64

INLINE uint64_t load_big(const uint8_t *from) { return __builtin_bswap64(load64(from)); }
INLINE void store_big(uint8_t *to, uint64_t x) { store64(to, __builtin_bswap64(x)); }

INLINE uint8_t *at(const struct memory *memory, uint32_t address) { return memory->bytes + address; }
INLINE void add_at(const struct memory *memory, uint32_t address, const uint8_t *block) {
  xor_block(at(memory, address), at(memory, address), block);
}

/* (bottom): §4.1, the values L of a key; §4.2, the first offset of a nonce. `bottom` is the number in the nonce's last six bits. */
static uint32_t WIDE(serpent_begin)(struct memory *memory, const uint32_t *a) {
  static const uint32_t sums[] = {SERPENT_STAR, SERPENT_OFFSET, SERPENT_CHECKSUM, SERPENT_SUM};
  const uint32_t bottom = a[0] & 63;
  WIDE(serpent_schedule)(memory);
  const uint32_t *k = serpent_keys(memory);
  for (int i = 0; i < 4; i++) memset(at(memory, sums[i]), 0, SERPENT_BLOCK);
  WIDE(serpent_encrypt_one)(k, at(memory, SERPENT_STAR), at(memory, SERPENT_STAR));
  uint64_t high = load_big(at(memory, SERPENT_STAR)), low = load_big(at(memory, SERPENT_STAR + 8));
  for (uint32_t i = 0; i <= DOUBLES; i++) {
    const uint64_t carry = high >> 63;
    high = high << 1 | low >> 63;
    /* The reduction by x^7 + x^2 + x + 1. */
    low = low << 1 ^ ((0 - carry) & 0x87);
    store_big(at(memory, SERPENT_DOLLAR + 16 * i), high);
    store_big(at(memory, SERPENT_DOLLAR + 16 * i + 8), low);
  }
  WIDE(serpent_encrypt_one)(k, at(memory, SERPENT_STRETCH), at(memory, SERPENT_STRETCH));
  /* The offset is the 128 bits from bit `bottom` on of these 192. */
  const uint64_t x = load_big(at(memory, SERPENT_STRETCH)), y = load_big(at(memory, SERPENT_STRETCH + 8));
  const uint64_t z = x ^ (x << 8 | y >> 56);
  store_big(at(memory, SERPENT_STRETCH), x << bottom | y >> 1 >> (63 - bottom));
  store_big(at(memory, SERPENT_STRETCH + 8), y << bottom | z >> 1 >> (63 - bottom));
  return 0;
}

/* §4.2: the offsets of the blocks after block `number`; the last one is that of the message so far. */
static void WIDE(offsets)(struct memory *memory, uint32_t number, size_t blocks, uint8_t *to) {
  const uint8_t *before = at(memory, SERPENT_OFFSET);
  for (size_t i = 0; i < blocks; i++, to += SERPENT_BLOCK) {
    const uint32_t zeros = (uint32_t)__builtin_ctz(number + (uint32_t)i + 1);
    xor_block(to, before, at(memory, SERPENT_L + 16 * zeros));
    before = to;
  }
  memmove(at(memory, SERPENT_OFFSET), before, SERPENT_BLOCK);
}

INLINE void WIDE(sum_of)(const struct memory *memory, uint32_t address, const uint8_t *blocks, size_t count) {
  uint8_t sum[SERPENT_BLOCK];
  memcpy(sum, at(memory, address), sizeof sum);
  for (size_t i = 0; i < count; i++) xor_block(sum, sum, blocks + i * SERPENT_BLOCK);
  memcpy(at(memory, address), sum, sizeof sum);
  wipe(sum, sizeof sum);
}

enum work { HASHES, ENCRYPTS, DECRYPTS };

/* Whole blocks, RFC 7253 §4.1 for additional data, §4.2 and §4.3 for messages. */
INLINE void WIDE(ocb_blocks)(struct memory *memory, enum work work, uint8_t *bytes, uint32_t number, size_t blocks) {
  const uint32_t *k = serpent_keys(memory);
  uint8_t masks[PART_BLOCKS * SERPENT_BLOCK], hashed[PART_BLOCKS * SERPENT_BLOCK];
  while (blocks) {
    const size_t count = least(blocks, PART_BLOCKS);
    WIDE(offsets)(memory, number, count, masks);
    if (work == ENCRYPTS) WIDE(sum_of)(memory, SERPENT_CHECKSUM, bytes, count);
    if (work == HASHES) {
      WIDE(serpent_encrypt)(k, (struct layers){bytes, masks, NULL, hashed}, count);
      WIDE(sum_of)(memory, SERPENT_SUM, hashed, count);
    } else if (work == ENCRYPTS) WIDE(serpent_encrypt)(k, (struct layers){bytes, masks, masks, bytes}, count);
    else WIDE(serpent_decrypt)(k, (struct layers){bytes, masks, masks, bytes}, count);
    if (work == DECRYPTS) WIDE(sum_of)(memory, SERPENT_CHECKSUM, bytes, count);
    bytes += count * SERPENT_BLOCK;
    number += (uint32_t)count;
    blocks -= count;
  }
  wipe(masks, sizeof masks);
  wipe(hashed, sizeof hashed);
}

/* A one and zeros after the last bytes, up to the end of their block. */
INLINE void pad(uint8_t *block, size_t left) {
  block[left] = 0x80;
  memset(block + left + 1, 0, SERPENT_BLOCK - 1 - left);
}

/* The last block, cut short. */
static void WIDE(ocb_last)(struct memory *memory, enum work work, uint8_t *block, size_t left) {
  const uint32_t *k = serpent_keys(memory);
  uint8_t x[SERPENT_BLOCK];
  add_at(memory, SERPENT_OFFSET, at(memory, SERPENT_STAR));
  memcpy(x, at(memory, SERPENT_OFFSET), sizeof x);
  if (work == HASHES) {
    pad(block, left);
    xor_block(x, x, block);
    WIDE(serpent_encrypt_one)(k, x, x);
    add_at(memory, SERPENT_SUM, x);
  } else {
    WIDE(serpent_encrypt_one)(k, x, x);
    if (work == DECRYPTS) xor_block(block, block, x);
    pad(block, left);
    add_at(memory, SERPENT_CHECKSUM, block);
    if (work == ENCRYPTS) xor_block(block, block, x);
  }
  wipe(x, sizeof x);
}

/* Whether a part and the padding of its last block lie in the memory. */
INLINE bool part_within(const struct memory *memory, uint32_t address, size_t length) {
  return within(memory, address, length + SERPENT_BLOCK);
}

INLINE void WIDE(ocb_part)(struct memory *memory, enum work work, uint32_t address, uint32_t number, size_t length) {
  const size_t blocks = length / SERPENT_BLOCK, left = length % SERPENT_BLOCK;
  WIDE(ocb_blocks)(memory, work, at(memory, address), number, blocks);
  if (left) WIDE(ocb_last)(memory, work, at(memory, address) + blocks * SERPENT_BLOCK, left);
}

OUTLINE void WIDE(ocb_hash)(struct memory *memory, uint32_t address, uint32_t number, size_t length) {
  WIDE(ocb_part)(memory, HASHES, address, number, length);
}
OUTLINE void WIDE(ocb_encrypt)(struct memory *memory, uint32_t number, size_t length) {
  if (number == 0) memcpy(at(memory, SERPENT_OFFSET), at(memory, SERPENT_STRETCH), SERPENT_BLOCK);
  WIDE(ocb_part)(memory, ENCRYPTS, SERPENT_STAGE, number, length);
}
OUTLINE void WIDE(ocb_decrypt)(struct memory *memory, uint32_t number, size_t length) {
  if (number == 0) memcpy(at(memory, SERPENT_OFFSET), at(memory, SERPENT_STRETCH), SERPENT_BLOCK);
  WIDE(ocb_part)(memory, DECRYPTS, SERPENT_STAGE, number, length);
}

/* (address, number, length) */
static uint32_t WIDE(serpent_hash)(struct memory *memory, const uint32_t *a) {
  if (!part_within(memory, a[0], a[2])) return TRAP;
  WIDE(ocb_hash)(memory, a[0], a[1], a[2]);
  return 0;
}

/* (number, length) */
static uint32_t WIDE(serpent_encrypt_part)(struct memory *memory, const uint32_t *a) {
  if (!part_within(memory, SERPENT_STAGE, a[1])) return TRAP;
  WIDE(ocb_encrypt)(memory, a[0], a[1]);
  return 0;
}
static uint32_t WIDE(serpent_decrypt_part)(struct memory *memory, const uint32_t *a) {
  if (!part_within(memory, SERPENT_STAGE, a[1])) return TRAP;
  WIDE(ocb_decrypt)(memory, a[0], a[1]);
  return 0;
}

static uint32_t WIDE(serpent_finish)(struct memory *memory, const uint32_t *a) {
  (void)a;
  add_at(memory, SERPENT_CHECKSUM, at(memory, SERPENT_OFFSET));
  add_at(memory, SERPENT_CHECKSUM, at(memory, SERPENT_DOLLAR));
  WIDE(serpent_encrypt_one)(serpent_keys(memory), at(memory, SERPENT_CHECKSUM), at(memory, SERPENT_CHECKSUM));
  add_at(memory, SERPENT_CHECKSUM, at(memory, SERPENT_SUM));
  return 0;
}

static uint32_t WIDE(serpent_verify)(struct memory *memory, const uint32_t *a) {
  (void)a;
  return equal16(at(memory, SERPENT_CHECKSUM), at(memory, SERPENT_TAG));
}

/* Whether additional data and message of one call have their places: the tag is after the message. */
INLINE bool message_within(const struct memory *memory, const uint32_t *a) {
  return a[1] <= SERPENT_AAD_BYTES && part_within(memory, SERPENT_STAGE, a[2]);
}

/* (bottom, aadLength, length) */
static uint32_t WIDE(serpent_seal)(struct memory *memory, const uint32_t *a) {
  if (!message_within(memory, a)) return TRAP;
  WIDE(serpent_begin)(memory, a);
  WIDE(ocb_hash)(memory, SERPENT_AAD, 0, a[1]);
  WIDE(ocb_encrypt)(memory, 0, a[2]);
  WIDE(serpent_finish)(memory, a);
  memcpy(SERPENT_AT(memory) + a[2], at(memory, SERPENT_CHECKSUM), SERPENT_BLOCK);
  return 0;
}

static uint32_t WIDE(serpent_open)(struct memory *memory, const uint32_t *a) {
  if (!message_within(memory, a)) return TRAP;
  memcpy(at(memory, SERPENT_TAG), SERPENT_AT(memory) + a[2], SERPENT_BLOCK);
  WIDE(serpent_begin)(memory, a);
  WIDE(ocb_hash)(memory, SERPENT_AAD, 0, a[1]);
  WIDE(ocb_decrypt)(memory, 0, a[2]);
  WIDE(serpent_finish)(memory, a);
  return WIDE(serpent_verify)(memory, a);
}

static const struct export_ WIDE(serpent_exports)[] = {
  {"begin", 1, false, WIDE(serpent_begin)},
  {"cbcDecrypt", 2, false, WIDE(serpent_cbc_decrypt)},
  {"cbcEncrypt", 2, false, WIDE(serpent_cbc_encrypt)},
  {"cbcMany", 4, false, WIDE(serpent_cbc_many)},
  {"decrypt", 2, false, WIDE(serpent_decrypt_part)},
  {"ecbDecrypt", 2, false, WIDE(serpent_ecb_decrypt)},
  {"ecbEncrypt", 2, false, WIDE(serpent_ecb_encrypt)},
  {"encrypt", 2, false, WIDE(serpent_encrypt_part)},
  {"finish", 0, false, WIDE(serpent_finish)},
  {"hash", 3, false, WIDE(serpent_hash)},
  {"open", 3, true, WIDE(serpent_open)},
  {"seal", 3, false, WIDE(serpent_seal)},
  {"verify", 0, true, WIDE(serpent_verify)},
};
