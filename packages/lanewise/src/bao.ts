/**
 * Verified streaming: a content that comes from anywhere, proven against its BLAKE3 hash while it comes, and any range of it. The formats are those
 * of Bao (crate `bao` 0.13), and with `groupLength: 16384` those of bao-tree and iroh.
 *
 * | name | use |
 * |---|---|
 * | {@link outboard} | the hash of a content, and the tree over it, in one pass |
 * | {@link verified} | a stream of a content, or of a range of it, that gives no byte before it is proven |
 * | {@link verifiedReader} | any range of a content, at any time |
 * | {@link encode}, {@link decode} | a content and its tree as one file |
 * | `slice`, {@link decodeSlice} | the parts of it that prove one range |
 * @module
 */
export type { Outboard } from './bao/builder.ts';
export {
  decode,
  decodeSlice,
  slice,
  type DecodeOptions,
  type SliceOptions,
  type SlicingOptions,
} from './bao/decode.ts';
export { encode, outboard, type BaoOptions, type Encoded, type OutboardFunction } from './bao/encode.ts';
export type { GroupOptions, OutboardHasher } from './bao/hasher.ts';
export type { VerifiedReader } from './bao/reader.ts';
export {
  verified,
  verifiedReader,
  type VerifiedOptions,
  type VerifiedRange,
  type VerifiedReaderOptions,
} from './bao/verified.ts';
