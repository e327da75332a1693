/** The vectors of scrypt in RFC 7914 §12. */
import { testsOf } from './blake3.ts';

interface Vector {
  readonly function: string;
  readonly P: string;
  readonly S: string;
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly dkLen: number;
  readonly output: string;
}

/** All four, in the order of the RFC; the last takes 1 GiB. */
export const vectors = testsOf<Vector>('rfc7914.json', 8).filter((test) => test.function === 'scrypt');

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
