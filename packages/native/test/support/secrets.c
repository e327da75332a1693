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

#define KERNELS 8

/* The state between calls, which follows from keys and messages, by kernel: where it begins, and where it ends. */
static const uint32_t states[KERNELS][2] = {
  {KEYSTREAM_TAG, KEYSTREAM_STAGE}, {KEYSTREAM_TAG, KEYSTREAM_STAGE}, {BLAKE3_CVS, BLAKE3_STAGE}, {0, 0}, {SERPENT_STAR, SERPENT_AAD}, {0, 0},
  {0, 0}, {SCRYPT_STATE, SCRYPT_STAGE},
};

/* Whether each function was called. */
static bool called[KERNELS][32];

static void call(int kernel, const char *name, const uint32_t *arguments, uint32_t key, uint32_t stage) {
  const struct kernel *its = &JOIN(kernels, LANES)[kernel];
  if (its->count == 0) return;
  struct memory memory = {.bytes = calloc(its->pages, 65536), .length = (size_t)its->pages << 16};
  VALGRIND_MAKE_MEM_UNDEFINED(memory.bytes + states[kernel][0], states[kernel][1] - states[kernel][0]);
  VALGRIND_MAKE_MEM_UNDEFINED(memory.bytes + key, 32);
  VALGRIND_MAKE_MEM_UNDEFINED(memory.bytes + stage, least(65536, memory.length - stage));
  bool is_known = false;
  for (uint32_t i = 0; i < its->count; i++)
    if (strcmp(its->exports[i].name, name) == 0) {
      is_known = called[kernel][i] = true;
      const uint32_t result = its->exports[i].run(&memory, arguments);
      /* A call that is refused computes nothing. Results are 0 or 1 of tags, which are secret here, or a number of bytes. */
      VALGRIND_MAKE_MEM_DEFINED(&result, sizeof result);
      if (result == TRAP) {
        fprintf(stderr, "%d %s is refused\n", kernel, name);
        exit(3);
      }
    }
  if (!is_known) {
    fprintf(stderr, "%d has no %s\n", kernel, name);
    exit(3);
  }
  free(memory.bytes);
}

/* Each function of each kernel has to be in the list below. */
static void check_called(void) {
  for (int kernel = 0; kernel < KERNELS; kernel++) {
    const struct kernel *its = &JOIN(kernels, LANES)[kernel];
    for (uint32_t i = 0; i < its->count; i++)
      if (!called[kernel][i]) {
        fprintf(stderr, "%d %s was not called\n", kernel, its->exports[i].name);
        exit(3);
      }
  }
}

