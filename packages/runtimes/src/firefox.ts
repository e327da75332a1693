/** Firefox. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from './browsers.ts';
import { EMPTY_PAGE, PAGE_SCRIPT } from './loopback.ts';
import { beginUnderDebugger } from './marionette.ts';

/** A clock in steps of 0.15 µs instead of 20: either alone changes nothing. For measurements; it changes no answer. */
const CLOCK = {
  'privacy.reduceTimerPrecision': false,
  'privacy.reduceTimerPrecision.unconditional': false,
};

/** No page but ours, no question, and no connection of its own. */
const QUIET = {
  'app.normandy.enabled': false,
  'app.shield.optoutstudies.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.region.update.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.ipc.processPrelaunch.enabled': false,
  'dom.max_script_run_time': 0,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'media.gmp-manager.updateEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.startup.max_resumed_crashes': -1,
  'toolkit.telemetry.enabled': false,
  'trailhead.firstrun.didSeeAboutWelcome': true,
};

interface Variant extends Pick<Browser, 'id' | 'name' | 'remarks'> {
  readonly preferences?: Readonly<Record<string, boolean | number>>;
  /** A driver opens the page, with a debugger attached to it. */
  readonly debugged?: boolean;
}

const profileIn = (folder: string): string => join(folder, 'profile');

function variant({ id, name, remarks, preferences = {}, debugged = false }: Variant): Browser {
  const settings = { ...CLOCK, ...preferences };
  const mode = ['-headless', ...(debugged ? ['-marionette'] : [])];
  return {
    id,
    name,
    candidates: ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'],
    howToGet: 'apt-get install firefox-esr',
    needsDisplay: false,
    settings: { arguments: mode, preferences: settings },
    remarks: ['Its clock has finer steps than for users, by two preferences.', ...remarks],
    async program(path, { folder, url }) {
      const profile = profileIn(folder);
      await mkdir(profile);
      // A free port, which Firefox writes to its profile.
      const port = debugged ? { 'marionette.port': 0 } : {};
      const lines = Object.entries({ ...QUIET, ...settings, ...port }).map(
        ([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});\n`,
      );
      await writeFile(join(profile, 'user.js'), lines.join(''));
      const flags = [...mode, '-no-remote', '-new-instance', '-profile', profile, debugged ? 'about:blank' : url];
      return { path, arguments: flags, environment: { MOZ_CRASHREPORTER_DISABLE: '1' } };
    },
    ...(debugged && {
      begin: ({ folder, url }) =>
        beginUnderDebugger(profileIn(folder), new URL(EMPTY_PAGE, url).href, new URL(PAGE_SCRIPT, url).href),
    }),
  };
}

export const firefox: Browser = variant({ id: 'firefox', name: 'Firefox', remarks: [] });

/** For studies: as Firefox compiles WebAssembly at first, before its optimising compiler replaces the code. */
export const firefoxBaseline: Browser = variant({
  id: 'firefox-baseline',
  name: 'Firefox, baseline compiler',
  remarks: ['Its optimising compiler of WebAssembly is switched off by a preference.'],
  preferences: { 'javascript.options.wasm_optimizingjit': false },
});

/** For studies: as some test drivers use Firefox. */
export const firefoxDebugger: Browser = variant({
  id: 'firefox-debugger',
  name: 'Firefox, debugger attached',
  remarks: ['A driver has attached a debugger to the page.'],
  debugged: true,
});
