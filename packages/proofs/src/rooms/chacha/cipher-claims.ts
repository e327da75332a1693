// The cipher's side of the AEADs: ciphertext, plaintext, the one-time key, the comparison of tags, and the secrets left
// in memory. Claims about the tags themselves are in aead-claims.ts.
import { AAD, STAGE, HEAD, POLY, TAG } from '../../../../lanewise/src/keystream/map.ts';
import { symbols } from '../../specifications/terms.ts';
import { seal } from './aead-specification.ts';
import { wordsOf } from '../../specifications/algebra.ts';
import * as terms from '../../terms/term.ts';
import type { Term } from '../../terms/term.ts';
import { counted } from '../../claims/amounts.ts';
import { Failure, type Claim } from '../../claims/claim.ts';
import * as inputs from '../keystream/inputs.ts';
import { expectBytes, expectNoEvents, expectNoSecrets, publicBytes, range, secrets } from '../../claims/compare.ts';
import type { Runnable, RunnableKernel } from '../../claims/runnable.ts';

type Form = inputs.ChaChaForm;

/**
 * Lengths around blocks and sets; the length from which MAC and cipher are interleaved; three groups of interleaved
 * blocks.
 */
const lengthsOf = ({ short, lanes }: Form): number[] =>
  short
    ? [0, 1, 15, 16, 17, 63, 64]
    : lanes
      ? [0, 1, 63, 64, 65, 128, 129, 192, 193, 256, 257, 512, 513, 960, 961, 1025, 1600]
      : [0, 1, 63, 64, 65, 127, 128, 129, 191, 192, 193];

/** The length of additional data: not a whole block, or none; with a short message, 64 bytes in total. */
const aadLengthOf = ({ short }: Form, length: number): number =>
  length % 2 === 0 ? 0 : short ? Math.min(5, 64 - length) : 21;

const AEADS = [inputs.IETF, inputs.EXTENDED_NONCE];

interface Message {
  readonly run: Runnable;
  readonly input: inputs.Input;
  readonly aad: readonly Term[];
  readonly text: readonly Term[];
}

/** An unknown message in its place; the counter is zero. */
function staged(kernel: RunnableKernel, form: Form, cipher: inputs.Cipher, length: number): Message {
  const input = inputs.inputOf(cipher);
  const aad = secrets('aad', aadLengthOf(form, length));
  const text = secrets('text', length);
  const run = kernel.start(inputs.rangesOfMessage(form, range(AAD, aad.length), length));
  const counter = publicBytes(0n, cipher.nonceLength === 24 ? 8 : 4);
  run.write(inputs.INPUT, inputs.inputBlock(input, counter));
  run.write(AAD, aad);
  run.write(STAGE, text);
  return { run, input, aad, text };
}

const expectedOf = ({ input, aad, text }: Message) => seal(symbols, input.key, input.nonce, aad, text);

function proveSeal(kernel: RunnableKernel, form: Form, cipher: inputs.Cipher, length: number): void {
  const message = staged(kernel, form, cipher, length);
  const { run, aad } = message;
  const what = `${cipher.name(20)}-Poly1305, seal, ${aad.length} and ${length} bytes`;
  run.call('seal', cipher.kind, aad.length, length);
  expectNoEvents(run, what);
  expectBytes(run, STAGE, expectedOf(message).ciphertext, `${what}: ciphertext`);
  expectNoSecrets(run, [range(STAGE, length + 16)], what);
}

function proveOpen(kernel: RunnableKernel, form: Form, cipher: inputs.Cipher, length: number): void {
  const message = staged(kernel, form, cipher, length);
  const { run, aad } = message;
  const what = `${cipher.name(20)}-Poly1305, open, ${aad.length} and ${length} bytes`;
  run.write(STAGE + length, secrets('tag', 16));
  run.call('open', cipher.kind, aad.length, length);
  expectNoEvents(run, what);
  // Decryption is encryption.
  expectBytes(run, STAGE, expectedOf(message).ciphertext, `${what}: plaintext`);
}

