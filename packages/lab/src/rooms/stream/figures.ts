/** The rows of streams in the table of docs/speed.md. */
import type { Figure } from '../../readme/figure.ts';

const MIB = 2 ** 20;

export const figures: readonly Figure[] = [
  {
    title: 'age payload, 64 KiB pieces',
    contest: `streams/age-payload/encrypt/${MIB}`,
    ours: 'lanewise, machine',
    result: 'out',
    rivals: ['node:crypto'],
  },
  {
    title: 'age payload, ReadableStream',
    contest: `streams/age-payload/encrypt/${MIB}`,
    ours: 'lanewise, stream',
    result: 'allocated',
    rivals: ['age-encryption, stream'],
  },
  {
    title: 'secretstream, 64 KiB messages',
    contest: `streams/secretstream/encrypt/${MIB}`,
    ours: 'lanewise, machine',
    result: 'out',
    rivals: ['libsodium.js'],
  },
];
