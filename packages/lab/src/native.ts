/**
 * Native yardsticks: the official crate of BLAKE3, restricted to certain vectors, ciphers of C libraries that the
 * machine has, and disk encryption of a Go module. Each runs in its own process, which works and reads the clock batch
 * by batch while this process waits, so that it takes its turns in the sampler like every other contestant.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { failureOf } from '../../runtimes/src/failure.ts';
import { lab } from './host.ts';

const folder = join(lab, 'native');

export interface Level {
  readonly name: 'SSE4.1' | 'AVX2' | 'AVX-512';
  /** The feature of the program and of the crate in it; the program reports it in capitals. */
  readonly feature: string;
}

export const levels: readonly Level[] = [
  { name: 'SSE4.1', feature: 'sse41' },
  { name: 'AVX2', feature: 'avx2' },
  { name: 'AVX-512', feature: 'avx512' },
];

const targetOf = ({ feature }: Level): string => join(lab, '.cache/native', feature);
const programOf = (level: Level): string =>
  join(targetOf(level), 'release', process.platform === 'win32' ? 'yardstick.exe' : 'yardstick');

/** Throws if the compiler is not installed, or with the first line of its error. */
async function compile(compiler: string, home: string, cwd: string, values: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(compiler, ['build', ...values], { cwd, timeout: 300_000 });
  } catch (error) {
    const isMissing = (error as { code?: unknown }).code === 'ENOENT';
    throw new Error(isMissing ? `${compiler} is not installed (${home})` : failureOf(error, 0, 1), { cause: error });
  }
}

/** Builds the official crate and the program that calls C libraries, as far as they are not built yet. */
async function buildWithCargo(): Promise<void> {
  for (const level of levels) {
    const values = ['--release', '--quiet', '--features', level.feature, '--target-dir', targetOf(level)];
    await compile('cargo', 'https://rustup.rs', folder, values);
  }
}

/** Builds the Go program for disk encryption, if it is not built yet. */
const buildWithGo = (): Promise<void> => compile('go', 'https://go.dev', join(folder, 'disk'), ['-o', goProgram, '.']);

/** Builds all native programs. Returns a sentence for each compiler that could not. */
export async function buildNative(): Promise<readonly string[]> {
  const results = await Promise.allSettled([buildWithCargo(), buildWithGo()]);
  const missing = ['the official crate and C libraries are not measured', 'the Go module is not measured'];
  return results.flatMap((result, i) =>
    result.status === 'rejected' ? [`${missing[i]}: ${(result.reason as Error).message}`] : [],
  );
}

/** The reason why a level cannot be measured here, or undefined. */
export function noNative(level: Level): string | undefined {
  if (process.platform === 'win32') return 'it is timed through named pipes, which Windows has not';
  if (!existsSync(programOf(level))) return 'the official crate is not built, for which cargo is needed';
  const { stdout, error } = spawnSync(programOf(level), { encoding: 'utf8' });
  if (error) return error.message;
  return stdout.trim() === level.feature.toUpperCase() ? undefined : `here the official crate uses ${stdout.trim()}`;
}

/** A cipher of a C library, or of a Go module, under the names that its program in `native/` knows. */
export interface NativeCipher {
  readonly library: 'libsodium' | 'libgcrypt' | 'adiantum';
  readonly operation: string;
}

const goProgram = join(lab, '.cache/native', process.platform === 'win32' ? 'disk.exe' : 'disk');

/** Any level will do: C libraries detect the processor themselves. */
const host = levels[0];
const programWith = (library: NativeCipher['library']): { readonly path: string; readonly compiler: string } =>
  library === 'adiantum' ? { path: goProgram, compiler: 'go' } : { path: programOf(host), compiler: 'cargo' };

/** The version that the library reports, or the reason why it is not available. */
export function findCipher({ library, operation }: NativeCipher): { version: string } | { missing: string } {
  if (process.platform === 'win32') return { missing: 'it is timed through named pipes, which Windows has not' };
  const { path, compiler } = programWith(library);
  if (!existsSync(path)) return { missing: `the program that times it is not built, for which ${compiler} is needed` };
  const { status, stdout, stderr } = spawnSync(path, [library, operation], { encoding: 'utf8' });
  if (status === 0) return { version: stdout.trim() };
  return { missing: /error: "([^"]*)"/.exec(stderr)?.[1] ?? `there is no ${library}` };
}

/** A level of the official crate, or a cipher with its key and nonce; both are sent before the message. */
export type NativeTask =
  Level | { readonly cipher: NativeCipher; readonly key: Uint8Array; readonly nonce: Uint8Array };

/** The program with a message, waiting for its turns. */
export class Native {
  readonly #requests: number;
  readonly #answers: number;
  readonly #answer = new DataView(new ArrayBuffer(40));

  constructor(task: NativeTask, message: Uint8Array) {
    const pipes = mkdtempSync(join(tmpdir(), 'lanewise-native-'));
    const [requests, answers] = [join(pipes, 'requests'), join(pipes, 'answers')];
    try {
      const { status, stderr } = spawnSync('mkfifo', [requests, answers], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`mkfifo: ${stderr}`);
      // Opened for reading and writing, so that neither end waits for the other.
      this.#requests = openSync(requests, 'r+');
      this.#answers = openSync(answers, 'r+');
      const values = [requests, answers, String(message.length)];
      const options = { stdio: 'ignore' } as const;
      // When this process ends, its end of the pipe closes, and the program ends as well.
      if ('cipher' in task) {
        const { library, operation } = task.cipher;
        spawn(programWith(library).path, [...values, library, operation], options).unref();
        this.#send(task.key);
        this.#send(task.nonce);
      } else {
        spawn(programOf(task), values, options).unref();
      }
      this.#send(message);
      this.time(0);
    } finally {
      // Both processes have the pipes open now.
      rmSync(pipes, { recursive: true, force: true });
    }
  }

  #send(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#requests, bytes, at);
  }

  /** Runs `count` operations; returns their milliseconds. */
  time(count: number): number {
    writeSync(this.#requests, Uint32Array.of(count));
    for (let at = 0; at < this.#answer.byteLength;) {
      at += readSync(this.#answers, this.#answer, at, this.#answer.byteLength - at, null);
    }
    return this.#answer.getFloat64(0, true) / 1e6;
  }

  /** BLAKE3 of the message, or of the last output of a cipher. */
  get digest(): Uint8Array {
    return new Uint8Array(this.#answer.buffer, 8);
  }

  /** Closes the pipes, which ends the program. */
  end(): void {
    closeSync(this.#requests);
    closeSync(this.#answers);
  }
}
