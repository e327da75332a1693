// Claims about secretbox, with XSalsa20 and with XChaCha20: every key, nonce and message of the lengths named. Ciphertext or
// plaintext, tag, verdict, the memory that may be touched, and the secrets that may be left.
import * as map from '../../../../lanewise/src/keystream/map.ts';
import { BOX, FIRST_BYTES, TAG_BYTES } from '../../../../lanewise/src/salsa/map.ts';
import { STATE_BYTES as POLY1305_BYTES } from '../../../../lanewise/src/poly1305/map.ts';
import type { Ranges } from '../../execute/machine.ts';
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import { secretbox, type Cipher } from './secretbox-specification.ts';
import { symbols } from '../../specifications/terms.ts';
import type { Term } from '../../terms/term.ts';
import { expectVerdict } from '../chacha/aead-runs.ts';
import { keystreamStatements } from '../chacha/claims.ts';
import * as inputs from '../keystream/inputs.ts';
import { formOf } from '../../claims/form.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, expectNoSecrets, publicBytes, range, secrets } from '../../claims/compare.ts';
import { onMachine } from '../../claims/machine.ts';
import { shippedReducer } from '../poly1305/claims.ts';
import { onDoubles, onIntegers, type PolynomialKernel, type PolynomialRun } from '../poly1305/run.ts';
import { requireTagUnder } from '../poly1305/tag.ts';
import type { Runnable, RunnableKernel } from '../../claims/runnable.ts';
import { salsaStatements } from './keystream-claims.ts';

const { STAGE, EXTENDED, HEAD, POLY, SETS, TAG } = map;
export const TAG_PLACE = BOX - TAG_BYTES;
/** The bytes after the message, the rest of the last set, may be read and written, and are wiped. */
const BEHIND = map.MARGIN - FIRST_BYTES;

/** The properties of a kernel that decide which claims there are. */
interface Shape {
  readonly cipher: Cipher;
  readonly short: boolean;
  readonly lanes: boolean;
}

/** The memory that a call for a message of `length` bytes may touch, in any form of the kernel. */
export const rangesOfBox = (length: number): Required<Ranges> => ({
  reads: [range(HEAD, map.BLOCK_BYTES), range(STAGE, length + BEHIND)],
  writes: [range(SETS, STAGE - SETS), range(STAGE, length + BEHIND)],
});

interface Started {
  readonly polynomials: PolynomialRun;
  readonly run: Runnable;
  readonly message: Term[];
  readonly oneTimeKey: Term[];
  /** The result of decryption, too: the cipher is its own inverse. */
  readonly ciphertext: Term[];
}

/** Writes key, nonce and a counter of zero as the public functions do. */
function started(kernel: PolynomialKernel, cipher: Cipher, length: number, ranges: Ranges): Started {
  const polynomials = kernel.start(ranges);
  const { run } = polynomials;
  const [key, nonce, message] = [secrets('key', 32), secrets('nonce', 24), secrets('message', length)];
  run.write(inputs.INPUT, [...key, ...nonce, ...publicBytes(0n, 8)]);
  return { polynomials, run, message, ...secretbox(symbols, cipher, key, nonce, message) };
}

async function proveSeal(kernel: PolynomialKernel, cipher: Cipher, length: number): Promise<void> {
  const { polynomials, run, message, oneTimeKey, ciphertext } = started(kernel, cipher, length, rangesOfBox(length));
  run.write(BOX, message);
  run.call('seal', EXTENDED, length);
  expectNoEvents(run, 'seal');
  expectBytes(run, BOX, ciphertext, 'ciphertext');
  await requireTagUnder(polynomials, run.read(TAG_PLACE, TAG_BYTES), oneTimeKey, ciphertext);
  expectNoSecrets(run, [range(TAG_PLACE, TAG_BYTES + length)], 'seal');
}

async function proveOpen(kernel: PolynomialKernel, cipher: Cipher, length: number): Promise<void> {
  const { polynomials, run, message, oneTimeKey, ciphertext } = started(kernel, cipher, length, rangesOfBox(length));
  const given = secrets('tag', TAG_BYTES);
  run.write(TAG_PLACE, given);
  run.write(BOX, message);
  const verdict = run.call('open', EXTENDED, length);
  expectNoEvents(run, 'open');
  expectBytes(run, BOX, ciphertext, 'plaintext');
  const tag = run.read(HEAD, TAG_BYTES);
  await requireTagUnder(polynomials, tag, oneTimeKey, message);
  expectVerdict(verdict, tag, given);
}

/** The parts of a message: the bytes in the block of the one-time key, whole groups, a remainder, and no bytes. */
const PARTS = [FIRST_BYTES, 1024, 77, 0];
/** The kernel for short messages has room for one block. */
const SHORT_PARTS = [FIRST_BYTES, 32, 0];

