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

  constructor(text: string) {
    for (const line of text.split(/\r?\n/).filter((one) => one.trim() !== '')) {
      const [, backslash, hash = line.trim(), written] = /^(\\?)([0-9a-f]{64}) {2}(.+)$/i.exec(line) ?? [];
      const name = backslash ? unescaped(written) : written;
      if (!HASH.test(hash))
        throw new Advice(
          'An expected hash has 64 digits 0–9 and a–f, alone or before two spaces and a name. Copy it again.',
          'expected',
        );
      if (name === undefined) this.#alone.add(hash.toLowerCase());
      else this.#byName.set(name, hash.toLowerCase());
    }
  }

  /** What is to be said of a file's hash; undefined if nothing is expected of it. */
  verdict(path: string, hash: string): { readonly matches: boolean; readonly text: string } | undefined {
    const named = this.#byName.get(path) ?? this.#byName.get(path.slice(path.lastIndexOf('/') + 1));
    if (named === undefined && this.#alone.size === 0) return undefined;
    const matches = named === undefined ? this.#alone.has(hash) : named === hash;
    return {
      matches,
      text: matches
        ? 'It is the expected hash.'
        : 'It is not the expected hash: the file is another, or was changed. Get it again.',
    };
  }
}
