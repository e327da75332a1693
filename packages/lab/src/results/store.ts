/**
 * The storage of results. During a run each message is appended to a file as a line, so that a run that is killed keeps
 * all its findings; at the end the lines become one JSON file.
 */
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Message } from '../client/messages.ts';
import { writeWhole } from '../whole-file.ts';
import { assembly } from './assemble.ts';
import { lineOf, type Line } from './lines.ts';
import { parseResult, ResultError, type EngineRecord, type Header, type MissingRecord, type Result } from './schema.ts';

export type Store = ReturnType<typeof createStore>;

/** Begins a file of lines, which must not exist yet. */
export function createStore(path: string, run: Header) {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'ax');
  const assembled = assembly();
  let sessions = 0;
  const write = (line: Line): void => {
    // One call of the operating system for each line: lines of two sessions do not mix, and survive this process.
    appendFileSync(file, `${JSON.stringify(line)}\n`);
    assembled.add(line);
  };
  write({ line: 'run', run });
  return {
    engine: (record: EngineRecord): void => write({ line: 'engine', engine: record }),
    missing: (record: MissingRecord): void => write({ line: 'missing', engine: record }),
    /** Begins a session of an engine; the function that it returns takes the messages. */
    session(engine: string, seed: number): (message: Message) => void {
      const session = sessions++;
      write({ line: 'session', session, engine, seed, startedAt: new Date().toISOString() });
      return (message) => {
        if (message.type !== 'progress') write({ line: 'message', session, message });
      };
    },
    end(loadAfter?: number): void {
      write({ line: 'end', endedAt: new Date().toISOString(), ...(loadAfter !== undefined && { loadAfter }) });
      closeSync(file);
    },
    /** The result so far. */
    result: (): Result => assembled.result(),
  };
}

/** Writes the whole file or nothing. */
export function writeResult(path: string, result: Result): void {
  mkdirSync(dirname(path), { recursive: true });
  writeWhole(path, `${JSON.stringify(result)}\n`);
}

/** Reads either kind of file: a result, or the lines of a run. */
export function readResult(path: string): Result {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ResultError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  return parseResult(content.startsWith('{"line":') ? fromLines(content, path) : fromJson(content, path), path);
}

function fromJson(content: string, path: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new ResultError(`${path} is not JSON: ${(error as Error).message.split('\n')[0]}`, { cause: error });
  }
}

function fromLines(content: string, path: string): Result {
  const assembled = assembly();
  const lines = content.split('\n');
  // After the last newline there is nothing, or an incomplete line of a process that was killed.
  const whole = lines.slice(0, -1);
  for (const [i, line] of whole.entries()) {
    try {
      assembled.add(lineOf(line));
    } catch (error) {
      if (!(error instanceof ResultError)) throw error;
      throw new ResultError(`${basename(path)}, line ${i + 1}: ${error.message}`, { cause: error });
    }
  }
  return assembled.result();
}