int main(int count, char **arguments) {
  (void)arguments;
  static const uint32_t lengths[] = {0, 1, 64, 200, 1025, 5000};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    const uint32_t n = lengths[i], key = KEYSTREAM_STATE + 16, stage = KEYSTREAM_STAGE;
    for (int kernel = 0; kernel < 2; kernel++) call(kernel, "xor", (uint32_t[]){3, 10, stage, (n + 63) / 64}, key, stage);
    for (uint32_t kernel = 0; kernel < 2; kernel++) {
      for (uint32_t kind = 1; kind <= 3; kind += 2) call(kernel, "begin", (uint32_t[]){kind}, key, stage);
      call(kernel, "absorb", (uint32_t[]){stage, n}, key, stage);
      call(kernel, "encrypt", (uint32_t[]){0, 0, n}, key, stage);
      call(kernel, "decrypt", (uint32_t[]){n}, key, stage);
      call(kernel, "extend", (uint32_t[]){10}, key, stage);
      call(kernel, "verify", (uint32_t[]){stage}, key, stage);
    }
    call(0, "finish", (uint32_t[]){n, 0, n, 0, KEYSTREAM_TAG}, key, stage);
    call(1, "finish", (uint32_t[]){KEYSTREAM_TAG}, key, stage);
    call(0, "seal", (uint32_t[]){3, 0, n}, key, stage);
    call(0, "open", (uint32_t[]){1, 0, n}, key, stage);
    call(1, "seal", (uint32_t[]){3, n}, key, stage);
    call(1, "open", (uint32_t[]){1, n}, key, stage);
    call(2, "hash", (uint32_t[]){n * 12, 16}, BLAKE3_KEY, BLAKE3_STAGE);
    call(2, "tree", (uint32_t[]){1025 + 3 * n, 1, 0, 16}, BLAKE3_KEY, BLAKE3_STAGE);
    call(2, "many", (uint32_t[]){n % 40 + 1, 1 + n % 16, n % 65, 16}, BLAKE3_KEY, BLAKE3_STAGE);
    call(2, "parent", (uint32_t[]){16}, BLAKE3_KEY, BLAKE3_STAGE);
    call(2, "copyUp", NULL, BLAKE3_KEY, BLAKE3_STAGE);
    for (uint32_t last = 0; last <= BLAKE3_ROOT; last += BLAKE3_ROOT) call(2, "chunk", (uint32_t[]){n % 1025, 1, 0, 16, last}, BLAKE3_KEY, BLAKE3_STAGE);
    call(2, "prepare", (uint32_t[]){n % 1025, 1, 0, 16}, BLAKE3_KEY, BLAKE3_STAGE);
    call(2, "output", (uint32_t[]){64, 0, 0, 8, n / 64}, BLAKE3_KEY, BLAKE3_BLOCK);
    const uint32_t blocks = n / 16 + 1;
    for (uint32_t big = 0; big < 2; big++) call(3, "ctr", (uint32_t[]){1, big, blocks}, SERPENT_KEY, SERPENT_STAGE);
    static const char *const modes[] = {"ecbEncrypt", "ecbDecrypt", "cbcEncrypt", "cbcDecrypt"};
    for (int mode = 0; mode < 4; mode++) call(4, modes[mode], (uint32_t[]){1, blocks}, SERPENT_KEY, SERPENT_STAGE);
    call(4, "cbcMany", (uint32_t[]){1, 16, 16 * blocks, blocks}, SERPENT_KEY, SERPENT_STAGE);
    call(4, "seal", (uint32_t[]){33, n % 1000, n}, SERPENT_KEY, SERPENT_STAGE);
    call(4, "open", (uint32_t[]){0, n % 1000, n}, SERPENT_KEY, SERPENT_STAGE);
    call(5, "derive", (uint32_t[]){6}, DISK_KEY, DISK_STAGE);
    call(4, "begin", (uint32_t[]){n % 64}, SERPENT_KEY, SERPENT_STAGE);
    call(4, "hash", (uint32_t[]){SERPENT_AAD, 0, n % 1000}, SERPENT_KEY, SERPENT_AAD);
    for (uint32_t number = 0; number < 2; number++) {
      call(4, "encrypt", (uint32_t[]){number, n}, SERPENT_KEY, SERPENT_STAGE);
      call(4, "decrypt", (uint32_t[]){number, n}, SERPENT_KEY, SERPENT_STAGE);
    }
    call(4, "finish", NULL, SERPENT_KEY, SERPENT_STAGE);
    call(4, "verify", NULL, SERPENT_KEY, SERPENT_STAGE);
    call(5, "heads", (uint32_t[]){8, 48, 1, 5}, DISK_ROUND, DISK_STAGE);
    call(5, "extend", (uint32_t[]){6}, key, DISK_STAGE);
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
  /* Where pairs are given, they are public: those in blocks choose addresses by secrets, as Argon2d and scrypt are defined. */
  for (uint32_t onto = 0; onto < 2; onto++) {
    const uint32_t block = ARGON2_BLOCKS + ARGON2_BLOCK_BYTES;
    call(6, "compress", (uint32_t[]){ARGON2_BLOCKS, block, block + 1024, onto, ARGON2_SCRATCH}, ARGON2_SCRATCH, ARGON2_BLOCKS);
    call(6, "fill", (uint32_t[]){32, 2, 1, onto ? 4 | 2 : 1, onto, 0, 8, ARGON2_ZERO}, ARGON2_SCRATCH, ARGON2_BLOCKS);
  }
  call(7, "start", NULL, SCRYPT_STATE, SCRYPT_STAGE);
  call(7, "compress", (uint32_t[]){SCRYPT_STAGE, 3}, SCRYPT_STATE, SCRYPT_STAGE);
  for (uint32_t r = 1; r < 10; r += 4) {
    call(7, "fill", (uint32_t[]){SCRYPT_ROWS, r, 5}, SCRYPT_STATE, SCRYPT_ROWS);
    call(7, "mix", (uint32_t[]){SCRYPT_ROWS, SCRYPT_ROWS + 3 * 128 * r, SCRYPT_ROWS + 128 * r, r}, SCRYPT_STATE, SCRYPT_ROWS);
  }
  check_called();
  if (count > 1) {
    volatile uint8_t secret = 1;
    VALGRIND_MAKE_MEM_UNDEFINED((void *)&secret, 1);
    if (secret) puts("planted");
  }
  return 0;
}