/** `decrypt` takes the ciphertext for its message. */
async function proveParts(
  kernel: PolynomialKernel,
  cipher: Cipher,
  parts: readonly number[],
  name: 'encrypt' | 'decrypt',
): Promise<void> {
  const length = parts.reduce((sum, size) => sum + size);
  const most = Math.max(...parts);
  const { reads, writes } = rangesOfBox(most);
  // The tag that is compared in the end belongs to the caller, and between the MAC and the head of the message there is nothing.
  const poly = range(POLY, POLY1305_BYTES);
  const ranges = { reads, writes: [...writes.slice(1), range(SETS, TAG - SETS), poly, range(HEAD, STAGE - HEAD)] };
  const { polynomials, run, message, oneTimeKey, ciphertext } = started(kernel, cipher, length, ranges);
  const given = secrets('tag', TAG_BYTES);
  run.write(TAG, given);
  let done = 0;
  for (const size of parts) {
    const part = message.slice(done, done + size);
    const at = done ? STAGE : BOX;
    run.write(at, part);
    if (done === 0) {
      run.call('begin', EXTENDED);
      if (name === 'decrypt') run.write(STAGE, part);
      run.call('absorb', name === 'decrypt' ? STAGE : BOX, size);
    } else if (name === 'encrypt') run.call(name, 0, 0, size);
    else run.call(name, size);
    expectBytes(run, at, ciphertext.slice(done, done + size), `${name}, from byte ${done}`);
    done += size;
  }
  run.call('finish', STAGE);
  const tag = run.read(STAGE, TAG_BYTES);
  const verdict = run.call('verify', STAGE);
  expectNoEvents(run, 'a message in parts');
  await requireTagUnder(polynomials, tag, oneTimeKey, name === 'decrypt' ? message : ciphertext);
  expectVerdict(verdict, tag, given);
}

/** Lengths around MAC blocks and around the end of the block that contains the one-time key. */
const SHORT = [0, 1, 15, 16, 17, 31, 32, 33, 48, 63, 64];
/** Lengths around blocks and sets. */
const LONG = [65, 96, 97, 160, 161, 225];
/** Lengths at which MAC and cipher are interleaved, for one to two iterations. */
const WOVEN_SEAL = [992, 993, 1057, 1505];
/** Lengths around that from which the ciphertext is no longer put aside … */
const ASIDE = [511, 512, 513];
/** … and lengths at which MAC and cipher are interleaved. */
const WOVEN_OPEN = [545, 1056];
/** Messages that the library leaves to the kernel for short ones. */
const FEWEST = [0, 17, 31, 32, 33];
/** Lengths for the kernel with ChaCha: it differs from the one with Salsa20 only in the cipher, so a few are enough. */
const FEW = [17, 31, 32, 33, 161];

function boxClaims(kernel: PolynomialKernel, { cipher, short, lanes }: Shape): Claim[] {
  const claim = (text: string, prove: () => Promise<void>): Claim => ({
    kernel: kernel.name,
    claim: `secretbox: ${text}`,
    prove,
  });
  const parts = short ? SHORT_PARTS : PARTS;
  const plain = cipher === 'chacha' ? FEW : short ? SHORT : [...(lanes ? FEWEST : SHORT), ...LONG];
  const few = cipher === 'chacha';
  const sealed = lanes && !short ? [...plain, ...(few ? WOVEN_SEAL.slice(0, 3) : WOVEN_SEAL)] : plain;
  const woven = lanes ? (few ? WOVEN_OPEN.slice(0, 1) : WOVEN_OPEN) : [];
  const opened = short ? plain : [...plain, ...ASIDE, ...woven];
  return [
    ...sealed.map((length) => claim(`seal ${length} bytes`, () => proveSeal(kernel, cipher, length))),
    ...opened.map((length) => claim(`open ${length} bytes`, () => proveOpen(kernel, cipher, length))),
    ...(['encrypt', 'decrypt'] as const).map((name) =>
      claim(`${name} ${parts.join(', ')} bytes in parts`, () => proveParts(kernel, cipher, parts, name)),
    ),
  ];
}

/** The keystream of ChaCha in this kernel serves boxes only, so it gets fewer claims. */
const streamClaims = (kernel: RunnableKernel, cipher: Cipher, form: inputs.ChaChaForm): Claim[] =>
  cipher === 'salsa'
    ? salsaStatements(kernel, form)
    : keystreamStatements(kernel, { ...form, scratch: map.POLY }, false);

export function secretboxClaims(kernel: Kernel, cipher: Cipher): Claim[] {
  const { short = false, form } = kernel;
  const shape = { cipher, short, lanes: form !== 'scalar' };
  return [...streamClaims(onMachine(kernel), cipher, formOf(kernel)), ...boxClaims(onIntegers(kernel), shape)];
}

/** Claims about the text, which takes messages of all lengths; `kernel` runs it where no polynomials are needed. */
export function secretboxTextClaims(text: KernelText, kernel: RunnableKernel, cipher: Cipher): Claim[] {
  return [
    ...streamClaims(kernel, cipher, { lanes: false, short: false, aligned: true }),
    ...boxClaims(onDoubles(text, shippedReducer()), { cipher, short: false, lanes: false }),
  ];
}
