/* ChaCha20-Poly1305, RFC 8439 §2.8: the functions of chacha/module.ts over the memory map of keystream/map.ts. */

#define DOUBLE_ROUNDS 10
/* Cipher and MAC take turns on parts that stay in the first level of the cache. */
#define PART_BYTES 16384

#define STAGE KEYSTREAM_STAGE
#define HEAD KEYSTREAM_HEAD

/* The bytes at an address of the stage: the caller's, where these stand for it. */
INLINE const uint8_t *WIDE(source_of)(const struct memory *memory, uint32_t address, size_t length) {
  return memory->input && address == memory->stage && length <= memory->input_length ? memory->input
                                                                                      : memory->bytes + address;
}

/* Where blocks are computed by rows: the first ones of the keystream, with that of the MAC's key. */
#ifdef BY_ROWS
#define AHEAD_BYTES ROWS_BYTES
#else
#define AHEAD_BYTES 64
#endif

/* From key and nonce to a started MAC, RFC 8439 §2.6. For a short message, the blocks after the first one are ahead of the counter. */
static void WIDE(begin_sealing)(struct memory *memory, uint32_t kind, uint32_t input[16], struct poly1305 *poly, uint8_t ahead[AHEAD_BYTES], bool is_short) {
  WIDE(chacha_start)(memory, input, kind, DOUBLE_ROUNDS);
#ifdef BY_ROWS
  if (is_short) WIDE(chacha_rows)(input, DOUBLE_ROUNDS, ahead);
  else
#else
  (void)is_short;
#endif
    WIDE(chacha_block)(input, DOUBLE_ROUNDS, ahead);
  WIDE(chacha_advance)(input, 1);
  start_poly1305(poly, ahead);
}

INLINE void WIDE(encrypt_bytes)(uint32_t input[16], struct poly1305 *poly, const uint8_t *in, uint8_t *out, size_t length) {
  while (length) {
    const size_t size = least(length, PART_BYTES);
    WIDE(chacha_xor_bytes)(input, DOUBLE_ROUNDS, in, out, size);
    WIDE(absorb_bytes)(poly, out, size, true);
    in += size;
    out += size;
    length -= size;
  }
}

INLINE void WIDE(decrypt_bytes)(uint32_t input[16], struct poly1305 *poly, const uint8_t *in, uint8_t *out, size_t length) {
  while (length) {
    const size_t size = least(length, PART_BYTES);
    WIDE(absorb_bytes)(poly, in, size, true);
    WIDE(chacha_xor_bytes)(input, DOUBLE_ROUNDS, in, out, size);
    in += size;
    out += size;
    length -= size;
  }
}

/* RFC 8439 §2.8: both lengths as 64-bit little-endian integers are the last block. */
static void WIDE(finish_sealing)(struct poly1305 *poly, uint64_t aad_length, uint64_t length, uint8_t tag[16]) {
  add_block(poly->h, aad_length, length, 1);
  multiply(poly->h, poly->r[0], poly->r[1]);
  finish_poly1305(poly, tag);
}

/* 1 if two tags are equal: all differences are gathered first, and only the result is public. */
INLINE uint32_t equal16(const uint8_t *x, const uint8_t *y) {
  const uint64_t difference = (load64(x) ^ load64(y)) | (load64(x + 8) ^ load64(y + 8));
  return 1 ^ (uint32_t)((difference | (0 - difference)) >> 63);
}

struct WIDE(sealer) {
  uint32_t input[16];
  struct poly1305 poly;
  /* Its first block is the MAC's key; a short message takes the others. */
  uint8_t ahead[AHEAD_BYTES];
};

/* (kind): SIV takes the second half of the block, XORed onto that of HEAD. */
static uint32_t WIDE(chacha_begin)(struct memory *memory, const uint32_t *a) {
  struct WIDE(sealer) s;
  uint8_t *head = memory->bytes + HEAD;
  uint8_t block[64];
  WIDE(chacha_start)(memory, s.input, a[0], DOUBLE_ROUNDS);
  WIDE(chacha_block)(s.input, DOUBLE_ROUNDS, block);
  WIDE(chacha_advance)(s.input, 1);
  start_poly1305(&s.poly, block);
  for (int i = 32; i < 64; i++) head[i] ^= block[i];
  wipe(block, sizeof block);
  WIDE(chacha_store_input)(memory, s.input);
  store_poly1305(&s.poly, memory->bytes + KEYSTREAM_POLY);
  wipe(&s, sizeof s);
  return 0;
}

/* (address, length) */
static uint32_t WIDE(chacha_absorb)(struct memory *memory, const uint32_t *a) {
  struct poly1305 poly;
  if (!within(memory, a[0], a[1])) return TRAP;
  load_poly1305(&poly, memory->bytes + KEYSTREAM_POLY);
  WIDE(absorb_bytes)(&poly, WIDE(source_of)(memory, a[0], a[1]), a[1], true);
  store_poly1305(&poly, memory->bytes + KEYSTREAM_POLY);
  wipe(&poly, sizeof poly);
  return 0;
}

INLINE uint32_t WIDE(chacha_part)(struct memory *memory, uint32_t length, bool encrypts) {
  struct WIDE(sealer) s;
  if (!within(memory, STAGE, length)) return TRAP;
  WIDE(chacha_load_input)(memory, s.input);
  load_poly1305(&s.poly, memory->bytes + KEYSTREAM_POLY);
  const uint8_t *in = WIDE(source_of)(memory, STAGE, length);
  if (encrypts) WIDE(encrypt_bytes)(s.input, &s.poly, in, memory->bytes + STAGE, length);
  else WIDE(decrypt_bytes)(s.input, &s.poly, in, memory->bytes + STAGE, length);
  WIDE(chacha_store_input)(memory, s.input);
  store_poly1305(&s.poly, memory->bytes + KEYSTREAM_POLY);
  wipe(&s, sizeof s);
  return 0;
}

