/** The bytes of all modules in the built package, so that the proofs are about the code that users run. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpacker } from '../../lanewise/src/engine/generated-bytes.ts';
import { makePlain } from '../../lanewise/src/engine/plain.ts';
import { MODULE, TEXT as PACKED } from '../../lanewise/src/engine/unpacker-module.ts';

const dist = join(import.meta.dirname, '../../lanewise/dist');
/** A module begins with `\0asm` and its version: in hexadecimal, or as numbers in the fifth stream of a packed text. */
const TEXT = /"(0061736d01000000[0-9a-f]*|[^"]*#`:a%`R%###[^"]*)"/g;

/** The texts in the files of the package. */
export const publishedTexts = (): ReadonlySet<string> =>
  new Set(
    (existsSync(dist) ? readdirSync(dist) : [])
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => [...readFileSync(join(dist, name), 'utf8').matchAll(TEXT)].map(([, text]) => text)),
  );

const decoded = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'hex'));

/** Not by engine/bytes.ts: that loads the library, and claims about wiping load it with methods that record. */
function unpacked(text: string): Uint8Array<ArrayBuffer> {
  const { memory, unpack } = new WebAssembly.Instance(new WebAssembly.Module(decoded(unpacker))).exports;
  const bytes = new Uint8Array((memory as WebAssembly.Memory).buffer);
  bytes.set(Buffer.from(text, 'latin1'), PACKED);
  return bytes.slice(MODULE, MODULE + (unpack as () => number)());
}

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  text.startsWith('0061736d') ? decoded(text) : unpacked(text);

function plainOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(text);
  makePlain(bytes, bytes.length);
  return bytes;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * The published modules, and the variants that the library makes of them for engines without relaxed SIMD, by the text
 * of each.
 */
let published: ReadonlyMap<string, Uint8Array<ArrayBuffer>> | undefined;

/** The published bytes that are those which the assembler makes of the sources. */
export function publishedBytes(name: string, made: Uint8Array): Uint8Array<ArrayBuffer> {
  published ??= new Map(
    [...publishedTexts()].flatMap((text) => [bytesOf(text), plainOf(text)]).map((bytes) => [hex(bytes), bytes]),
  );
  const bytes = published.get(hex(made));
  if (!bytes)
    throw new Error(`${name}: packages/lanewise/dist does not have its bytes: npm run generate && npm run build`);
  return bytes;
}
