/** Every operation that there is, by what axes need. A new primitive adds its own here. */
import { chacha20poly1305, xchacha20poly1305 } from './aead.ts';
import { blake3, blake3Keyed, blake3Output, blake3Pieces } from './blake3.ts';
import { chacha12, chacha20, chacha8 } from './chacha.ts';
import { disk, PAGE, SECTOR } from './disk.ts';
import type { Operation } from './operation.ts';
import { aesCtr, aesGcm, aesXts, sha256 } from './others.ts';
import { poly1305 } from './poly1305.ts';
import { salsa20, secretbox } from './salsa.ts';
import { serpent } from './serpent.ts';

/** One for each primitive: what its curve over lengths, alignments and keys is drawn of. */
export const principal: readonly Operation[] = [chacha20, xchacha20poly1305.seal, blake3];
/** Those of which a few lengths are enough. */
export const sketched: readonly Operation[] = [poly1305, salsa20, secretbox.seal, serpent.ctr, disk.pages];

/** Everything that the library does. */
export const operations: readonly Operation[] = [
  chacha20,
  chacha12,
  chacha8,
  ...Object.values(chacha20poly1305),
  ...Object.values(xchacha20poly1305),
  poly1305,
  blake3,
  blake3Keyed,
  blake3Pieces,
  blake3Output,
  salsa20,
  ...Object.values(secretbox),
  ...Object.values(serpent),
  ...Object.values(disk),
];

/** What is measured beside an operation of ours, because people choose between them. */
export const beside: ReadonlyMap<Operation, readonly Operation[]> = new Map([
  [chacha20, [aesCtr]],
  [chacha20poly1305.seal, [aesGcm]],
  [blake3, [sha256]],
  [serpent.ctr, [aesCtr]],
  [serpent.ocb, [aesGcm]],
  [disk.sectors, [aesXts(SECTOR)]],
  [disk.pages, [aesXts(PAGE), aesCtr]],
]);
