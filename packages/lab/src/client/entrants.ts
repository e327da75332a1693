/** The usual entrants of an operation: our engines, a library by its performers, and those that exist in Node only. */
import type { Contestant } from './contestants/contestant.ts';
import type { Lanewise } from './contestants/lanewise.ts';
import { native, synchronous, type Entrant, type Performer, type SynchronousStart } from './operation.ts';
import type { NodeContestants } from './node-contestants.ts';
import type { NativeCipher } from '../native.ts';

/** A library with its performers, or the only one. */
export const library = (name: string, load: () => Promise<Performer | readonly Performer[]>): Entrant => ({
  library: name,
  load: async () => [await load()].flat(),
});

/** Each engine of the library, and the one that users get, by its own functions. */
export const oursBy = (performers: (contestant: Lanewise) => Performer | readonly Performer[]): Entrant =>
  library('lanewise', async () => {
    const { auto, lanewiseEngines } = await import('./contestants/lanewise.ts');
    return [auto, ...lanewiseEngines].flatMap(performers);
  });

/** The same with one implementation. */
export const ours = (load: () => Promise<SynchronousStart>): Entrant => ({
  library: 'lanewise',
  async load() {
    const start = await load();
    return oursBy((contestant) => synchronous(contestant, start)).load();
  },
});

/** @noble's ciphers, with one implementation. */
export const noble = (load: () => Promise<SynchronousStart>): Entrant =>
  library('noble', async () => {
    const [start, { nobleCiphers }] = await Promise.all([load(), import('./contestants/noble.ts')]);
    return synchronous(nobleCiphers, start);
  });

export const nodeContestants = async (): Promise<NodeContestants> => (await import('#packages')).nodeContestants();

/** An entrant that exists in Node-like hosts only. */
export const inNode = (
  name: string,
  of: (contestants: NodeContestants) => Performer | readonly Performer[],
): Entrant => ({ ...library(name, async () => of(await nodeContestants())), nodeOnly: true });

/** node:crypto, with one implementation. */
export const nodeCrypto = (of: (contestants: NodeContestants) => SynchronousStart): Entrant =>
  inNode('node:crypto', (contestants) => synchronous(contestants.nodeCrypto, of(contestants)));

/** An operation by C libraries, or by a Go module. */
export const natives = (operation: string, libraries: readonly NativeCipher['library'][]): Entrant =>
  inNode('native', ({ nativeCiphers }) => nativeCiphers(operation, libraries).map(native));

/** WebCrypto's contestant and functions. */
export const webCrypto = (
  of: (functions: typeof import('./contestants/webcrypto.ts'), contestant: Contestant) => Performer,
): Entrant =>
  library('WebCrypto', async () => {
    const functions = await import('./contestants/webcrypto.ts');
    return of(functions, functions.webCrypto);
  });

/**
 * An expected output by our own plain JavaScript, where no other library that runs in every engine has the primitive.
 *
 * @param load - Imports the library.
 */
export async function byJavaScript<Library>(
  load: () => Promise<Library>,
  output: (library: Library) => Uint8Array,
): Promise<Uint8Array> {
  const [module, { select }] = await Promise.all([load(), import('lanewise/engine.js')]);
  select('js');
  try {
    return output(module);
  } finally {
    select('auto');
  }
}
