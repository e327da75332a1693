/* BLAKE3: the functions of blake3/module.ts over the memory map of blake3/map.ts. */

#define CHUNK BLAKE3_CHUNK
#define BLOCK_BYTES BLAKE3_BLOCK_BYTES
#define CV_BYTES BLAKE3_CV_BYTES
#define MOST_LENGTH BLAKE3_STAGE_BYTES
/* Where the stage is free, because the message is read where the caller has it, it holds the chaining values of so many bytes. */
#define MOST_IN_PLACE (BLAKE3_STAGE_BYTES / BLAKE3_CV_BYTES * BLAKE3_CHUNK)

/* One compression, in words: the paper's §2.2. The second half of the output is needed for the root only. */
OUTLINE void WIDE(compress)(const uint32_t cv[8], const uint8_t *block, uint32_t length, uint64_t counter, uint32_t flags, uint32_t out[16]) {
  static const uint32_t iv[8] = BLAKE3_IV;
  uint32_t m[16], x[16];
  for (int i = 0; i < 16; i++) m[i] = load32(block + 4 * i);
  for (int i = 0; i < 8; i++) x[i] = cv[i];
  for (int i = 0; i < 4; i++) x[8 + i] = iv[i];
  x[12] = (uint32_t)counter;
  x[13] = (uint32_t)(counter >> 32);
  x[14] = length;
  x[15] = flags;
#pragma push_macro("ROTL")
#undef ROTL
#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))
  BLAKE3_ROUNDS_4(x, m)
#pragma pop_macro("ROTL")
  for (int i = 0; i < 8; i++) {
    out[8 + i] = x[8 + i] ^ cv[i];
    out[i] = x[i] ^ x[8 + i];
  }
  wipe(m, sizeof m);
  wipe(x, sizeof x);
}

/* The operands of blake3/kernel.ts's NodesCall; the blocks are at `from`, the chaining values go to `out`. All but bytes are public. */
struct WIDE(nodes) {
  const uint8_t *from;
  size_t stride;
  uint32_t count;
  uint32_t blocks;
  uint32_t tail;
  uint64_t counter;
  uint32_t step;
  uint32_t flags;
  uint32_t first;
  uint32_t last;
};

/* The blocks of a node one after the other; the last one may be short, and is read only as far as it goes. */
static void WIDE(one_node)(const struct WIDE(nodes) *call, const uint8_t *from, uint64_t counter, const uint32_t key[8], uint8_t *out) {
  uint32_t cv[16];
  uint8_t padded[BLOCK_BYTES] = {0};
  memcpy(cv, key, CV_BYTES);
  uint32_t flags = call->flags | call->first;
  for (uint32_t left = call->blocks; left; left--, from += BLOCK_BYTES) {
    const uint8_t *block = from;
    uint32_t length = BLOCK_BYTES;
    if (left == 1) {
      flags |= call->last;
      length = call->tail;
      if (length < BLOCK_BYTES) {
        memcpy(padded, from, length);
        block = padded;
      }
    }
    WIDE(compress)(cv, block, length, counter, flags, cv);
    flags = call->flags;
  }
  for (int i = 0; i < 8; i++) store32(out + 4 * i, cv[i]);
  wipe(cv, sizeof cv);
  wipe(padded, sizeof padded);
}

#if LANES > 1

/* The seven rounds on a block in each lane; `x` is the state, `m` the message. */
INLINE void WIDE(rounds)(words x[16], const words m[16]) {
  ROUNDS(BLAKE3_ROUNDS)(x, m)
}

/* So many blocks before its turn, a block is asked for: when it comes from memory, that takes longer than two blocks do. */
#define AHEAD 3

/* Reads a block of each lane; a short one is filled up with zeros. Processors follow fewer streams by themselves, so `ahead` are the blocks to ask for. */
INLINE void WIDE(load_blocks)(const uint8_t *const from[LANES], size_t at, size_t ahead, words m[16]) {
  for (int i = 0; i < 16; i++) m[i] = load_words(from[i * LANES / 16] + at + (i * sizeof(words)) % BLOCK_BYTES);
  /* A prefetch faults on no page; as a number, its address may be past the message, where a pointer may not. */
  for (int i = 0; i < LANES; i++) __builtin_prefetch((const void *)((uintptr_t)from[i] + ahead));
  words_of(m);
}

