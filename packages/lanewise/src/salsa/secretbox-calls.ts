/** What secretbox does with linear memory. All arguments are checked; `input` is key and nonce, as keystream/input.ts lays them out. */
import { lend } from '../calls/lifetime.ts';
import type { Instance } from '../engine/instance.ts';
import { Bytes, copyBytes, fillBytes, moveBytes, part } from '../engine/intrinsics.ts';
import { type SecretboxKernel } from './module.ts';
import { BOX, FIRST_BYTES, TAG_BYTES } from './map.ts';
import { AAD, DATA, DATA_BYTES, EXTENDED, secretsFrom, TAG } from '../keystream/map.ts';
import { inParts } from '../calls/parts.ts';
import { INPUT_BYTES } from '../keystream/cipher.ts';
import { INPUT } from '../keystream/input.ts';

/** Kernels may write so much behind the message. */
const MARGIN = 512;
/** The most that goes into one call. */
const MOST = FIRST_BYTES + DATA_BYTES;

type Kernel = Instance<SecretboxKernel>;
/** Gives the kernel for a message of so many bytes. */
export type Instances = (length: number) => Kernel;

/** Tag and ciphertext go to `out`. */
export function sealInto(
  instances: Instances,
  input: Uint8Array,
  plaintext: Uint8Array,
  length: number,
  out: Uint8Array,
): void {
  // The kernel leaves only tag and ciphertext.
  lend(instances(length), 0, 0, length > MOST ? sealParts : sealStaged, input, plaintext, length, out);
}

function sealStaged(kernel: Kernel, input: Uint8Array, plaintext: Uint8Array, length: number, out: Uint8Array): void {
  kernel.write(INPUT, INPUT_BYTES, input);
  kernel.write(BOX, length, plaintext);
  kernel.run.seal(EXTENDED, length);
  kernel.read(BOX - TAG_BYTES, TAG_BYTES + length, out);
}

/**
 * The plaintext of `length` bytes goes to `out`, if the tag is right: if not it gives false, and `out` is as it was. Unless
 * `fresh`, then nobody else has seen it, and it is zero.
 */
export function openInto(
  instances: Instances,
  input: Uint8Array,
  ciphertext: Uint8Array,
  length: number,
  out: Uint8Array,
  fresh: boolean,
): boolean {
  const kernel = instances(length);
  const from = secretsFrom(length);
  if (length <= MOST) return lend(kernel, from, BOX + length + MARGIN, openStaged, input, ciphertext, length, out);
  return lend(kernel, from, DATA + DATA_BYTES + MARGIN, () => {
    kernel.write(INPUT, INPUT_BYTES, input);
    kernel.write(TAG, TAG_BYTES, part(ciphertext, 0, TAG_BYTES));
    // The caller's bytes stay as they are until the whole message is known to be right.
    const text = fresh ? out : new Bytes(length);
    if (!openParts(kernel, part(ciphertext, TAG_BYTES, length), length, text)) return false;
    if (!fresh) {
      copyBytes(out, text);
      fillBytes(text, 0);
    }
    return true;
  });
}

function openStaged(
  kernel: Kernel,
  input: Uint8Array,
  ciphertext: Uint8Array,
  length: number,
  out: Uint8Array,
): boolean {
  kernel.write(INPUT, INPUT_BYTES, input);
  kernel.write(BOX - TAG_BYTES, TAG_BYTES + length, ciphertext);
  const right = kernel.run.open(EXTENDED, length) === 1;
  if (right) kernel.read(BOX, length, out);
  return right;
}

function sealParts(kernel: Kernel, input: Uint8Array, plaintext: Uint8Array, length: number, out: Uint8Array): void {
  const { run } = kernel;
  kernel.write(INPUT, INPUT_BYTES, input);
  inParts(
    plaintext,
    length,
    part(out, TAG_BYTES, length),
    DATA_BYTES,
    (bytes, from, size) => {
      const at = from ? DATA : BOX;
      kernel.write(at, size, bytes);
      if (from) {
        run.encrypt(0, 0, size);
      } else {
        run.begin(EXTENDED);
        run.absorb(BOX, FIRST_BYTES);
      }
      kernel.read(at, size, out, TAG_BYTES + from);
    },
    FIRST_BYTES,
  );
  run.finish(DATA);
  kernel.read(DATA, TAG_BYTES, out);
  kernel.wipe(AAD, DATA + DATA_BYTES + MARGIN);
}

/** In one pass. Nobody else has seen `out`, and nobody will if the tag is wrong: then it is wiped. */
function openParts(kernel: Kernel, ciphertext: Uint8Array, length: number, out: Uint8Array): boolean {
  const { run } = kernel;
  inParts(
    ciphertext,
    length,
    out,
    DATA_BYTES,
    (bytes, from, size) => {
      const at = from ? DATA : BOX;
      kernel.write(at, size, bytes);
      if (from) {
        run.decrypt(size);
      } else {
        // What the one-time key comes with decrypts these bytes; their ciphertext goes into the MAC.
        moveBytes(kernel.memory, DATA, BOX, DATA);
        run.begin(EXTENDED);
        run.absorb(DATA, FIRST_BYTES);
      }
      kernel.read(at, size, out, from);
    },
    FIRST_BYTES,
  );
  run.finish(DATA);
  if (run.verify(DATA)) return true;
  fillBytes(out, 0);
  return false;
}
