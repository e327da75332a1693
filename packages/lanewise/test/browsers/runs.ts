/** One run of the suite: in a browser in one mode, or in workerd. Never rejects: errors are failures of files. */
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { browse, type Browser } from '../../../runtimes/src/browsers.ts';
import { inWords, start } from '../../../runtimes/src/processes.ts';
import { serveWorkers, type Worker } from '../../../runtimes/src/workerd-server.ts';
import type { Bundle } from './bundle.ts';
import { broken, queryOf, type Result, type Surroundings } from './page/messages.ts';
import { serve } from './server.ts';
import type { Mode } from './suite.ts';

/** The slowest file takes a twentieth of this time on an idle machine. */
const LIMIT_SECONDS = 600;

export type Runner = (bundle: Bundle, mode: Mode, files: readonly string[]) => Promise<Result[]>;

/** A timer that expires unless it is restarted in time. */
class Watchdog {
  readonly expired: Promise<void>;
  #expire!: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.expired = new Promise((resolve) => (this.#expire = resolve));
    this.restart();
  }
  restart(): void {
    this.stop();
    this.#timer = setTimeout(this.#expire, LIMIT_SECONDS * 1000);
  }
  stop(): void {
    clearTimeout(this.#timer);
  }
}

export const runInBrowser =
  (browser: Browser, path: string): Runner =>
  async ({ folder }, { place, engines, isolated, headers }, files) => {
    const results: Result[] = [];
    const watchdog = new Watchdog();
    let why = 'the page was not opened';
    let finish!: () => void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const server = await serve(folder, { files, place, engines, isolated }, headers, {
      started(file) {
        why = `there was no answer for ${LIMIT_SECONDS} s while ${file} ran`;
        watchdog.restart();
      },
      result: (result) => void results.push(result),
      done: finish,
    });
    try {
      const ending = await browse(browser, path, server.url, Promise.race([finished, watchdog.expired]));
      if (ending) why = `the browser ${inWords(ending)}`;
    } catch (error) {
      why = String(error);
    } finally {
      watchdog.stop();
      await server.close();
    }
    const missing = files.filter((name) => !results.some(({ file }) => file === name));
    return [...results, ...missing.map((file) => broken(file, why))];
  };

/**
 * Bun, Deno, or Node under an emulator: a process for each file. Options, and the arguments of an emulator, are `before` the
 * program.
 */
export const runInProcess =
  (path: string, before: readonly string[], emulated: boolean): Runner =>
  async ({ folder }, { engines, isolated }, files) => {
    const surroundings: Surroundings = { engines, isolated, emulated };
    const results: Result[] = [];
    for (const file of files) {
      const program = [...before, join(folder, 'program.js'), file, JSON.stringify(surroundings)];
      const watchdog = new Watchdog();
      try {
        const running = await start({ path, arguments: program }, ['ignore', 'pipe', 'pipe']);
        void watchdog.expired.then(() => running.stop());
        const said = await text(running.child.stdout!);
        const ending = await running.ended;
        // Tests may print lines before it.
        const [last = ''] = said.trimEnd().split('\n').slice(-1);
        results.push(last ? (JSON.parse(last) as Result) : broken(file, `the process ${inWords(ending)}`));
        await running.stop();
      } catch (error) {
        results.push(broken(file, String(error)));
      } finally {
        watchdog.stop();
      }
    }
    return results;
  };

/** More copies than any file loads. */
const MOST_RELOADS = 100;

/** One worker for each file, like the realms in browsers. */
function workersOf({ folder, needs, reloads }: Bundle, files: readonly string[]): Worker[] {
  const moduleOf = (name: string) => ({ name, file: join(folder, name) });
  const again = Array.from({ length: MOST_RELOADS }, (_, i) => ({
    name: `again/${i}.js`,
    file: join(folder, 'again.js'),
  }));
  return files.map((file) => {
    const entries = ['worker.js', `files/${file}.js`];
    const names = new Set([...entries, ...entries.flatMap((name) => [...needs(name)])]);
    return { name: file, modules: [...[...names].map(moduleOf), ...(reloads(file) ? again : [])] };
  });
}

export const runInWorkerd =
  (path: string): Runner =>
  async (bundle, mode, files) => {
    const ask = async (file: string, url: string): Promise<Result> => {
      const started = performance.now();
      try {
        const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_SECONDS * 1000) });
        const text = await response.text();
        if (!response.ok) return broken(file, text.slice(0, 1000));
        // The clock of workerd stands still while code runs.
        return { ...(JSON.parse(text) as Result), milliseconds: performance.now() - started };
      } catch (error) {
        return broken(file, String(error));
      }
    };
    try {
      const serving = await serveWorkers(path, workersOf(bundle, files));
      try {
        const results: Result[] = [];
        for (const file of files) results.push(await ask(file, `${serving.urls.get(file)!}?${queryOf(file, mode)}`));
        return results;
      } finally {
        await serving.stop();
      }
    } catch (error) {
      return files.map((file) => broken(file, String(error)));
    }
  };
