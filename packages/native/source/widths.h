/* The widths that this machine has: by the processor, and by the system, which has to save the registers. */
#ifndef LANEWISE_WIDTHS_H
#define LANEWISE_WIDTHS_H

#include "common.h"

struct width {
  uint32_t lanes;
  const char *instructions;
  const struct kernel *kernels;
  /* Whether there are instructions for AES. */
  bool aes;
};

/* Writes the widths to `to`, narrowest first, and returns how many there are. */
uint32_t widths_of_machine(struct width to[4]);

#endif
