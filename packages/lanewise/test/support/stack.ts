/** Calls near the end of the stack, so that each step of a call in turn overflows it. */

/**
 * Calls `work` once, where the stack has room for `frames` more frames of the function `descend`, less `words` words.
 */
function callAt(frames: number, words: number, work: () => void): void {
  const padding: unknown[] = new Array(words).fill(0);
  let called = false;
  const descend = (): number => {
    let above;
    try {
      above = descend() + 1;
    } catch {
      // The frame below was one too many, or there was no room left to call `work`.
      return 0;
    }
    if (above === frames && !called) {
      called = true;
      // Arguments that `work` does not take are on the stack, too.
      Reflect.apply(work, undefined, padding);
    }
    return above;
  };
  descend();
}

/**
 * The messages of V8, JavaScriptCore and SpiderMonkey; and of V8 if the stack overflows in a getter of the tests' module loader,
 * which takes the place of an import of a re-export: then the imported function seems to be missing.
 */
const isOverflow = (error: Error): boolean =>
  /^(Maximum call stack size exceeded|too much recursion)| is not a function$/.test(error.message);

interface Call {
  outcome: 'not called' | 'returned' | 'overflowed';
}

/** Calls `work` with that much room (`callAt`); errors other than overflows are thrown. */
function attempt(frames: number, words: number, work: () => unknown): Call['outcome'] {
  const call: Call = { outcome: 'not called' };
  let thrown: Error | undefined;
  callAt(frames, words, () => {
    try {
      work();
      call.outcome = 'returned';
    } catch (error) {
      thrown = error as Error;
      call.outcome = 'overflowed';
    }
  });
  if (thrown && !isOverflow(thrown)) throw thrown;
  return call.outcome;
}

export interface Overflowing<T> {
  /** Makes a new subject for each call. */
  readonly make: () => T;
  readonly work: (subject: T) => unknown;
  /** Called with all of the stack after the stack overflowed in `work`. */
  readonly check: (subject: T, what: string) => void;
  /** The number of words by which the room shrinks from one call to the next. */
  readonly step?: number;
}

/**
 * Calls `work` with room enough on the stack, then with less and less until there is no room for the call itself. Returns the
 * number of calls that overflowed. Errors other than overflows are thrown.
 */
export function overflowing<T>({ make, work, check, step = 8 }: Overflowing<T>): number {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  let overflows = 0;
  const tried = (frames: number, words: number): Call['outcome'] => {
    const subject = make();
    const outcome = attempt(frames, words, () => work(subject));
    if (outcome === 'overflowed') {
      overflows++;
      check(subject, `with room for ${frames} frames, less ${words} words`);
    }
    return outcome;
  };
  try {
    let frames = 4;
    while (tried(frames, 0) !== 'returned') frames *= 2;
    for (let words = 0, last = 0; last < 3; words += step) last = tried(frames, words) === 'not called' ? last + 1 : 0;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return overflows;
}
