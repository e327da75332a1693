/* All kernels in one width: compiled once for each, with LANES and with the instructions of that width. */
#include "common.h"
#include "lanes.h"
#include "maps.h"
#include "rounds.h"

#define CORE chacha
#define DOUBLE_ROUND ROUNDS(CHACHA_DOUBLE_ROUND)
#define INPUT_OF CHACHA_INPUT_OF
#define COUNTER CHACHA_COUNTER
#define NONCE CHACHA_NONCE
#define ON_ROWS CHACHA_ON_ROWS
#include "keystream.h"
#undef CORE
#undef DOUBLE_ROUND
#undef INPUT_OF
#undef COUNTER
#undef NONCE
#undef ON_ROWS
#undef NAMED

#define CORE salsa
#define DOUBLE_ROUND ROUNDS(SALSA_DOUBLE_ROUND)
#define INPUT_OF SALSA_INPUT_OF
#define COUNTER SALSA_COUNTER
#define NONCE SALSA_NONCE
#include "keystream.h"

#include "poly1305.h"
#include "sealing.h"
#include "secretbox.h"
#include "blake3.h"
#undef STAGE
#include "serpent.h"
#include "serpent-modes.h"
#include "serpent-ocb.h"
#ifdef __AES__
#include "disk.h"
#endif
#include "argon2.h"
#include "scrypt.h"

#define KERNEL_OF(exports, pages, stage) {exports, sizeof exports / sizeof *exports, pages, stage, false}

/*
 * Callers of BLAKE3 read no byte of the stage after a call, so their own bytes may stand for it. Those of the ciphers do: SIV absorbs its
 * stage and then encrypts it.
 */
#define NO_STAGE UINT32_MAX

/* In the order of KERNEL_HASHES. */
const struct kernel WIDE(kernels)[] = {
  KERNEL_OF(WIDE(chacha_exports), KEYSTREAM_PAGES, NO_STAGE),
  KERNEL_OF(WIDE(salsa_exports), KEYSTREAM_PAGES, NO_STAGE),
  KERNEL_OF(WIDE(blake3_exports), BLAKE3_PAGES, BLAKE3_STAGE),
  KERNEL_OF(WIDE(serpent_ctr_exports), SERPENT_PAGES, NO_STAGE),
  KERNEL_OF(WIDE(serpent_exports), SERPENT_PAGES, NO_STAGE),
#ifdef __AES__
  {WIDE(disk_exports), sizeof WIDE(disk_exports) / sizeof *WIDE(disk_exports), DISK_PAGES, NO_STAGE, true},
#else
  {NULL, 0, 0, NO_STAGE, true},
#endif
  KERNEL_OF(WIDE(argon2_exports), ARGON2_PAGES, NO_STAGE),
  KERNEL_OF(WIDE(scrypt_exports), SCRYPT_PAGES, NO_STAGE),
};
