/** Firefox. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from './browsers.ts';

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

export const firefox: Browser = {
  id: 'firefox',
  name: 'Firefox',
  candidates: ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'],
  howToGet: 'apt-get install firefox-esr',
  needsDisplay: false,
  settings: { arguments: ['-headless'], preferences: CLOCK },
  remarks: ['Its clock has finer steps than for users, by two preferences.'],
  async program(path, { folder, url }) {
    const profile = join(folder, 'profile');
    await mkdir(profile);
    const lines = Object.entries({ ...QUIET, ...CLOCK }).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
    await writeFile(join(profile, 'user.js'), lines.join(''));
    const flags = ['-headless', '-no-remote', '-new-instance', '-profile', profile, url];
    return { path, arguments: flags, environment: { MOZ_CRASHREPORTER_DISABLE: '1' } };
  },
};
