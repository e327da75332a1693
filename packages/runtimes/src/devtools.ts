/** Chromium by its own protocol (DevTools), for actions that a page can't do itself: passkeys, sizes of the window, pictures. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { browse, type Browser } from './browsers.ts';

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

/** Opens a page in Chromium, of this configuration, and does some work with it. */
export async function withDevTools(
  chromium: Browser,
  path: string,
  url: string,
  work: (page: DevTools) => Promise<void>,
): Promise<void> {
  let profile: (folder: string) => void = () => undefined;
  const found = new Promise<string>((resolve) => (profile = resolve));
  const browser: Browser = {
    ...chromium,
    async program(program, session) {
      profile(join(session.folder, 'profile'));
      const plain = await chromium.program(program, session);
      return { ...plain, arguments: ['--remote-debugging-port=0', ...(plain.arguments ?? [])] };
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

/** An authenticator without a person, for the command `WebAuthn.addVirtualAuthenticator`: its passkeys have the extension PRF. */
export const AUTHENTICATOR = {
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  hasPrf: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
};