/** A message in two parts; the first has whole groups. */
function proveParts(kernel: RunnableKernel, form: Form, name: 'encrypt' | 'decrypt', sizes: readonly number[]): void {
  const cipher = inputs.IETF;
  const what = `${name}, parts of ${sizes.join(' and ')} bytes`;
  const length = sizes.reduce((sum, size) => sum + size);
  const message = staged(kernel, form, cipher, length);
  const { run, text } = message;
  const { ciphertext } = expectedOf(message);
  run.call('begin', cipher.kind);
  let done = 0;
  for (const size of sizes) {
    run.write(STAGE, text.slice(done, done + size));
    if (name === 'encrypt') run.call(name, 0, 0, size);
    else run.call(name, size);
    expectBytes(run, STAGE, ciphertext.slice(done, done + size), what);
    done += size;
  }
  expectNoEvents(run, what);
}

/** RFC 8439 §2.5.1: the bits of r that are cleared, byte by byte. */
const CLAMP = [255, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15];

/** The one-time key as Poly1305 takes it: nothing accumulated, r clamped, s. */
function proveBegin(kernel: RunnableKernel, form: Form, cipher: inputs.Cipher): void {
  const what = `${cipher.name(20)}-Poly1305, begin`;
  const message = staged(kernel, form, cipher, 0);
  const { run } = message;
  run.call('begin', cipher.kind);
  expectNoEvents(run, what);
  const { oneTimeKey } = expectedOf(message);
  const masked = oneTimeKey.slice(0, 16).map((byte, i) => terms.and(byte, symbols.byte(CLAMP[i])));
  expectBytes(run, POLY, publicBytes(0n, 20), `${what}: accumulator`);
  expectBytes(run, POLY + 32, [...masked, ...oneTimeKey.slice(16)], `${what}: r and s`);
}

/** The result is 1 if two tags are equal and 0 otherwise, for all tags. */
function proveVerify(kernel: RunnableKernel, address: number): void {
  const [tag, other] = [secrets('tag', 16), secrets('other', 16)];
  const run = kernel.start({ reads: [range(TAG, 16), range(address, 16)], writes: [] });
  run.write(TAG, tag);
  run.write(address, other);
  const found = run.call('verify', address);
  expectNoEvents(run, 'verify');
  counted('verdicts', 1);
  const [words, otherWords] = [wordsOf(symbols, tag), wordsOf(symbols, other)];
  const different = words.map((word, i) => terms.xor(word, otherWords[i])).reduce(terms.or);
  if (found !== terms.isZero(different)) throw new Failure('verify: the verdict is not that of comparing 16 bytes');
}

/** Tags are computed after messages, at arbitrary addresses. */
const tagAddresses = (aligned: boolean): number[] => [STAGE, HEAD + 16, STAGE + (aligned ? 36 : 37)];

export function aeadCipherClaims(kernel: RunnableKernel, form: Form): Claim[] {
  const claim = (text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic: "the AEAD's cipher",
    claim: text,
    prove,
  });
  const lengths = lengthsOf(form);
  const parts = form.short
    ? [[64], [33], [1, 0]]
    : [
        [512, 512],
        [1024, 65],
        [512, 1],
        [512, 0],
      ];
  return [
    ...AEADS.flatMap((cipher) => {
      const some = cipher === inputs.IETF ? lengths : lengths.filter((length) => length < 200);
      return [
        claim(`${cipher.name(20)}-Poly1305: ciphertext of ${some.length} lengths up to ${some.at(-1)}`, () => {
          for (const length of some) proveSeal(kernel, form, cipher, length);
        }),
        claim(`${cipher.name(20)}-Poly1305: plaintext of ${some.length} lengths up to ${some.at(-1)}`, () => {
          for (const length of some) proveOpen(kernel, form, cipher, length);
        }),
        claim(`${cipher.name(20)}-Poly1305: one-time key`, () => proveBegin(kernel, form, cipher)),
      ];
    }),
    claim('a message in parts', () => {
      for (const sizes of parts) {
        proveParts(kernel, form, 'encrypt', sizes);
        proveParts(kernel, form, 'decrypt', sizes);
      }
    }),
    claim('comparison of tags', () => {
      for (const address of tagAddresses(form.aligned)) proveVerify(kernel, address);
    }),
  ];
}
