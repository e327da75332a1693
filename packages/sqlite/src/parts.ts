/**
 * Parts that some databases need and others don't, and which are loaded for those: so a page with a key of 32 bytes loads neither Argon2id nor
 * other modes. `create` of an encrypted VFS, `openDatabase` and `rekey` wait for them.
 */
import type { ModePart } from './mode-part.ts';
import type { Settings } from './options.ts';

type Passphrases = Pick<typeof import('./keys/passphrases.ts'), 'derive' | 'costsIn' | 'writeCosts'>;

const LOAD = {
  passphrases: (): Promise<Passphrases> => import('./keys/passphrases.ts'),
  temporary: (): Promise<Pick<typeof import('./files/temporary-file.ts'), 'inMemory'>> =>
    import('./files/temporary-file.ts'),
  adiantum: (): Promise<ModePart> => import('./files/adiantum-mode.ts'),
  sqlite3mc: (): Promise<ModePart & Pick<typeof import('./multiple-ciphers/part.ts'), 'MultipleCiphersDatabase'>> =>
    import('./multiple-ciphers/part.ts'),
};
type Name = keyof typeof LOAD;

export const loaded: { [Each in Name]?: Awaited<ReturnType<(typeof LOAD)[Each]>> } = {};

/** A part, which was loaded before. */
export function part<Each extends Name>(name: Each): NonNullable<(typeof loaded)[Each]> {
  const found = loaded[name];
  if (found === undefined) throw new Error(`${name} isn't loaded: make the VFS by its static create()`);
  return found;
}

/** Loads a part, unless it is there. */
export function load(name: Name): Promise<void> | undefined {
  if (loaded[name] !== undefined) return undefined;
  return LOAD[name]().then((its) => {
    Object.assign(loaded, { [name]: its });
  });
}

/** The part that files of these settings need, if they need one. */
export function partOf({ mode, kind }: Pick<Settings, 'mode' | 'kind'>): Name | undefined {
  if (mode !== 'authenticated') return mode;
  return kind === 'passphrase' ? 'passphrases' : undefined;
}

/** Loads the part that files of these settings need. */
export async function loadFor(settings: Settings): Promise<void> {
  const name = partOf(settings);
  if (name !== undefined) await load(name);
}
