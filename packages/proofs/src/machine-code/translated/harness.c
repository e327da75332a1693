/*
 * Calls a kernel that wasm2c has translated, under valgrind, with all of its memory undefined before each call: an error of memcheck is a
 * branch or an address that depends on its bytes. `calls.h` is written by memcheck.ts. The few functions of wasm2c's runtime that a
 * kernel needs are here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/memcheck.h>

#include "kernel.h"

static w2c_k kernel;

bool wasm_rt_is_initialized(void) { return true; }

void wasm_rt_trap(wasm_rt_trap_t code) {
  fprintf(stderr, "trap %d\n", (int)code);
  exit(3);
}

void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint64_t pages, uint64_t most, bool is64, uint32_t page_size) {
  (void)most;
  (void)is64;
  memory->size = pages * page_size;
  memory->data = malloc(memory->size);
  memory->pages = pages;
}

void wasm_rt_free_memory(wasm_rt_memory_t *memory) { free(memory->data); }

static void make_undefined(void) {
  VALGRIND_MAKE_MEM_UNDEFINED(kernel.w2c_memory.data, kernel.w2c_memory.size);
#define DEFINED(from, length) VALGRIND_MAKE_MEM_DEFINED(kernel.w2c_memory.data + (from), length);
#include "public.h"
}

/* Results are 0 or 1 of tags, which are secret here: nothing looks at them. */
#define CALL(name, ...) \
  make_undefined();     \
  w2c_k_##name(&kernel __VA_OPT__(, ) __VA_ARGS__);

int main(void) {
  wasm2c_k_instantiate(&kernel);
#include "calls.h"
  return 0;
}