/*
 * LANES nodes side by side, as many as are filled; those that aren't compute the last one once more. Messages of `many` may end in a
 * short block: the caller has put zeros after it.
 */
OUTLINE void WIDE(lane_nodes)(const struct WIDE(nodes) *call, const uint8_t *first, uint32_t filled, uint64_t counter, const uint32_t key[8], uint8_t *out) {
  static const uint32_t iv[8] = BLAKE3_IV;
  const uint8_t *from[LANES];
  words h[8], low, high;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    const uint64_t its = counter + (uint64_t)lane * call->step;
    from[lane] = first + call->stride * (lane < filled ? lane : filled - 1);
    low[lane] = (uint32_t)its;
    high[lane] = (uint32_t)(its >> 32);
  }
  for (int i = 0; i < 8; i++) h[i] = splat(key[i]);
  uint32_t flags = call->flags | call->first;
  for (uint32_t block = 0; block < call->blocks; block++) {
    const bool is_last = block + 1 == call->blocks;
    words m[16], x[16];
    if (is_last) flags |= call->last;
    const size_t at = (size_t)block * BLOCK_BYTES, bytes = (size_t)call->blocks * BLOCK_BYTES, next = at + AHEAD * BLOCK_BYTES;
    /* After the last block come the lanes' next nodes. */
    WIDE(load_blocks)(from, at, next < bytes ? next : next - bytes + call->stride * LANES, m);
    for (int i = 0; i < 8; i++) x[i] = h[i];
    for (int i = 0; i < 4; i++) x[8 + i] = splat(iv[i]);
    x[12] = low;
    x[13] = high;
    x[14] = splat(is_last ? call->tail : BLOCK_BYTES);
    x[15] = splat(flags);
    WIDE(rounds)(x, m);
    for (int i = 0; i < 8; i++) h[i] = x[i] ^ x[8 + i];
    flags = call->flags;
  }
  uint32_t cvs[8][LANES];
  for (int i = 0; i < 8; i++) store_words((uint8_t *)cvs[i], h[i]);
  for (uint32_t lane = 0; lane < filled; lane++)
    for (int i = 0; i < 8; i++) store32(out + CV_BYTES * lane + 4 * i, cvs[i][lane]);
  wipe(cvs, sizeof cvs);
}

#endif

/* The least number of nodes for which lanes are faster: of chunks, and of parents, which have one block and put little into the widest. */
#define ENOUGH(blocks) ((blocks) > 1 || LANES < 16 ? 2 : 3)

/* The chaining values of any number of nodes. */
static void WIDE(chaining_values)(const struct WIDE(nodes) *call, const uint32_t key[8], uint8_t *out) {
  const uint8_t *from = call->from;
  uint64_t counter = call->counter;
  uint32_t left = call->count;
#if LANES > 1
  while (left >= ENOUGH(call->blocks)) {
    const uint32_t filled = left < LANES ? left : LANES;
    WIDE(lane_nodes)(call, from, filled, counter, key, out);
    from += call->stride * filled;
    out += CV_BYTES * (size_t)filled;
    counter += (uint64_t)call->step * filled;
    left -= filled;
  }
#endif
  for (; left; left--) {
    WIDE(one_node)(call, from, counter, key, out);
    from += call->stride;
    out += CV_BYTES;
    counter += call->step;
  }
}

INLINE void WIDE(load_cv)(const uint8_t *from, uint32_t cv[8]) {
  for (int i = 0; i < 8; i++) cv[i] = load32(from + 4 * i);
}

INLINE const uint8_t *WIDE(message_of)(const struct memory *memory, size_t length) {
  return memory->input && length <= memory->input_length ? memory->input : memory->bytes + BLAKE3_STAGE;
}

