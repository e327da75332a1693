/** Hashes that files should have: one alone, or the lines of a checksum file of b3sum. */
import { Advice } from './explain.ts';

const HASH = /^[0-9a-f]{64}$/i;

/** A line of a checksum file, as b3sum writes it: names with a backslash or a line end are escaped, and the line says so in front. */
export function checksumLine(hash: string, path: string): string {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${escaped === path ? '' : '\\'}${hash}  ${escaped}\n`;
}

const ESCAPED: Readonly<Record<string, string>> = { '\\\\': '\\', '\\n': '\n', '\\r': '\r' };
const unescaped = (name: string): string => name.replace(/\\[\\nr]/g, (pair) => ESCAPED[pair]);

export class Expected {
  readonly #byName = new Map<string, string>();
  readonly #alone = new Set<string>();
  readonly #used = new Set<string>();
  /** The name of the only line, if there is one file only: browsers save a second `setup.exe` as `setup (1).exe`. */
  readonly #only: readonly string[];

  /** `files` is how many are compared. */
  constructor(text: string, files: number) {
    for (const line of text.split(/\r?\n/).filter((one) => one.trim() !== '')) {
      const [, backslash, hash = line.trim(), written] = /^(\\?)([0-9a-f]{64}) {2}(.+)$/i.exec(line) ?? [];
      const name = backslash ? unescaped(written) : written;
      if (!HASH.test(hash))
        throw new Advice(
          'An expected hash has 64 digits 0–9 and a–f, alone or before two spaces and a name. Copy it again.',
          'expected',
        );
      if (name === undefined) this.#alone.add(hash.toLowerCase());
      else this.#add(name, hash.toLowerCase());
    }
    this.#only = files === 1 && this.#alone.size === 0 && this.#byName.size === 1 ? [...this.#byName.keys()] : [];
  }

  /** A name that two lines have with two hashes would be compared with an unknown one of them. */
  #add(name: string, hash: string): void {
    if ((this.#byName.get(name) ?? hash) !== hash)
      throw new Advice(`Two expected hashes have the same name, ${name}. Keep the line that is right.`, 'expected');
    this.#byName.set(name, hash);
  }

  /** How many named files weren't hashed. */
  get unused(): number {
    return [...this.#byName.keys()].filter((name) => !this.#used.has(name)).length;
  }

  /** The verdict on a file's hash; undefined if nothing is expected at all. */
  verdict(
    path: string,
    hash: string,
  ): { readonly kind: 'done' | 'differs' | 'uncompared'; readonly text: string } | undefined {
    if (this.#byName.size + this.#alone.size === 0) return undefined;
    const name = [path, path.slice(path.lastIndexOf('/') + 1), ...this.#only].find((one) => this.#byName.has(one));
    if (name === undefined && this.#alone.size === 0)
      return {
        kind: 'uncompared',
        text: 'It was not compared: no expected hash has this name. Check the name, and the lines.',
      };
    if (name !== undefined) this.#used.add(name);
    const matches = name === undefined ? this.#alone.has(hash) : this.#byName.get(name) === hash;
    return matches
      ? { kind: 'done', text: 'It is the expected hash.' }
      : { kind: 'differs', text: 'It is not the expected hash: the file is another, or was changed. Get it again.' };
  }
}
