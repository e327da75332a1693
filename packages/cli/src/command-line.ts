/** The command line as bytes: file names need not be valid UTF-8. */
import { readFileSync } from 'node:fs';

export interface Argument {
  readonly text: string;
  /** The path to open: text, or bytes if they are not valid UTF-8. */
  readonly path: string | Buffer;
}

const REPLACEMENT = '\ufffd';

/**
 * The arguments. Node decodes them as UTF-8 and replaces invalid bytes by U+FFFD, so such a file could not be opened; on Linux
 * the bytes are read from /proc.
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
