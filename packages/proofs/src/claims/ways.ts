// Ways to call a kernel by one number: a length of a message, of additional data, a count of blocks.
import { AAD_BYTES, SHORT_BYTES } from '../../../lanewise/src/keystream/map.ts';
import type { Called } from './runnable.ts';

/** A way to call the kernel by one number. */
export interface Way {
  readonly name: string;
  readonly unit: string;
  readonly least: number;
  readonly most: number;
  readonly call: (number: number) => Called;
}

export const bytes = (name: string, most: number, call: (length: number) => Called, least = 0): Way => ({
  name,
  unit: 'bytes',
  least,
  most,
  call,
});
export const counted = (name: string, unit: string, most: number, call: (count: number) => Called): Way => ({
  name,
  unit,
  least: 1,
  most,
  call,
});

export const SEALING = ['seal', 'open'] as const;
/** The length of a message with additional data, where the kernel is not for short ones. */
const WITH_AAD = 77;

/**
 * Messages of up to `most` bytes; in a kernel for short messages, this limit is for message and additional data
 * together.
 */
export const sealing = (
  most: number,
  seal: (name: 'seal' | 'open', aadLength: number, length: number) => Called,
): Way[] =>
  SEALING.flatMap((name) => [
    bytes(name, most, (length) => seal(name, 0, length)),
    {
      ...(most === SHORT_BYTES
        ? bytes(name, most, (aadLength) => seal(name, aadLength, most - aadLength))
        : bytes(name, AAD_BYTES, (aadLength) => seal(name, aadLength, WITH_AAD))),
      unit: 'bytes of additional data',
    },
  ]);
