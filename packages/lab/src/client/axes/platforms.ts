/** Platforms: everybody, on the lengths that tables are made of. The main axis: it runs everywhere. */
import { ALWAYS, FULL, randomWork, THOROUGH, type Cases, type ClientContest, type Context } from '../contest.ts';
import { casesOf, EVERYONE, type Who } from '../field.ts';
import type { Kind } from '../messages.ts';
import { chacha20poly1305, xchacha20poly1305 } from '../primitives/aead.ts';
import { beside } from '../primitives/all.ts';
import { blake3, blake3Keyed, blake3Output, blake3Pieces } from '../primitives/blake3.ts';
import { chacha12, chacha20, chacha8 } from '../primitives/chacha.ts';
import { disk } from '../primitives/disk.ts';
import type { Operation } from '../primitives/operation.ts';
import { poly1305 } from '../primitives/poly1305.ts';
import { salsa20, secretbox } from '../primitives/salsa.ts';
import { serpent } from '../primitives/serpent.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Plain JavaScript takes tens of milliseconds for one BLAKE3 of this; it has its place at shorter lengths. */
const LONG_FOR_JAVASCRIPT = 256 * KIB;

/** All of an operation's entrants, and behind them, if there is time, those of the operations that people choose instead. */
async function prepare(operation: Operation, length: number, who: Who, { kind, random }: Context): Promise<Cases> {
  const work = await randomWork(operation, length, random);
  const own = await casesOf(operation, who, work, length);
  const instead = kind === 'quick' ? [] : (beside.get(operation) ?? []);
  const others = await Promise.all(
    instead.map(async (other) =>
      casesOf(other, who, await randomWork(other, length, random), length, {
        name: (contestant) => `${contestant}, ${other.primitive}`,
      }),
    ),
  );
  return {
    cases: [own, ...others].flatMap(({ cases }) => cases),
    absent: [own, ...others].flatMap(({ absent }) => absent),
  };
}

function contest(operation: Operation, length: number, kinds: readonly Kind[], essential = false): ClientContest {
  const who: Who =
    operation.primitive === 'BLAKE3' && length >= LONG_FOR_JAVASCRIPT
      ? { ...EVERYONE, without: ['noble', 'stablelib'] }
      : EVERYONE;
  return {
    id: `platforms/${operation.id}/${length}`,
    axis: 'platforms',
    form: 'rounds',
    primitive: operation.primitive,
    operation: operation.operation,
    title: `${operation.primitive}, ${operation.operation}, ${length} bytes`,
    parameters: { length },
    kinds,
    essential,
    prepare: (context) => prepare(operation, length, who, context),
  };
}

export const platforms: readonly ClientContest[] = [
  contest(chacha20, 65536, ALWAYS, true),
  contest(chacha20, 16384, THOROUGH),
  contest(chacha20, 256, ALWAYS),
  contest(chacha12, 65536, THOROUGH),
  contest(chacha8, 65536, FULL),
  contest(chacha20poly1305.seal, 65536, THOROUGH),
  contest(chacha20poly1305.seal, 1024, FULL),
  contest(xchacha20poly1305.seal, 65536, ALWAYS, true),
  contest(xchacha20poly1305.seal, 1024, THOROUGH),
  contest(xchacha20poly1305.seal, 64, ALWAYS),
  contest(poly1305, 65536, THOROUGH),
  contest(blake3, 96, ALWAYS),
  contest(blake3, 512, THOROUGH),
  contest(blake3, KIB, THOROUGH),
  contest(blake3, 32 * KIB, THOROUGH),
  contest(blake3, 64 * KIB, ALWAYS, true),
  contest(blake3, 256 * KIB, THOROUGH),
  contest(blake3, MIB, THOROUGH),
  contest(blake3Keyed, 64 * KIB, FULL),
  contest(blake3Pieces, 64 * KIB, THOROUGH),
  contest(blake3Output, 16 * KIB, THOROUGH),
  contest(salsa20, 65536, ALWAYS, true),
  contest(salsa20, 256, FULL),
  contest(secretbox.seal, 65536, ALWAYS),
  contest(secretbox.seal, 1024, FULL),
  contest(secretbox.seal, 64, ALWAYS),
  contest(serpent.ctr, 65536, ALWAYS, true),
  contest(serpent.ctr, 16384, THOROUGH),
  contest(serpent.ctr, 1024, THOROUGH),
  contest(serpent.cbc, 65536, ALWAYS),
  contest(serpent.cbc, 16384, THOROUGH),
  contest(serpent.cbc, 1024, THOROUGH),
  contest(serpent.ocb, 65536, THOROUGH),
  contest(serpent.ocb, 1024, FULL),
  contest(disk.pages, 65536, ALWAYS),
  contest(disk.sectors, 65536, THOROUGH),
  contest(disk.hpolyc, 65536, THOROUGH),
  contest(disk.page, 4096, THOROUGH),
  contest(disk.page, 512, FULL),
];
