/*
 * Runs every kernel of one width under valgrind, with keys and messages undefined: a branch or an address that depends on one is then an
 * error of memcheck. With an argument, a branch on a secret is planted, which has to be found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/memcheck.h>

#include "common.h"
#include "maps.h"

#define JOIN_(x, y) x##_##y
#define JOIN(x, y) JOIN_(x, y)
extern const struct kernel JOIN(kernels, LANES)[];

static void call(int kernel, const char *name, const uint32_t *arguments, uint32_t key, uint32_t stage) {
  const struct kernel *its = &JOIN(kernels, LANES)[kernel];
  if (its->count == 0) return;
  struct memory memory = {.bytes = calloc(its->pages, 65536), .length = (size_t)its->pages << 16};
  VALGRIND_MAKE_MEM_UNDEFINED(memory.bytes + key, 32);
  VALGRIND_MAKE_MEM_UNDEFINED(memory.bytes + stage, 65536);
  for (uint32_t i = 0; i < its->count; i++)
    if (strcmp(its->exports[i].name, name) == 0) its->exports[i].run(&memory, arguments);
  free(memory.bytes);
}

int main(int count, char **arguments) {
  (void)arguments;
  static const uint32_t lengths[] = {0, 1, 64, 200, 1025, 5000};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    const uint32_t n = lengths[i], key = KEYSTREAM_STATE + 16, stage = KEYSTREAM_STAGE;
    for (int kernel = 0; kernel < 2; kernel++) call(kernel, "xor", (uint32_t[]){3, 10, stage, (n + 63) / 64}, key, stage);
    call(0, "seal", (uint32_t[]){3, 0, n}, key, stage);
    call(0, "open", (uint32_t[]){1, 0, n}, key, stage);
    call(1, "seal", (uint32_t[]){3, n}, key, stage);
    call(1, "open", (uint32_t[]){1, n}, key, stage);
    call(2, "hash", (uint32_t[]){n * 12, 16}, BLAKE3_KEY, BLAKE3_STAGE);
    call(2, "output", (uint32_t[]){64, 0, 0, 8, n / 64}, BLAKE3_KEY, BLAKE3_BLOCK);
    const uint32_t blocks = n / 16 + 1;
    for (uint32_t big = 0; big < 2; big++) call(3, "ctr", (uint32_t[]){1, big, blocks}, SERPENT_KEY, SERPENT_STAGE);
    static const char *const modes[] = {"ecbEncrypt", "ecbDecrypt", "cbcEncrypt", "cbcDecrypt"};
    for (int mode = 0; mode < 4; mode++) call(4, modes[mode], (uint32_t[]){1, blocks}, SERPENT_KEY, SERPENT_STAGE);
    call(4, "cbcMany", (uint32_t[]){1, 16, 16 * blocks, blocks}, SERPENT_KEY, SERPENT_STAGE);
    call(4, "seal", (uint32_t[]){33, n % 1000, n}, SERPENT_KEY, SERPENT_STAGE);
    call(4, "open", (uint32_t[]){0, n % 1000, n}, SERPENT_KEY, SERPENT_STAGE);
    call(5, "derive", (uint32_t[]){6}, DISK_KEY, DISK_STAGE);
    for (uint32_t nh = 0; nh < 2; nh++) {
      for (uint32_t back = 0; back < 2; back++) {
        call(5, "pages", (uint32_t[]){back, nh, 6, 41, 48, n + 16, n + 16, 9}, DISK_ROUND, DISK_STAGE);
        call(5, "turn", (uint32_t[]){back, nh, 6}, DISK_ROUND, DISK_POLY);
      }
      call(5, "begin", (uint32_t[]){nh, 41}, DISK_POLY_KEY, DISK_HEADS);
      call(5, "absorb", (uint32_t[]){nh, n}, DISK_POLY_KEY, DISK_STAGE);
      call(5, "stream", (uint32_t[]){nh, 6, n}, DISK_STATE, DISK_STAGE);
      call(5, "end", (uint32_t[]){nh}, DISK_POLY, DISK_STAGE);
    }
  }
  if (count > 1) {
    volatile uint8_t secret = 1;
    VALGRIND_MAKE_MEM_UNDEFINED((void *)&secret, 1);
    if (secret) puts("planted");
  }
  return 0;
}
