/** Questions at the terminal, without echo. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { Failure } from '../command.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const END_OF_TRANSMISSION = 4;
const BACKSPACE = 8;
const DELETE = 127;
const LINE_KILL = 21;

/** Keys for which a terminal sends a signal, which in raw mode this program has to send: Ctrl-C, Ctrl-Z, Ctrl-\. */
const SIGNALS: ReadonlyMap<number, NodeJS.Signals> = new Map([
  [3, 'SIGINT'],
  [26, 'SIGTSTP'],
  [28, 'SIGQUIT'],
]);

/** The controlling terminal, or standard input if that is one. */
function openTerminal(): { readonly input: number; readonly output: number; close(): void } {
  try {
    const descriptor = openSync('/dev/tty', 'r+');
    return { input: descriptor, output: descriptor, close: () => closeSync(descriptor) };
  } catch {
    if (process.stdin.isTTY) return { input: 0, output: 2, close() {} };
    throw new Failure('there is no terminal to ask for the passphrase; AGE_PASSPHRASE or AGE_PASSPHRASE_FD gives it');
  }
}

/** Whether a question can be asked. */
export function hasTerminal(): boolean {
  try {
    openTerminal().close();
    return true;
  } catch {
    return false;
  }
}

/** Writes a line to the terminal, and to nowhere else. */
export function tell(line: string): void {
  const terminal = openTerminal();
  try {
    writeSync(terminal.output, `${line}\n`);
  } finally {
    terminal.close();
  }
}

/** Reads a line from the terminal without echo. An interrupt ends the process, and Ctrl-Z suspends it, as anywhere. */
export function askSecretly(question: string): string {
  const terminal = openTerminal();
  const stream = new ReadStream(terminal.input);
  const line: number[] = [];
  const begin = (): void => {
    // First, because an answer may come as soon as the question is there.
    stream.setRawMode(true);
    writeSync(terminal.output, question);
  };
  try {
    begin();
    const byte = new Uint8Array(1);
    for (;;) {
      if (readOne(terminal.input, byte) === 0) throw new Failure('the terminal was closed');
      const [key] = byte;
      byte[0] = 0;
      if (key === LINE_FEED || key === CARRIAGE_RETURN) break;
      const signal = SIGNALS.get(key);
      if (signal !== undefined) {
        // Earlier input is dropped, as terminals do.
        line.fill(0).splice(0);
        stream.setRawMode(false);
        writeSync(terminal.output, '\n');
        process.kill(process.pid, signal);
        if (signal !== 'SIGTSTP') throw new Failure('interrupted');
        // In the foreground again.
        begin();
      } else if (key === END_OF_TRANSMISSION && line.length === 0) throw new Failure('no passphrase was given');
      else if (key === DELETE || key === BACKSPACE) dropCharacter(line);
      else if (key === LINE_KILL) line.fill(0).splice(0);
      else line.push(key);
    }
    return textOf(line);
  } finally {
    line.fill(0);
    stream.setRawMode(false);
    writeSync(terminal.output, '\n');
    // Standard input belongs to its next reader.
    if (terminal.input !== 0) stream.destroy();
    else stream.pause();
  }
}

/** Refused when the line is complete, so that the rest of a key's sequence is not typed at the shell. */
function textOf(line: readonly number[]): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(line));
  } catch (error) {
    throw new Failure('the passphrase is not valid UTF-8', { cause: error });
  }
  if (/\p{Cc}/u.test(text))
    throw new Failure(
      'a control character was typed, by Tab, Escape or an arrow perhaps, which the screen does not show: type the passphrase again; AGE_PASSPHRASE takes one with such characters',
    );
  return text;
}

/** A terminal may be set to answer at once that there is nothing yet. */
function readOne(descriptor: number, byte: Uint8Array): number {
  for (;;) {
    try {
      return readSync(descriptor, byte);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Removes the last character of UTF-8. */
function dropCharacter(line: number[]): void {
  while (line.length && (line.pop()! & 0xc0) === 0x80);
}
