/** The command line as it was given: file names are bytes, and need not be text. */
import { readFileSync } from 'node:fs';

export interface Argument {
  readonly text: string;
  /** What to open: the text, or the bytes where the text does not say it all. */
  readonly path: string | Buffer;
}

const REPLACEMENT = '\ufffd';

/**
 * Node makes text of its arguments, and U+FFFD of what is no UTF-8; a file of that name could not be opened. Linux
 * tells the bytes.
 */
export function commandLine(): Argument[] {
  const texts = process.argv.slice(2);
  const asText = texts.map((text) => ({ text, path: text }));
  if (process.platform !== 'linux' || !texts.some((text) => text.includes(REPLACEMENT))) return asText;
  let bytes: Buffer[];
  try {
    bytes = split(readFileSync('/proc/self/cmdline')).slice(-texts.length);
  } catch {
    return asText;
  }
  if (bytes.length !== texts.length || bytes.some((path, i) => path.toString() !== texts[i])) return asText;
  return texts.map((text, i) => ({ text, path: isText(bytes[i]) ? text : bytes[i] }));
}

const isText = (bytes: Buffer): boolean => Buffer.from(bytes.toString()).equals(bytes);

/** Each argument ends in a zero byte. */
function split(line: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let from = 0; from < line.length;) {
    const end = line.indexOf(0, from);
    if (end < 0) break;
    parts.push(line.subarray(from, end));
    from = end + 1;
  }
  return parts;
}
