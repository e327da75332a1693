/** Checks the arguments of calls that prove a content, and brings its sources behind one interface. */
import { Mirrors, StreamContents, type Contents, type Mirror } from './contents.ts';
import { Checker } from './nodes.ts';
import { Apart, OutboardFile, WovenFile, WovenStream, type Origin } from './origins.ts';
import type { Tree } from './proof.ts';
import { Taker } from './pull.ts';
import { groupLengthOf, VALUE } from './shape.ts';
import { isBytes, lengthOf, sizeOf, typeOf } from '../calls/checks.ts';
import { has } from '../io/handles.ts';
import { isRandom } from '../io/pieces.ts';
import { randomAccess, type RandomAccessSource } from '../io/random-access.ts';
import { sourceOf } from '../io/source.ts';
import { copyOf, hosted, isArray } from '../engine/intrinsics.ts';

const HostBlob = /* @__PURE__ */ hosted<typeof Blob>('Blob');

/** Values of options, as callers gave them. */
export interface Inputs {
  readonly groupLength: unknown;
  readonly outboard?: unknown;
  readonly sources?: unknown;
  readonly patience?: unknown;
}

/** A tree, and the stream that is to be ended with it, if it comes from one. */
export interface Opened extends Tree {
  readonly taker: Taker | undefined;
}

/** How long a source may be silent before the next one is asked, too, in milliseconds. */
const PATIENCE = 5000;

const isAnyPlace = (source: unknown): boolean => isBytes(source) || isRandom(source);

function mirrorOf(source: unknown): Mirror {
  const Host = HostBlob();
  const isBlob = Host !== undefined && source instanceof Host && source.slice === Host.prototype.slice;
  return { source: randomAccess(source as RandomAccessSource), isOwn: isBlob || has(source, 'stat', 'read') };
}

function mirrorsOf(source: unknown, { sources, patience }: Inputs): Mirrors {
  if (sources !== undefined && !isArray(sources))
    throw new TypeError(`"sources" expected array of sources, got ${typeOf(sources)}`);
  const mirrors = [mirrorOf(source)];
  const others = (sources ?? []) as readonly unknown[];
  for (let i = 0; i < others.length; i++) mirrors.push(mirrorOf(others[i]));
  const wait = patience === undefined ? PATIENCE : sizeOf(patience, 'patience');
  // A timer that is longer would end at once.
  if (wait >= 2 ** 31) throw new RangeError(`"patience" expected integer from 0 to ${2 ** 31 - 1}, got ${wait}`);
  return new Mirrors(mirrors, wait);
}

/** Opens an encoding, or with `outboard` a content. Nothing is read. */
export function openTree(source: unknown, hash: unknown, given: Inputs, inOrder = false): Opened {
  // Callers leave out what they don't have, and a polluted prototype may have it.
  const inputs = { __proto__: null, ...given } as Inputs;
  lengthOf(hash, 'hash', VALUE);
  const its = copyOf(hash as Uint8Array, VALUE);
  const groupLength = groupLengthOf(inputs.groupLength);
  const { outboard, sources, patience } = inputs;
  const isRanges = !inOrder && isAnyPlace(source);
  if ((sources !== undefined || patience !== undefined) && (outboard === undefined || !isRanges))
    throw new TypeError(
      `"${sources === undefined ? 'patience' : 'sources'}" expected with "outboard", and a source that can be read at any place`,
    );
  let taker: Taker | undefined;
  const take = (): Taker => (taker = new Taker(sourceOf(source)));
  let origin: Origin;
  if (outboard !== undefined) {
    const contents: Contents = isRanges ? mirrorsOf(source, inputs) : new StreamContents(take());
    origin = new Apart(new OutboardFile(outboardOf(outboard), groupLength), contents, groupLength);
  } else if (isRanges) origin = new WovenFile(randomAccess(source as RandomAccessSource), groupLength);
  else origin = new WovenStream(take(), groupLength);
  return { origin, hash: its, groupLength, checker: new Checker(groupLength), taker };
}

/** An outboard is read at any place. */
function outboardOf(outboard: unknown): ReturnType<typeof randomAccess> {
  try {
    return randomAccess(outboard as RandomAccessSource);
  } catch (error) {
    if (error instanceof TypeError)
      throw new TypeError(error.message.replace('"source"', '"outboard"'), { cause: error });
    throw error;
  }
}