/* A chunk of 0 to 1024 bytes; `last` are additional flags of its last block. 64 bytes of output. */
static void WIDE(whole_chunk)(const uint8_t *from, uint32_t length, uint64_t counter, uint32_t flags, uint32_t last, const uint32_t key[8], uint32_t out[16]) {
  uint8_t padded[BLOCK_BYTES] = {0};
  uint32_t now = flags | BLAKE3_CHUNK_START;
  memcpy(out, key, CV_BYTES);
  for (; length > BLOCK_BYTES; length -= BLOCK_BYTES, from += BLOCK_BYTES) {
    WIDE(compress)(out, from, BLOCK_BYTES, counter, now, out);
    now = flags;
  }
  memcpy(padded, from, length);
  uint32_t cv[8];
  memcpy(cv, out, CV_BYTES);
  WIDE(compress)(cv, padded, length, counter, now | BLAKE3_CHUNK_END | last, out);
  wipe(cv, sizeof cv);
  wipe(padded, sizeof padded);
}

INLINE void WIDE(store_output)(struct memory *memory, const uint32_t out[16], uint32_t flags) {
  for (int i = 0; i < (flags & BLAKE3_ROOT ? 16 : 8); i++) store32(memory->bytes + BLAKE3_CV + 4 * i, out[i]);
}

/* The most bytes of a tree of so many. */
INLINE size_t WIDE(most_of)(const struct memory *memory, size_t length) {
  return WIDE(message_of)(memory, length) == memory->input ? MOST_IN_PLACE : MOST_LENGTH;
}

static void WIDE(stage_chunk)(struct memory *memory, uint32_t length, uint64_t counter, uint32_t flags, uint32_t last) {
  uint32_t key[8], out[16];
  WIDE(load_cv)(memory->bytes + BLAKE3_KEY, key);
  WIDE(whole_chunk)(WIDE(message_of)(memory, length), length, counter, flags, last, key, out);
  WIDE(store_output)(memory, out, last);
  wipe(key, sizeof key);
  wipe(out, sizeof out);
}

/* (length, low, high, flags, last) */
static uint32_t WIDE(blake3_chunk)(struct memory *memory, const uint32_t *a) {
  if (a[0] > CHUNK) return TRAP;
  WIDE(stage_chunk)(memory, a[0], a[1] | (uint64_t)a[2] << 32, a[3], a[4]);
  return 0;
}

/* (length, low, high, flags): all blocks of the chunk but the last, which goes to BLOCK. */
static uint32_t WIDE(blake3_prepare)(struct memory *memory, const uint32_t *a) {
  uint32_t length = a[0], flags = a[3] | BLAKE3_CHUNK_START, cv[16];
  if (length > CHUNK) return TRAP;
  const uint8_t *from = WIDE(message_of)(memory, length);
  uint8_t block[BLOCK_BYTES] = {0};
  WIDE(load_cv)(memory->bytes + BLAKE3_KEY, cv);
  const bool is_first = length <= BLOCK_BYTES;
  for (; length > BLOCK_BYTES; length -= BLOCK_BYTES, from += BLOCK_BYTES) {
    WIDE(compress)(cv, from, BLOCK_BYTES, a[1] | (uint64_t)a[2] << 32, flags, cv);
    flags = a[3];
  }
  memcpy(block, from, length);
  memcpy(memory->bytes + BLAKE3_BLOCK, block, BLOCK_BYTES);
  WIDE(store_output)(memory, cv, 0);
  wipe(cv, sizeof cv);
  wipe(block, sizeof block);
  return is_first ? BLAKE3_CHUNK_START : 0;
}

