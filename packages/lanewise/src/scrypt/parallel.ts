/** scrypt in a worker. */
import { abortable } from '../work/abort.ts';
import type { Session, Threads } from '../work/threads.ts';
import { copyOf, max } from '../engine/intrinsics.ts';
import type { scrypt } from './functions.ts';
import { callOf, type ScryptOptions } from './parameters.ts';

type Key = Uint8Array<ArrayBuffer>;
/** A key, or the message of a RangeError. */
type Answer = Key | string;

/**
 * Checks the arguments, then derives a key.
 *
 * @param load - Gives the functions that derive on the caller's thread, where there are no workers: programs which derive no keys need not have the code.
 */
export function scryptOn(
  threads: Threads,
  password: Uint8Array,
  salt: Uint8Array,
  options: ScryptOptions | undefined,
  load: () => Promise<{ readonly scrypt: typeof scrypt }>,
): Promise<Key> {
  const { parameters, password: its, salt: itsSalt, slices } = callOf(password, salt, options);
  const { signal, onProgress } = slices;
  const secrets = [copyOf(its.bytes, its.length), copyOf(itsSalt.bytes, itsSalt.length)];
  const { N, r, p, dkLen } = parameters;
  let told = 0;
  let fail: (error: unknown) => void;
  const tell = (progress: number): void => {
    // A worker that takes over for another begins again.
    if (progress <= told || session.signal.aborted) return;
    told = progress;
    try {
      onProgress?.(progress);
    } catch (error) {
      fail(error);
    }
  };
  const here = async (): Promise<Answer> => {
    const { scrypt } = await load();
    const costs = { N, r, p, dkLen, maxmem: max(128 * N * r * p, dkLen) };
    return scrypt(secrets[0], secrets[1], { ...costs, signal: session.signal, onProgress: tell });
  };
  const work = { kind: 'scrypt', parameters, secrets, isLong: true, here };
  const session: Session<undefined, Answer> = threads.session<undefined, Answer>(work);

  const derive = async (ends: AbortSignal): Promise<Key> => {
    ends.addEventListener('abort', () => session.close());
    const answer = await new Promise<Answer>((resolve, reject) => {
      fail = reject;
      session.run(undefined, undefined, tell).then(resolve, reject);
    });
    if (typeof answer === 'string') throw new RangeError(answer);
    return answer;
  };
  return abortable([signal], derive).finally(() => session.close());
}
