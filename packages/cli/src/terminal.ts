/** Output of the command: results go to standard output, everything else to standard error. */
import { once } from 'node:events';
import { systemMessage } from './system-errors.ts';

/** Escapes control characters, so that a file name cannot send escape sequences or line ends to the terminal. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character];
    return short ?? `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });

/** File names in results: escaped on a terminal, unchanged in pipes and files, as b3sum prints them. */
export const printableOnTerminal = (text: string): string => (process.stdout.isTTY ? printable(text) : text);

/** One line on standard error. */
export function say(who: string, message: string): void {
  process.stderr.write(`${who}: ${message}\n`);
}

/** Waits for a slow reader, so that output of any length takes little memory. */
export async function print(output: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(output)) await once(process.stdout, 'drain');
}

/**
 * A reader that closes the pipe early (`| head`) causes no message. The work was not finished, though, so the exit code is that
 * of an output error.
 */
export function endOnClosedOutput(who: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') say(who, `standard output: ${systemMessage(error)}`);
    process.exit(1);
  });
  // Standard error is closed: messages are dropped, and the results still count.
  process.stderr.on('error', () => {});
}
