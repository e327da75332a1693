/** Chromium by its own protocol (DevTools), for actions that a page can't do itself: passkeys, sizes of the window, pictures. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { browse, type Browser } from '../../../packages/runtimes/src/browsers.ts';
import { saving } from './browsers.ts';
import { chromium } from '../../../packages/runtimes/src/chromium.ts';

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export class DevTools {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #count = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = JSON.parse(data as string) as Message;
      if (id === undefined) return;
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(result);
    });
  }

  /** Connects to the first page of a browser with this profile. */
  static async connect(profile: string): Promise<DevTools> {
    for (let tries = 0; tries < 300; tries++) {
      await after(100);
      const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
      const [port, path] = text.split('\n');
      if (!path) continue;
      const pages = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
        type: string;
        webSocketDebuggerUrl: string;
      }[];
      const page = pages.find(({ type }) => type === 'page');
      if (!page) continue;
      const socket = new WebSocket(page.webSocketDebuggerUrl);
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve);
        socket.addEventListener('error', () => reject(new Error('no connection to Chromium')));
      });
      return new DevTools(socket);
    }
    throw new Error('Chromium does not listen');
  }

  send(method: string, parameters: object = {}): Promise<unknown> {
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params: parameters }));
    });
  }

  /** The value of an expression in the page. Promises are waited for. */
  async evaluate(expression: string): Promise<unknown> {
    const options = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const { result, exceptionDetails } = (await this.send('Runtime.evaluate', options)) as {
      result: { value?: unknown };
      exceptionDetails?: { exception?: { description?: string } };
    };
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'the page threw');
    return result.value;
  }

  /** Waits until an expression is true. */
  async until(expression: string, milliseconds = 30_000): Promise<void> {
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      if (await this.evaluate(expression).catch(() => false)) return;
      await after(50);
    }
    throw new Error(`waited in vain for ${expression}`);
  }

  close(): void {
    this.#socket.close();
  }
}

/** Opens a page in Chromium, and does some work with it. */
export async function inChromium(
  path: string,
  url: string,
  downloads: string,
  work: (page: DevTools) => Promise<void>,
): Promise<void> {
  const plain = saving(chromium, downloads, ['--remote-debugging-port=0']);
  let profile: (folder: string) => void = () => undefined;
  const found = new Promise<string>((resolve) => (profile = resolve));
  const browser: Browser = {
    ...plain,
    program(program, session) {
      profile(join(session.folder, 'profile'));
      return plain.program(program, session);
    },
  };
  let failure: Error | undefined;
  const done = found
    .then((folder) => DevTools.connect(folder))
    .then((page) => work(page).finally(() => page.close()))
    .catch((error: unknown) => {
      failure = error as Error;
    });
  await browse(browser, path, url, done);
  if (failure) throw failure;
}

/** An expression that chooses files in the page; they are expressions, too. */
export const choose = (...files: readonly string[]): string => `{
  const transfer = new DataTransfer();
  for (const file of [${files.join(', ')}]) transfer.items.add(file);
  const input = document.getElementById('file-input');
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}`;

/** An expression that clicks an element. */
export const click = (selector: string): string => `document.querySelector(${JSON.stringify(selector)}).click()`;
