/** Native code that knows the right answers, where the machine has it: programs that read questions and print answers. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { unhex, hex } from '../bytes.ts';

/** A text to encrypt, with the mode, key and IV. */
export interface Question {
  readonly mode:
    'cbc' | 'ctr' | 'ocb' | 'adiantum8' | 'adiantum12' | 'adiantum20' | 'hpolyc8' | 'hpolyc12' | 'hpolyc20';
  readonly key: Uint8Array;
  /** IV, counter, nonce or tweak. */
  readonly iv: Uint8Array;
  readonly aad?: Uint8Array;
  readonly text: Uint8Array;
}

export interface Native {
  readonly name: string;
  readonly answers: (question: Question) => boolean;
  readonly ask: (questions: readonly Question[]) => Uint8Array[];
}

const vectors = join(import.meta.dirname, '../../../../../vectors');

/** One line a question: the mode, then key, IV, additional data and text in hexadecimal; `-` is an empty one. */
const lineOf = ({ mode, key, iv, aad = new Uint8Array(0), text }: Question): string =>
  [mode, ...[key, iv, aad, text].map((bytes) => hex(bytes) || '-')].join(' ');

function run(command: string, values: readonly string[], input: string): string[] {
  const { status, error, stdout, stderr } = spawnSync(command, values, { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (error) throw error;
  if (status !== 0) throw new Error(stderr.trim() || `${command} ended with ${status}`);
  return stdout.split('\n').slice(0, -1);
}

function native(
  name: string,
  command: string,
  values: readonly string[],
  answers: (question: Question) => boolean,
): Native {
  const ask = (questions: readonly Question[]): Uint8Array[] => {
    const lines = run(command, values, questions.map((question) => `${lineOf(question)}\n`).join(''));
    if (lines.length !== questions.length)
      throw new Error(`${name} gave ${lines.length} answers to ${questions.length} questions`);
    return lines.map(unhex);
  };
  return { name, answers, ask };
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n').at(-1)!;

/** Serpent by libgcrypt, through Python; or the reason why it is missing. Its OCB takes no nonces below 8 bytes. */
function libgcrypt(): Native | string {
  const found = native('libgcrypt', 'python3', [join(vectors, 'serpent-libgcrypt.py'), '--answer'], ({ mode, iv }) =>
    mode === 'ocb' ? iv.length >= 8 : mode === 'cbc' || mode === 'ctr',
  );
  try {
    found.ask([{ mode: 'ctr', key: new Uint8Array(16), iv: new Uint8Array(16), text: new Uint8Array(1) }]);
    return found;
  } catch (error) {
    return `libgcrypt: ${messageOf(error)}`;
  }
}

/**
 * Adiantum and HPolyC by a Go module, built in a folder; or the reason why it is missing. It pads tweaks of 12, 28, 44 … bytes
 * twice in HPolyC.
 */
function goAdiantum(folder: string): Native | string {
  const program = join(folder, process.platform === 'win32' ? 'adiantum.exe' : 'adiantum');
  try {
    const built = spawnSync('go', ['build', '-o', program, '.'], { cwd: join(vectors, 'adiantum'), encoding: 'utf8' });
    if (built.error) throw built.error;
    if (built.status !== 0) throw new Error(built.stderr.trim());
  } catch (error) {
    return `lukechampine.com/adiantum: ${messageOf(error)}`;
  }
  return native('lukechampine.com/adiantum', program, [], ({ mode, iv }) =>
    mode.startsWith('hpolyc') ? iv.length % 16 !== 12 : mode.startsWith('adiantum'),
  );
}

/** All native programs that the machine has, and the reason for each that is missing. Programs are built in `folder`. */
export function findNatives(folder: string): { readonly natives: Native[]; readonly missing: string[] } {
  const found = [libgcrypt(), goAdiantum(folder)];
  return {
    natives: found.filter((each) => typeof each !== 'string'),
    missing: found.filter((each) => typeof each === 'string'),
  };
}
