// Claims about the AEAD in the kernels of the ChaCha family.
import type { KernelText } from '../../javascript/texts.ts';
import type { Kernel } from '../../kernels.ts';
import {
  PARTS,
  proveLongLengths,
  proveOpen,
  proveOpenInParts,
  proveSeal,
  proveSealInParts,
  SHORT_PARTS,
  totalOf,
  type NonceLength,
  type Parts,
  type Shape,
} from './aead-runs.ts';
import type { Claim } from '../../claims/claim.ts';
import { shippedReducer } from '../poly1305/claims.ts';
import { onDoubles, onIntegers, type PolynomialKernel } from '../poly1305/run.ts';

const NAMES: Readonly<Record<NonceLength, string>> = { 12: 'chacha20-poly1305', 24: 'xchacha20-poly1305' };

type Lengths = readonly [aadLength: number, length: number];
const shapes = (nonceLength: NonceLength, lengths: readonly Lengths[]): Shape[] =>
  lengths.map(([aadLength, length]) => ({ nonceLength, aadLength, length }));
const withoutAad = (...lengths: readonly number[]): Lengths[] => lengths.map((length) => [0, length]);

/** Lengths for the kernel for short messages: up to 64 bytes, additional data included. */
const SHORT: readonly Shape[] = [
  ...shapes(12, withoutAad(0, 1, 15, 16, 17, 31, 32, 33, 63, 64)),
  ...shapes(12, [
    [1, 0],
    [1, 63],
    [12, 1],
    [12, 16],
    [12, 52],
    [16, 17],
    [16, 48],
    [17, 47],
    [64, 0],
  ]),
  ...shapes(24, [...withoutAad(0, 1, 64), [12, 52]]),
];

/** Lengths around blocks and sets. */
const LONG: readonly Shape[] = [
  ...shapes(12, withoutAad(65, 127, 128, 129, 191, 192, 193)),
  ...shapes(12, [
    [65, 0],
    [1, 64],
    [12, 65],
    [16, 128],
    [17, 193],
    [1024, 65],
  ]),
  ...shapes(24, [
    [0, 65],
    [12, 100],
  ]),
];

/**
 * With vectors the interleaved loop takes eight blocks per iteration. Encrypting, the MAC follows the cipher from 16
 * blocks on: lengths of one to three iterations …
 */
const WOVEN_SEAL = shapes(12, [...withoutAad(256, 257, 512, 960, 961, 1024, 1025, 1473, 1985), [1023, 1025]]);
/**
 * … and decrypting, the MAC precedes the cipher for every eight blocks, unless the ciphertext is short enough to be put
 * aside.
 */
const WOVEN_OPEN = shapes(12, [...withoutAad(256, 257, 511, 512, 513, 1023, 1024, 1025, 1537), [1023, 1025]]);

interface Messages {
  readonly seal: readonly Shape[];
  readonly open: readonly Shape[];
  readonly parts: Parts;
}

function claimsOf(kernel: PolynomialKernel, { seal, open, parts }: Messages): Claim[] {
  const claim = (nonceLength: NonceLength, text: string, prove: () => Promise<void>): Claim => ({
    kernel: kernel.name,
    claim: `${NAMES[nonceLength]}: ${text}`,
    prove,
  });
  const sizes = ({ aadLength, length }: Shape): string => `${length} bytes with ${aadLength} of additional data`;
  const total = `${totalOf(parts.message)} bytes in ${parts.message.length} parts`;
  return [
    ...seal.map((shape) => claim(shape.nonceLength, `seal ${sizes(shape)}`, () => proveSeal(kernel, shape))),
    ...open.map((shape) => claim(shape.nonceLength, `open ${sizes(shape)}`, () => proveOpen(kernel, shape))),
    claim(12, 'lengths beyond 2^32 bytes', () => proveLongLengths(kernel)),
    claim(12, `seal ${total}`, () => proveSealInParts(kernel, 12, parts)),
    claim(24, `seal ${total}`, () => proveSealInParts(kernel, 24, parts)),
    claim(12, `open ${total}`, () => proveOpenInParts(kernel, 12, parts, { first: false })),
    claim(12, `open ${total}, checked first`, () => proveOpenInParts(kernel, 12, parts, { first: true })),
  ];
}

function messagesOf({ short, form }: Pick<Kernel, 'short' | 'form'>): Messages {
  if (short) return { seal: SHORT, open: SHORT, parts: SHORT_PARTS };
  if (form === 'scalar') return { seal: LONG, open: LONG, parts: PARTS };
  return { seal: [...LONG, ...WOVEN_SEAL], open: [...LONG, ...WOVEN_OPEN], parts: PARTS };
}

/** Every key, nonce, additional data and message of these lengths: ciphertext or plaintext, tag, verdict. */
export const aeadClaims = (kernel: Kernel): Claim[] => claimsOf(onIntegers(kernel), messagesOf(kernel));

/** The claims about the `js` engine, whose one kernel gets messages of all lengths. */
export function aeadTextClaims(text: KernelText): Claim[] {
  const all = [...SHORT, ...LONG];
  return claimsOf(onDoubles(text, shippedReducer()), { seal: all, open: all, parts: PARTS });
}
