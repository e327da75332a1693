/**
 * Firefox as a test driver has it: with a debugger attached to the page. Marionette is the protocol of its drivers: messages
 * of JSON with their lengths in front of them, over a socket of this machine.
 */
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

const PATIENCE_MILLISECONDS = 60_000;

/** Firefox writes the port that it has chosen to this file of its profile. */
async function portIn(profile: string): Promise<number> {
  const until = Date.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    const text = await readFile(join(profile, 'MarionetteActivePort'), 'utf8').catch(() => '');
    const port = Number(text.trim());
    if (port > 0) return port;
    if (Date.now() > until) throw new Error('Firefox opened no port for Marionette');
    await after(50, undefined, { ref: false });
  }
}

type Answer = readonly [type: 1, id: number, error: { readonly message: string } | null, result: unknown];

class Marionette {
  readonly #socket: Socket;
  readonly #waiting = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >();
  #id = 0;
  #data: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (more) => this.#take(more as Buffer));
    const end = (): void => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Firefox closed the connection of its driver'));
      this.#waiting.clear();
    };
    socket.on('close', end).on('error', end);
  }

  static async open(port: number): Promise<Marionette> {
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve()).once('error', reject);
    });
    return new Marionette(socket);
  }

  #take(more: Buffer): void {
    this.#data = Buffer.concat([this.#data, more]);
    for (;;) {
      const colon = this.#data.indexOf(':');
      if (colon < 0) return;
      const length = Number(this.#data.subarray(0, colon).toString());
      const end = colon + 1 + length;
      if (this.#data.length < end) return;
      const message = JSON.parse(this.#data.subarray(colon + 1, end).toString()) as unknown;
      this.#data = this.#data.subarray(end);
      // The first message is Firefox's greeting, which isn't a list.
      if (Array.isArray(message)) this.#answer(message as unknown as Answer);
    }
  }

  #answer([, id, error, result]: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }

  send(command: string, parameters: object = {}): Promise<unknown> {
    const id = ++this.#id;
    const text = Buffer.from(JSON.stringify([0, id, command, parameters]));
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.write(Buffer.concat([Buffer.from(`${text.length}:`), text]));
    });
  }
}

/**
 * Runs in the page's process with the rights of the browser: makes the page's window a debuggee, as drivers do that want
 * to stop in it, and then lets the page begin. WebAssembly that is compiled from then on is of the baseline compiler,
 * because code that a debugger may stop needs its values where the debugger looks for them.
 */
const attachAndBegin = (script: string): string => `
  const { addDebuggerToGlobal } = ChromeUtils.importESModule('resource://gre/modules/jsdebugger.sys.mjs');
  addDebuggerToGlobal(globalThis);
  globalThis.attached = new Debugger();
  attached.onDebuggerStatement = () => undefined;
  attached.addDebuggee(window);
  const element = document.createElement('script');
  element.type = 'module';
  element.src = ${JSON.stringify(script)};
  document.body.append(element);
`;

/** Opens an empty page, attaches a debugger to it, and begins `script` in it. */
export async function beginUnderDebugger(profile: string, emptyPage: string, script: string): Promise<void> {
  const driver = await Marionette.open(await portIn(profile));
  await driver.send('WebDriver:NewSession');
  await driver.send('WebDriver:Navigate', { url: emptyPage });
  await driver.send('WebDriver:ExecuteScript', { script: attachAndBegin(script), args: [], sandbox: 'system' });
}
