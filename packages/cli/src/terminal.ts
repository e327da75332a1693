/** What the command says, and where: results to standard output, all else to standard error. */
import { once } from 'node:events';
import { systemMessage } from './system-errors.ts';

/** Names that reach a terminal may hold anything; escape sequences and line ends are shown, not obeyed. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character];
    return short ?? `\\u{${character.codePointAt(0)!.toString(16)}}`;
  });

/** Names in results: escaped for the eyes of people, and as they are for programs, as b3sum prints them. */
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
 * A reader that has seen enough (`| head`) closes the pipe: no reason to complain, but the work was not finished, so the
 * exit code is that of an output error.
 */
export function endOnClosedOutput(who: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') say(who, `standard output: ${systemMessage(error)}`);
    process.exit(1);
  });
  // Nobody listens to complaints: the results still count.
  process.stderr.on('error', () => {});
}
