/* Secretbox of Salsa20 and Poly1305: the functions of salsa/module.ts. The message begins in the block of the one-time key. */

#define BOX SALSA_BOX
#define TAG_PLACE (BOX - SALSA_TAG_BYTES)
#define FIRST_BYTES SALSA_FIRST_BYTES

/*
 * From key and nonce to a started MAC: the first block is the one-time key, and the keystream of the message's first bytes, which are
 * the second half of HEAD.
 */
static void WIDE(begin_box)(struct memory *memory, uint32_t kind, uint32_t input[16], struct poly1305 *poly, uint8_t block[64]) {
  WIDE(salsa_start)(memory, input, kind, DOUBLE_ROUNDS);
  WIDE(salsa_block)(input, DOUBLE_ROUNDS, block);
  WIDE(salsa_advance)(input, 1);
  start_poly1305(poly, block);
}

INLINE void xor_first(uint8_t *first, const uint8_t block[64], size_t length) {
  for (size_t i = 0; i < length; i++) first[i] ^= block[FIRST_BYTES + i];
}

/* (kind) */
static uint32_t WIDE(salsa_begin)(struct memory *memory, const uint32_t *a) {
  struct WIDE(sealer) s;
  uint8_t block[64];
  WIDE(begin_box)(memory, a[0], s.input, &s.poly, block);
  xor_first(memory->bytes + BOX, block, FIRST_BYTES);
  WIDE(salsa_store_input)(memory, s.input);
  store_poly1305(&s.poly, memory->bytes + KEYSTREAM_POLY);
  wipe(block, sizeof block);
  wipe(&s, sizeof s);
  return 0;
}

/* (address, length): the last call may end in a part of a block. */
static uint32_t WIDE(salsa_absorb)(struct memory *memory, const uint32_t *a) {
  struct poly1305 poly;
  if (!within(memory, a[0], a[1])) return TRAP;
  load_poly1305(&poly, memory->bytes + KEYSTREAM_POLY);
  WIDE(absorb_bytes)(&poly, WIDE(source_of)(memory, a[0], a[1]), a[1], false);
  store_poly1305(&poly, memory->bytes + KEYSTREAM_POLY);
  wipe(&poly, sizeof poly);
  return 0;
}

INLINE void WIDE(encrypt_box)(struct WIDE(sealer) *s, const uint8_t *in, uint8_t *out, size_t length) {
  while (length) {
    const size_t size = least(length, PART_BYTES);
    WIDE(salsa_xor_bytes)(s->input, DOUBLE_ROUNDS, in, out, size);
    WIDE(absorb_bytes)(&s->poly, out, size, false);
    in += size;
    out += size;
    length -= size;
  }
}

INLINE void WIDE(decrypt_box)(struct WIDE(sealer) *s, const uint8_t *in, uint8_t *out, size_t length) {
  while (length) {
    const size_t size = least(length, PART_BYTES);
    WIDE(absorb_bytes)(&s->poly, in, size, false);
    WIDE(salsa_xor_bytes)(s->input, DOUBLE_ROUNDS, in, out, size);
    in += size;
    out += size;
    length -= size;
  }
}

INLINE uint32_t WIDE(salsa_part)(struct memory *memory, uint32_t length, bool encrypts) {
  struct WIDE(sealer) s;
  if (!within(memory, STAGE, length)) return TRAP;
  WIDE(salsa_load_input)(memory, s.input);
  load_poly1305(&s.poly, memory->bytes + KEYSTREAM_POLY);
  const uint8_t *in = WIDE(source_of)(memory, STAGE, length);
  if (encrypts) WIDE(encrypt_box)(&s, in, memory->bytes + STAGE, length);
  else WIDE(decrypt_box)(&s, in, memory->bytes + STAGE, length);
  WIDE(salsa_store_input)(memory, s.input);
  store_poly1305(&s.poly, memory->bytes + KEYSTREAM_POLY);
  wipe(&s, sizeof s);
  return 0;
}

/* (head, before, length): both are 0, for a message in parts. */
static uint32_t WIDE(salsa_encrypt)(struct memory *memory, const uint32_t *a) {
  return a[0] | a[1] ? TRAP : WIDE(salsa_part)(memory, a[2], true);
}

/* (length) */
static uint32_t WIDE(salsa_decrypt)(struct memory *memory, const uint32_t *a) {
  return WIDE(salsa_part)(memory, a[0], false);
}

/* (address) */
static uint32_t WIDE(salsa_finish)(struct memory *memory, const uint32_t *a) {
  struct poly1305 poly;
  if (!within(memory, a[0], 16)) return TRAP;
  load_poly1305(&poly, memory->bytes + KEYSTREAM_POLY);
  finish_poly1305(&poly, memory->bytes + a[0]);
  wipe(&poly, sizeof poly);
  return 0;
}

/* (kind, length) */
static uint32_t WIDE(salsa_seal)(struct memory *memory, const uint32_t *a) {
  const uint32_t length = a[1];
  uint8_t *bytes = memory->bytes;
  struct WIDE(sealer) s;
  uint8_t block[64];
  if (!within(memory, BOX, length)) return TRAP;
  const size_t first = least(length, FIRST_BYTES);
  WIDE(begin_box)(memory, a[0], s.input, &s.poly, block);
  xor_first(bytes + BOX, block, first);
  WIDE(absorb_bytes)(&s.poly, bytes + BOX, first, false);
  WIDE(encrypt_box)(&s, bytes + STAGE, bytes + STAGE, length - first);
  finish_poly1305(&s.poly, bytes + TAG_PLACE);
  wipe(block, sizeof block);
  wipe(&s, sizeof s);
  /* Only tag and ciphertext stay. */
  wipe(bytes + KEYSTREAM_STATE, TAG_PLACE - KEYSTREAM_STATE);
  return 0;
}

/* (kind, length); the tag is in front of the ciphertext. */
static uint32_t WIDE(salsa_open)(struct memory *memory, const uint32_t *a) {
  const uint32_t length = a[1];
  uint8_t *bytes = memory->bytes;
  struct WIDE(sealer) s;
  uint8_t block[64], tag[16];
  if (!within(memory, BOX, length)) return TRAP;
  const size_t first = least(length, FIRST_BYTES);
  memcpy(bytes + KEYSTREAM_TAG, bytes + TAG_PLACE, 16);
  WIDE(begin_box)(memory, a[0], s.input, &s.poly, block);
  WIDE(absorb_bytes)(&s.poly, bytes + BOX, first, false);
  xor_first(bytes + BOX, block, first);
  WIDE(decrypt_box)(&s, bytes + STAGE, bytes + STAGE, length - first);
  finish_poly1305(&s.poly, tag);
  const uint32_t right = equal16(tag, bytes + KEYSTREAM_TAG);
  wipe(block, sizeof block);
  wipe(tag, sizeof tag);
  wipe(&s, sizeof s);
  return right;
}

static const struct export_ WIDE(salsa_exports)[] = {
  {"absorb", 2, false, WIDE(salsa_absorb)},   {"begin", 1, false, WIDE(salsa_begin)},
  {"decrypt", 1, false, WIDE(salsa_decrypt)}, {"encrypt", 3, false, WIDE(salsa_encrypt)},
  {"extend", 1, false, WIDE(salsa_extend)},   {"finish", 1, false, WIDE(salsa_finish)},
  {"open", 2, true, WIDE(salsa_open)},        {"seal", 2, false, WIDE(salsa_seal)},
  {"verify", 1, true, WIDE(verify)},          {"xor", 4, false, WIDE(salsa_xor)},
};
