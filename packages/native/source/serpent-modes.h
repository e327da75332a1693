/* Serpent in ECB, CBC and CTR mode, NIST SP 800-38A: functions of serpent/module.ts and serpent/ctr-module.ts. Blocks are at the stage. */

#define SERPENT_AT(memory) ((memory)->bytes + SERPENT_STAGE)

INLINE bool serpent_within(const struct memory *memory, size_t blocks) {
  return within(memory, SERPENT_STAGE, blocks * SERPENT_BLOCK);
}

INLINE const uint32_t *WIDE(serpent_start)(struct memory *memory, uint32_t key) {
  if (key) WIDE(serpent_schedule)(memory);
  return serpent_keys(memory);
}

/* The counter is little-endian, and of 128 bits; the caller has made sure that it does not overflow. */
struct counter {
  uint64_t low, high;
};

INLINE void count_on(struct counter *counter, uint64_t blocks) {
  counter->low += blocks;
  counter->high += counter->low < blocks;
}

INLINE void counter_block(struct counter counter, uint32_t big, uint8_t to[SERPENT_BLOCK]) {
  store64(to, big ? __builtin_bswap64(counter.high) : counter.low);
  store64(to + 8, big ? __builtin_bswap64(counter.low) : counter.high);
}

#if LANES > 1
/* Reverses the bytes of each word. */
INLINE words reversed(words x) {
  return (x << 24) | (x << 8 & splat(0xff0000)) | (x >> 8 & splat(0xff00)) | (x >> 24);
}

/* The counters of a set, in the order in which `columns` leaves blocks: lane 4 p + i has block i * LANES / 4 + p. */
INLINE void WIDE(counters)(struct counter counter, uint32_t big, words x[4]) {
  words lane;
  for (uint32_t i = 0; i < LANES; i++) lane[i] = i % 4 * (LANES / 4) + i / 4;
  const uint32_t start[4] = {(uint32_t)counter.low, (uint32_t)(counter.low >> 32), (uint32_t)counter.high,
                             (uint32_t)(counter.high >> 32)};
  words its[4], carry = lane;
  for (int w = 0; w < 4; w++) {
    const words first = splat(start[w]);
    its[w] = first + carry;
    /* A sum below the first has carried; the comparison gives -1. */
    carry = -(words)(its[w] < first);
  }
  for (int w = 0; w < 4; w++) x[w] = big ? reversed(its[3 - w]) : its[w];
}

INLINE void WIDE(ctr_sets)(const uint32_t *k, struct counter counter, uint32_t big, uint8_t *bytes, int count) {
  words sets[SETS][4];
  ROLLED for (int s = 0; s < count; s++) {
    WIDE(counters)(counter, big, sets[s]);
    count_on(&counter, LANES);
  }
  WIDE(serpent_encrypt_sets)(k, sets, count);
  ROLLED for (int s = 0; s < count; s++, bytes += SET_BYTES) {
    columns(sets[s]);
    WIDE(xor_set)(sets[s], bytes);
    WIDE(store_set)(bytes, sets[s]);
  }
  wipe(sets, sizeof sets);
}
#endif

/* (key, big, blocks); §6.5 */
static uint32_t WIDE(serpent_ctr)(struct memory *memory, const uint32_t *a) {
  const uint32_t big = a[1];
  size_t blocks = a[2];
  if (!serpent_within(memory, blocks)) return TRAP;
  const uint32_t *k = WIDE(serpent_start)(memory, a[0]);
  uint8_t *bytes = SERPENT_AT(memory), *place = memory->bytes + SERPENT_COUNTER;
  struct counter counter = {load64(place), load64(place + 8)};
#if LANES > 1
  while (blocks >= LANES) {
    const size_t sets = least(blocks / LANES, SETS);
    WIDE(ctr_sets)(k, counter, big, bytes, (int)sets);
    count_on(&counter, sets * LANES);
    bytes += sets * SET_BYTES;
    blocks -= sets * LANES;
  }
  if (blocks >= LEAST_IN_SET) {
    uint8_t rest[SET_BYTES] = {0};
    memcpy(rest, bytes, blocks * SERPENT_BLOCK);
    WIDE(ctr_sets)(k, counter, big, rest, 1);
    memcpy(bytes, rest, blocks * SERPENT_BLOCK);
    wipe(rest, sizeof rest);
    count_on(&counter, blocks);
    blocks = 0;
  }
#endif
  for (; blocks; blocks--, bytes += SERPENT_BLOCK) {
    uint8_t block[SERPENT_BLOCK];
    counter_block(counter, big, block);
    WIDE(serpent_encrypt_one)(k, block, block);
    xor_block(bytes, bytes, block);
    wipe(block, sizeof block);
    count_on(&counter, 1);
  }
  store64(place, counter.low);
  store64(place + 8, counter.high);
  return 0;
}

