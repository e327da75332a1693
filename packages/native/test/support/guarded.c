/*
 * Runs every function of the kernels of one width over memory that lies between pages which can't be read or written: at the end of the
 * kernel's memory and on both sides of the caller's bytes. Compiled with AddressSanitizer and UndefinedBehaviorSanitizer, too. With an
 * argument, a read past the end is planted, which has to be found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"
#include "maps.h"

#define JOIN_(x, y) x##_##y
#define JOIN(x, y) JOIN_(x, y)
extern const struct kernel JOIN(kernels, LANES)[];

/* Whole pages between two that are closed. */
static uint8_t *between_guards(size_t length) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = (length + page - 1) / page * page;
  uint8_t *all = mmap(NULL, size + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all, page, PROT_NONE) || mprotect(all + page + size, page, PROT_NONE)) abort();
  return all + page;
}

static uint32_t next_number(void) {
  static uint64_t state = 30;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}

/* Lengths round blocks, groups and the ends of the memory, and any. */
static uint32_t a_number(void) {
  static const uint32_t edges[] = {0, 1, 2, 5, 15, 16, 17, 31, 33, 63, 64, 65, 127, 255, 256, 257, 511, 513, 1024, 1025, 4096, 16384};
  switch (next_number() % 4) {
    case 0: return next_number();
    case 1: return next_number() % 140000;
    default: return edges[next_number() % (sizeof edges / sizeof *edges)];
  }
}

int main(int count, char **arguments) {
  (void)arguments;
  const size_t most = 1 << 17, turns = 4000;
  uint8_t *input = between_guards(most);
  for (size_t i = 0; i < most; i++) input[i] = (uint8_t)next_number();
  for (int number = 0; number < KERNELS; number++) {
    const struct kernel *its = &JOIN(kernels, LANES)[number];
    struct memory memory = {.length = (size_t)its->pages << 16, .stage = its->stage};
    if (its->count == 0) continue;
    memory.bytes = between_guards(memory.length);
    for (size_t turn = 0; turn < turns; turn++) {
      const struct export_ *export_ = &its->exports[turn % its->count];
      uint32_t a[8];
      for (int i = 0; i < 8; i++) a[i] = a_number();
      /* Rounds are few: others only take time. */
      if (strcmp(export_->name, "xor") == 0) a[1] %= 11;
      if (strcmp(export_->name, "extend") == 0 || strcmp(export_->name, "derive") == 0) a[0] %= 11;
      if (strcmp(export_->name, "stream") == 0) a[1] %= 11;
      if (strcmp(export_->name, "turn") == 0 || strcmp(export_->name, "pages") == 0) a[2] %= 11;
      /* Segments of Argon2 that fit the memory, and some that don't quite. */
      if (strcmp(export_->name, "fill") == 0 && export_->arguments == 8 && turn % 4 < 3) {
        const uint32_t columns = 64 - 4 * (a[0] % 5), length = columns / 4;
        const uint32_t until = length + (a[5] % 3 == 0), pairs = a[6] % 2 ? 0 : ARGON2_SCRATCH;
        const uint32_t its_own[8] = {columns, 1 + a[1] % 2, a[2] % 2, a[3] % 8, a[7] % 2, a[4] % (length + 1), until, pairs};
        memcpy(a, its_own, sizeof its_own);
      }
      /* Rows of scrypt. */
      if (export_->arguments == 3 && strcmp(export_->name, "fill") == 0) a[1] %= 20, a[2] %= 30;
      if (strcmp(export_->name, "mix") == 0) a[3] %= 20;
      if (its->stage != UINT32_MAX && turn % 2) {
        /* The caller's bytes end where nothing may be read, or begin there. */
        memory.input_length = a_number() % most;
        memory.input = turn % 4 == 1 ? input + most - memory.input_length : input;
      }
      export_->run(&memory, a);
      memory.input = NULL;
      memory.input_length = 0;
    }
  }
  if (count > 1) {
    volatile uint8_t *past = input + most;
    printf("%d\n", *past);
  }
  return 0;
}