/* (head, aadLength, length): both are 0, for a message in parts. */
static uint32_t WIDE(chacha_encrypt)(struct memory *memory, const uint32_t *a) {
  return a[0] | a[1] ? TRAP : WIDE(chacha_part)(memory, a[2], true);
}

/* (length) */
static uint32_t WIDE(chacha_decrypt)(struct memory *memory, const uint32_t *a) {
  return WIDE(chacha_part)(memory, a[0], false);
}

/* (aadLow, aadHigh, low, high, address) */
static uint32_t WIDE(chacha_finish)(struct memory *memory, const uint32_t *a) {
  struct poly1305 poly;
  if (!within(memory, a[4], 16)) return TRAP;
  load_poly1305(&poly, memory->bytes + KEYSTREAM_POLY);
  WIDE(finish_sealing)(&poly, a[0] | (uint64_t)a[1] << 32, a[2] | (uint64_t)a[3] << 32, memory->bytes + a[4]);
  wipe(&poly, sizeof poly);
  return 0;
}

/* (address) */
static uint32_t WIDE(verify)(struct memory *memory, const uint32_t *a) {
  if (!within(memory, a[0], 16)) return TRAP;
  return equal16(memory->bytes + a[0], memory->bytes + KEYSTREAM_TAG);
}

/* (kind, aadLength, length) */
static uint32_t WIDE(chacha_seal)(struct memory *memory, const uint32_t *a) {
  const uint32_t aad_length = a[1], length = a[2];
  uint8_t *bytes = memory->bytes;
  struct WIDE(sealer) s;
  if (aad_length > KEYSTREAM_AAD_BYTES || !within(memory, STAGE, (size_t)length + 16)) return TRAP;
  const bool is_short = length <= AHEAD_BYTES - 64;
  WIDE(begin_sealing)(memory, a[0], s.input, &s.poly, s.ahead, is_short);
  WIDE(absorb_bytes)(&s.poly, bytes + KEYSTREAM_AAD, aad_length, true);
  const uint8_t *in = WIDE(source_of)(memory, STAGE, length);
  if (is_short) {
    WIDE(chacha_xor_with)(s.ahead + 64, in, bytes + STAGE, length);
    WIDE(absorb_bytes)(&s.poly, bytes + STAGE, length, true);
  } else WIDE(encrypt_bytes)(s.input, &s.poly, in, bytes + STAGE, length);
  WIDE(finish_sealing)(&s.poly, aad_length, length, bytes + STAGE + length);
  wipe(&s, sizeof s);
  /* Only ciphertext and tag stay. */
  wipe(bytes + KEYSTREAM_STATE, STAGE - KEYSTREAM_STATE);
  wipe(bytes + KEYSTREAM_AAD, aad_length);
  return 0;
}

/* (kind, aadLength, length); the tag is after the ciphertext. */
static uint32_t WIDE(chacha_open)(struct memory *memory, const uint32_t *a) {
  const uint32_t aad_length = a[1], length = a[2];
  uint8_t *bytes = memory->bytes;
  struct WIDE(sealer) s;
  uint8_t tag[16];
  if (aad_length > KEYSTREAM_AAD_BYTES || !within(memory, STAGE, (size_t)length + 16)) return TRAP;
  const uint8_t *in = WIDE(source_of)(memory, STAGE, length);
  /* A tag that is apart from the caller's ciphertext is in the stage. */
  const bool is_whole = in != bytes + STAGE && memory->input_length >= (size_t)length + 16;
  memcpy(bytes + KEYSTREAM_TAG, is_whole ? in + length : bytes + STAGE + length, 16);
  const bool is_short = length <= AHEAD_BYTES - 64;
  WIDE(begin_sealing)(memory, a[0], s.input, &s.poly, s.ahead, is_short);
  WIDE(absorb_bytes)(&s.poly, bytes + KEYSTREAM_AAD, aad_length, true);
  if (is_short) {
    WIDE(absorb_bytes)(&s.poly, in, length, true);
    WIDE(chacha_xor_with)(s.ahead + 64, in, bytes + STAGE, length);
  } else WIDE(decrypt_bytes)(s.input, &s.poly, in, bytes + STAGE, length);
  WIDE(finish_sealing)(&s.poly, aad_length, length, tag);
  const uint32_t right = equal16(tag, bytes + KEYSTREAM_TAG);
  wipe(tag, sizeof tag);
  wipe(&s, sizeof s);
  return right;
}

static const struct export_ WIDE(chacha_exports)[] = {
  {"absorb", 2, false, WIDE(chacha_absorb)},   {"begin", 1, false, WIDE(chacha_begin)},
  {"decrypt", 1, false, WIDE(chacha_decrypt)}, {"encrypt", 3, false, WIDE(chacha_encrypt)},
  {"extend", 1, false, WIDE(chacha_extend)},   {"finish", 5, false, WIDE(chacha_finish)},
  {"open", 3, true, WIDE(chacha_open)},        {"seal", 3, false, WIDE(chacha_seal)},
  {"verify", 1, true, WIDE(verify)},           {"xor", 4, false, WIDE(chacha_xor)},
};