/* The two chaining values below the top of a tree, at CVS. */
static void WIDE(make_tree)(struct memory *memory, uint32_t length, uint64_t counter, uint32_t flags) {
  uint8_t *cvs = memory->bytes + (length > MOST_LENGTH ? BLAKE3_STAGE : BLAKE3_CVS);
  const uint8_t *from = WIDE(message_of)(memory, length);
  uint32_t key[8], count = length / CHUNK;
  const uint32_t rest = length % CHUNK;
  WIDE(load_cv)(memory->bytes + BLAKE3_KEY, key);
  const struct WIDE(nodes) chunks = {
    .from = from, .stride = CHUNK, .count = count, .blocks = CHUNK / BLOCK_BYTES, .tail = BLOCK_BYTES,
    .counter = counter, .step = 1, .flags = flags, .first = BLAKE3_CHUNK_START, .last = BLAKE3_CHUNK_END,
  };
  WIDE(chaining_values)(&chunks, key, cvs);
  if (rest) {
    uint32_t out[16];
    WIDE(whole_chunk)(from + (size_t)count * CHUNK, rest, counter + count, flags, 0, key, out);
    for (int i = 0; i < 8; i++) store32(cvs + CV_BYTES * count + 4 * i, out[i]);
    wipe(out, sizeof out);
    count++;
  }
  /* Level by level; the last of an odd number of nodes moves up unchanged, which gives the same tree as the paper's §2.1. */
  while (count > 2) {
    const uint32_t parents = count / 2;
    const struct WIDE(nodes) level = {
      .from = cvs, .stride = BLOCK_BYTES, .count = parents, .blocks = 1, .tail = BLOCK_BYTES, .flags = flags | BLAKE3_PARENT,
    };
    WIDE(chaining_values)(&level, key, cvs);
    if (count & 1) memcpy(cvs + CV_BYTES * parents, cvs + CV_BYTES * (count - 1), CV_BYTES);
    count = parents + (count & 1);
  }
  if (length > MOST_LENGTH) {
    memcpy(memory->bytes + BLAKE3_CVS, cvs, 2 * CV_BYTES);
    wipe(cvs, CV_BYTES * ((size_t)length / CHUNK + 1));
  }
  wipe(key, sizeof key);
}

/* (length, low, high, flags) */
static uint32_t WIDE(blake3_tree)(struct memory *memory, const uint32_t *a) {
  if (a[0] <= CHUNK || a[0] > WIDE(most_of)(memory, a[0])) return TRAP;
  WIDE(make_tree)(memory, a[0], a[1] | (uint64_t)a[2] << 32, a[3]);
  return 0;
}

/* (count, blocks, tail, flags): digests of messages side by side in STAGE, at CVS. */
static uint32_t WIDE(blake3_many)(struct memory *memory, const uint32_t *a) {
  uint32_t key[8];
  const size_t stride = (size_t)a[1] * BLOCK_BYTES;
  if (a[0] == 0 || a[0] > (BLAKE3_KEY - BLAKE3_CVS) / CV_BYTES || a[1] == 0 || a[1] > 16 || a[2] > BLOCK_BYTES) return TRAP;
  WIDE(load_cv)(memory->bytes + BLAKE3_KEY, key);
  const struct WIDE(nodes) call = {
    .from = WIDE(message_of)(memory, a[0] * stride), .stride = stride, .count = a[0], .blocks = a[1], .tail = a[2],
    .flags = a[3], .first = BLAKE3_CHUNK_START, .last = BLAKE3_CHUNK_END | BLAKE3_ROOT,
  };
  WIDE(chaining_values)(&call, key, memory->bytes + BLAKE3_CVS);
  wipe(key, sizeof key);
  return 0;
}

static uint32_t WIDE(blake3_copy_up)(struct memory *memory, const uint32_t *a) {
  (void)a;
  memcpy(memory->bytes + BLAKE3_CVS + CV_BYTES, memory->bytes + BLAKE3_CV, CV_BYTES);
  return 0;
}

/* (flags) */
static uint32_t WIDE(blake3_parent)(struct memory *memory, const uint32_t *a) {
  uint32_t key[8], out[16];
  WIDE(load_cv)(memory->bytes + BLAKE3_KEY, key);
  WIDE(compress)(key, memory->bytes + BLAKE3_CVS, BLOCK_BYTES, 0, a[0] | BLAKE3_PARENT, out);
  WIDE(store_output)(memory, out, a[0]);
  wipe(key, sizeof key);
  wipe(out, sizeof out);
  return 0;
}

