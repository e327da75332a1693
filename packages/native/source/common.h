/* Parts that all kernels share: memory, loads and stores, wiping. Nothing here computes a primitive. */
#ifndef LANEWISE_COMMON_H
#define LANEWISE_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define OUTLINE static __attribute__((noinline))
/* Of a loop over the words of a block: Clang leaves the words in memory where it doesn't unroll by itself. */
#define UNROLLED _Pragma("GCC unroll 16")

/* The memory of a kernel, with the memory map of its WebAssembly, and the caller's bytes that stand for its stage. */
struct memory {
  uint8_t *bytes;
  size_t length;
  /* Bytes of the caller that the next call reads in place of those in the stage; none if `input` is null. */
  const uint8_t *input;
  size_t input_length;
  /* The address that they stand for. */
  uint32_t stage;
};

/* The result of a function if an address is out of bounds: no kernel has such a result. */
#define TRAP UINT32_MAX

typedef uint32_t (*function)(struct memory *memory, const uint32_t *arguments);

struct export_ {
  const char *name;
  uint32_t arguments;
  bool has_result;
  function run;
};

/* The functions of a kernel in one width, possibly none; `stage` is the address that bytes of the caller may stand for. */
struct kernel {
  const struct export_ *exports;
  uint32_t count;
  uint32_t pages;
  uint32_t stage;
  /* Whether they need the processor's instructions for AES. */
  bool aes;
};

INLINE bool within(const struct memory *memory, uint32_t address, size_t length) {
  return address <= memory->length && length <= memory->length - address;
}

INLINE uint32_t load32(const uint8_t *from) {
  uint32_t word;
  memcpy(&word, from, 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap32(word);
#endif
  return word;
}

INLINE uint64_t load64(const uint8_t *from) {
  return load32(from) | (uint64_t)load32(from + 4) << 32;
}

INLINE void store32(uint8_t *to, uint32_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap32(word);
#endif
  memcpy(to, &word, 4);
}

/* Zeros that the compiler must write: the empty statement may read them. */
INLINE void wipe(void *bytes, size_t length) {
  memset(bytes, 0, length);
  __asm__ volatile("" : : "r"(bytes) : "memory");
}

INLINE size_t least(size_t x, size_t y) { return x < y ? x : y; }

#endif
