/**
 * Browsers without a driver: started with a fresh profile and the address of a page, which itself sends its
 * results. A driver would attach a debugger, and with one Firefox compiles WebAssembly in its slow tier only.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Found, Missing, Settings } from './found.ts';
import { start, temporaryFolder, type Ending, type Program, type Running } from './processes.ts';
import { locate, versionOf } from './programs.ts';

/** The environment of one session. */
export interface Session {
  /** For the profile. */
  readonly folder: string;
  readonly url: string;
}

export interface Browser {
  readonly id: 'chromium' | 'firefox' | 'webkit' | 'firefox-baseline' | 'firefox-debugger';
  readonly name: string;
  /** Where it may be, best first. */
  readonly candidates: readonly string[];
  readonly howToGet: string;
  /** It has no mode without windows: it runs on a virtual X display. */
  readonly needsDisplay: boolean;
  readonly settings: Settings;
  readonly remarks: readonly string[];
  /** How to start it; the files of the profile are written to its folder. */
  program(path: string, session: Session): Promise<Program>;
  /** Begins the page, where the program does not open it itself. */
  begin?(session: Session): Promise<void>;
}

/** Environment variables that hide the user's files from browsers and name folders for their own. */
async function homeIn(folder: string): Promise<Record<string, string>> {
  const places = { HOME: 'home', XDG_RUNTIME_DIR: 'run', TMPDIR: 'tmp' };
  const environment: Record<string, string> = {};
  for (const [name, folderName] of Object.entries(places)) {
    environment[name] = join(folder, folderName);
    await mkdir(environment[name], { mode: 0o700 });
  }
  for (const [name, folderName] of [
    ['XDG_CONFIG_HOME', '.config'],
    ['XDG_CACHE_HOME', '.cache'],
    ['XDG_DATA_HOME', '.local/share'],
  ] as const)
    environment[name] = join(folder, 'home', folderName);
  // No bus of the desktop: it would start services that outlive the session.
  return { ...environment, DBUS_SESSION_BUS_ADDRESS: 'disabled:', NO_AT_BRIDGE: '1' };
}

/** An X server on a display that it picks itself, so that several do not fight for one. */
async function startDisplay(environment: Record<string, string>): Promise<[Running, string]> {
  const flags = ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'];
  // It takes its lock away when it is asked to end.
  const program = { path: 'Xvfb', arguments: flags, environment, askFirst: true };
  const running = await start(program, ['ignore', 'ignore', 'pipe', 'pipe']);
  const pipe = running.child.stdio[3] as NodeJS.ReadableStream;
  const number = new Promise<string>((resolve) => {
    let text = '';
    pipe.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      if (text.includes('\n')) resolve(text.trim());
    });
  });
  const first = await Promise.race([number, running.ended]);
  if (typeof first === 'string') return [running, `:${first}`];
  throw new Error(`Xvfb gave no display: ${first.said}`);
}

/** Runs `work` with the environment that a browser needs, and removes it afterwards. */
async function inHome<T>(
  browser: Browser,
  work: (folder: string, environment: Record<string, string>) => Promise<T>,
): Promise<T> {
  const home = await temporaryFolder();
  let display: Running | undefined;
  try {
    const environment = await homeIn(home.path);
    if (browser.needsDisplay) {
      const [running, number] = await startDisplay(environment);
      display = running;
      environment['DISPLAY'] = number;
    }
    return await work(home.path, environment);
  } finally {
    await display?.stop();
    await home.remove();
  }
}

/** Where a browser is, and its version. */
export async function findBrowser(browser: Browser): Promise<Found | Missing> {
  const { name, howToGet } = browser;
  const path = await locate(browser.candidates);
  if (!path) return { missing: name, howToGet };
  if (browser.needsDisplay && !(await locate(['Xvfb']))) return { missing: 'Xvfb', howToGet };
  try {
    return { path, version: await inHome(browser, (_, environment) => versionOf(path, environment)) };
  } catch (error) {
    return { missing: `a ${name} that starts (${(error as Error).message})`, howToGet };
  }
}

/** Opens a page, and waits until `done` says so, or the browser is gone. Then ends it and removes all that it kept. */
export async function browse(
  browser: Browser,
  path: string,
  url: string,
  done: Promise<void>,
): Promise<Ending | undefined> {
  return inHome(browser, async (folder, environment) => {
    const program = await browser.program(path, { folder, url });
    const running = await start({ ...program, environment: { ...environment, ...program.environment } });
    try {
      const begun = browser.begin?.({ folder, url });
      const failed = new Promise<never>((_, reject) => void begun?.catch(reject));
      const first = await Promise.race([done, running.ended, failed]);
      return first ?? undefined;
    } finally {
      await running.stop();
    }
  });
}
