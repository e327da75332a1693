/** Lines of checkfiles: `HASH  NAME`, or `BLAKE3 (NAME) = HASH`; a `\` in front of the line says that NAME is escaped. */

const windows = process.platform === 'win32';
const TAG = 'BLAKE3 (';
const TAG_END = ') = ';
const HASH_BYTES = 32;

/** The text of a line before and after the hash. */
export interface Frame {
  readonly before: string;
  readonly after: string;
}

const letters: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };
const characters: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r' };

/** @param show - Applied to the name after it was escaped as in a checkfile. */
export function frameOf(name: string, tagged: boolean, show: (escaped: string) => string): Frame {
  // So a checkfile that was written on Windows names the same files elsewhere.
  const portable = windows ? name.replaceAll('\\', '/') : name;
  const escaped = portable.replace(/[\\\n\r]/g, (character) => letters[character]);
  const mark = escaped === portable ? '' : '\\';
  return tagged
    ? { before: `${mark}${TAG}${show(escaped)}${TAG_END}`, after: '\n' }
    : { before: mark, after: `  ${show(escaped)}\n` };
}

/** A line that cannot be parsed. */
export class MalformedLine extends Error {}

export interface CheckLine {
  /** The name as it stands in the line, escaped. */
  readonly shown: string;
  readonly path: string;
  readonly hash: Uint8Array;
}

/** @throws MalformedLine, in the words of b3sum. */
export function parseCheckLine(bytes: Uint8Array): CheckLine {
  const line = withoutEnd(decode(bytes));
  if (line === '') throw new MalformedLine('Empty line');
  const escaped = line.startsWith('\\');
  const [hex, name] = split(escaped ? line.slice(1) : line);
  if (Buffer.byteLength(hex) !== 2 * HASH_BYTES) throw new MalformedLine('Invalid hash length');
  if (!/^[0-9a-f]+$/.test(hex)) throw new MalformedLine('Invalid hex');
  const path = escaped ? unescape(name) : name;
  if (path === '') throw new MalformedLine('empty file path');
  if (path.includes('\0')) throw new MalformedLine('Null character in path');
  // Invalid UTF-8 is printed as this character, so a name that contains it is ambiguous.
  if (path.includes('\ufffd')) throw new MalformedLine('Unicode replacement character in path');
  if (windows && path.includes('\\')) throw new MalformedLine('Backslash in path');
  return { shown: escaped ? `\\${name}` : name, path, hash: Buffer.from(hex, 'hex') };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MalformedLine('stream did not contain valid UTF-8');
  }
}

/** Checkfiles of Windows end their lines in two characters. */
function withoutEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r' || line[end - 1] === '\n') end--;
  return line.slice(0, end);
}

/** The hash and the name. No hash starts like a tag, so a name in a tag may hold two spaces. */
function split(line: string): [string, string] {
  const tagEnd = line.lastIndexOf(TAG_END);
  if (line.startsWith(TAG) && tagEnd >= TAG.length) {
    return [line.slice(tagEnd + TAG_END.length), line.slice(TAG.length, tagEnd)];
  }
  const space = line.indexOf('  ');
  if (space < 0) throw new MalformedLine('Invalid check line format');
  return [line.slice(0, space), line.slice(space + 2)];
}

const unescape = (name: string): string =>
  name.replace(/\\([^]?)/g, (_, letter: string) => {
    if (!Object.hasOwn(characters, letter)) throw new MalformedLine('Invalid backslash escape');
    return characters[letter];
  });