/* (key, blocks); §6.1 */
static uint32_t WIDE(serpent_ecb_encrypt)(struct memory *memory, const uint32_t *a) {
  if (!serpent_within(memory, a[1])) return TRAP;
  uint8_t *stage = SERPENT_AT(memory);
  WIDE(serpent_encrypt)(WIDE(serpent_start)(memory, a[0]), (struct layers){stage, NULL, NULL, stage}, a[1]);
  return 0;
}

static uint32_t WIDE(serpent_ecb_decrypt)(struct memory *memory, const uint32_t *a) {
  if (!serpent_within(memory, a[1])) return TRAP;
  uint8_t *stage = SERPENT_AT(memory);
  WIDE(serpent_decrypt)(WIDE(serpent_start)(memory, a[0]), (struct layers){stage, NULL, NULL, stage}, a[1]);
  return 0;
}

/* (key, blocks); §6.2: the block before the first is in front of the stage. */
static uint32_t WIDE(serpent_cbc_encrypt)(struct memory *memory, const uint32_t *a) {
  if (!serpent_within(memory, a[1])) return TRAP;
  const uint32_t *k = WIDE(serpent_start)(memory, a[0]);
  uint8_t *block = SERPENT_AT(memory);
  for (uint32_t i = 0; i < a[1]; i++, block += SERPENT_BLOCK)
    WIDE(serpent_one)(k, false, (struct layers){block, block - SERPENT_BLOCK, NULL, block});
  return 0;
}

static uint32_t WIDE(serpent_cbc_decrypt)(struct memory *memory, const uint32_t *a) {
  if (!serpent_within(memory, a[1])) return TRAP;
  uint8_t *stage = SERPENT_AT(memory);
  const struct layers its = {stage, NULL, stage - SERPENT_BLOCK, stage};
  WIDE(serpent_decrypt)(WIDE(serpent_start)(memory, a[0]), its, a[1]);
  return 0;
}

/* (key, streams, stride, blocks): the block before each stream, and afterwards its last, is at WORK. */
static uint32_t WIDE(serpent_cbc_many)(struct memory *memory, const uint32_t *a) {
  const size_t streams = a[1], stride = a[2], blocks = a[3];
  if (streams == 0 || streams > SERPENT_WORK_BYTES / SERPENT_BLOCK || blocks == 0) return TRAP;
  if (stride > memory->length || !within(memory, SERPENT_STAGE, (streams - 1) * stride + blocks * SERPENT_BLOCK)) return TRAP;
  const uint32_t *k = WIDE(serpent_start)(memory, a[0]);
  uint8_t *work = memory->bytes + SERPENT_WORK;
  for (size_t i = 0; i < blocks; i++) {
    uint8_t *block = SERPENT_AT(memory) + i * SERPENT_BLOCK;
    for (size_t s = 0; s < streams; s++) xor_block(work + s * SERPENT_BLOCK, work + s * SERPENT_BLOCK, block + s * stride);
    WIDE(serpent_encrypt)(k, (struct layers){work, NULL, NULL, work}, streams);
    for (size_t s = 0; s < streams; s++) memcpy(block + s * stride, work + s * SERPENT_BLOCK, SERPENT_BLOCK);
  }
  return 0;
}

static const struct export_ WIDE(serpent_ctr_exports)[] = {{"ctr", 3, false, WIDE(serpent_ctr)}};
