#include "widths.h"

extern const struct kernel kernels_1[], kernels_4[], kernels_8[], kernels_16[];

#if defined(__x86_64__)
#include <cpuid.h>

static uint64_t enabled_registers(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low | (uint64_t)high << 32;
}

/* Intel's Software Developer's Manual, volume 1, §13.2, §14.3, §15.2: a bit of the processor, and bits of XCR0 from the system. */
uint32_t widths_of_machine(struct width to[4]) {
  enum { SSSE3 = 1 << 9, AES = 1 << 25, OSXSAVE = 1 << 27, AVX = 1 << 28 };
  enum { AVX2 = 1 << 5, AVX512 = 1 << 16 | 1 << 17 | 1 << 30, YMM = 0x6, ZMM = 0xe6 };
  const uint32_t avx512 = (uint32_t)AVX512 | 1u << 31; /* F, DQ, BW and VL */
  uint32_t a, b = 0, c = 0, d, count = 0;
  to[count++] = (struct width){1, "x86-64", kernels_1, false};
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & SSSE3)) return count;
  to[count++] = (struct width){4, "SSSE3", kernels_4, false};
  if (!(c & OSXSAVE) || !(c & AVX) || (enabled_registers() & YMM) != YMM) return count;
  const bool aes = c & AES;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & AVX2)) return count;
  to[count++] = (struct width){8, "AVX2", kernels_8, aes};
  if ((enabled_registers() & ZMM) != ZMM || (b & avx512) != avx512) return count;
  to[count++] = (struct width){16, "AVX-512", kernels_16, aes};
  return count;
}

#elif defined(__aarch64__)

/* Every processor of this architecture has vectors of 128 bits. */
uint32_t widths_of_machine(struct width to[4]) {
  to[0] = (struct width){1, "AArch64", kernels_1, false};
  to[1] = (struct width){4, "NEON", kernels_4, false};
  return 2;
}

#else

uint32_t widths_of_machine(struct width to[4]) {
  to[0] = (struct width){1, "C", kernels_1, false};
  return 1;
}

#endif