/* (length, flags): a whole message. */
static uint32_t WIDE(blake3_hash)(struct memory *memory, const uint32_t *a) {
  static const uint32_t iv[8] = BLAKE3_IV;
  if (a[0] > MOST_LENGTH) return TRAP;
  if (a[1] == 0)
    for (int i = 0; i < 8; i++) store32(memory->bytes + BLAKE3_KEY + 4 * i, iv[i]);
  if (a[0] <= CHUNK) {
    WIDE(stage_chunk)(memory, a[0], 0, a[1], BLAKE3_ROOT);
    return 0;
  }
  WIDE(make_tree)(memory, a[0], 0, a[1]);
  const uint32_t flags = a[1] | BLAKE3_ROOT;
  return WIDE(blake3_parent)(memory, &flags);
}

#if LANES > 1
/* LANES blocks of output: §2.6. */
OUTLINE void WIDE(output_blocks)(const uint32_t cv[8], const uint32_t block[16], uint32_t length, uint64_t counter, uint32_t flags, uint8_t *out) {
  static const uint32_t iv[8] = BLAKE3_IV;
  words m[16], x[16];
  for (int i = 0; i < 16; i++) m[i] = splat(block[i]);
  for (int i = 0; i < 8; i++) x[i] = splat(cv[i]);
  for (int i = 0; i < 4; i++) x[8 + i] = splat(iv[i]);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    x[12][lane] = (uint32_t)(counter + lane);
    x[13][lane] = (uint32_t)((counter + lane) >> 32);
  }
  x[14] = splat(length);
  x[15] = splat(flags);
  WIDE(rounds)(x, m);
  for (int i = 0; i < 8; i++) {
    x[i] ^= x[8 + i];
    x[8 + i] ^= splat(cv[i]);
  }
  blocks_of(x);
  for (size_t i = 0; i < 16; i++) store_words(out + i * sizeof(words), x[i]);
}
#endif

/* (length, low, high, flags, blocks): output of the root at STAGE, from the block number (low, high) on. */
static uint32_t WIDE(blake3_output)(struct memory *memory, const uint32_t *a) {
  uint64_t counter = a[1] | (uint64_t)a[2] << 32;
  uint32_t left = a[4], cv[8], out[16];
  uint8_t *to = memory->bytes + BLAKE3_STAGE;
  const uint8_t *block = memory->bytes + BLAKE3_BLOCK;
  if (!within(memory, BLAKE3_STAGE, (size_t)left * BLOCK_BYTES)) return TRAP;
  WIDE(load_cv)(memory->bytes + BLAKE3_CV, cv);
#if LANES > 1
  if (left >= LANES) {
    uint32_t m[16];
    for (int i = 0; i < 16; i++) m[i] = load32(block + 4 * i);
    for (; left >= LANES; left -= LANES, counter += LANES, to += LANES * BLOCK_BYTES)
      WIDE(output_blocks)(cv, m, a[0], counter, a[3], to);
    wipe(m, sizeof m);
  }
#endif
  for (; left; left--, counter++, to += BLOCK_BYTES) {
    WIDE(compress)(cv, block, a[0], counter, a[3], out);
    for (int i = 0; i < 16; i++) store32(to + 4 * i, out[i]);
  }
  wipe(cv, sizeof cv);
  wipe(out, sizeof out);
  return 0;
}

static const struct export_ WIDE(blake3_exports)[] = {
  {"chunk", 5, false, WIDE(blake3_chunk)},   {"copyUp", 0, false, WIDE(blake3_copy_up)},
  {"hash", 2, false, WIDE(blake3_hash)},     {"many", 4, false, WIDE(blake3_many)},
  {"output", 5, false, WIDE(blake3_output)}, {"parent", 1, false, WIDE(blake3_parent)},
  {"prepare", 4, true, WIDE(blake3_prepare)}, {"tree", 4, false, WIDE(blake3_tree)},
};
