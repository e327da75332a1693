/** Browsers for the tests: as everywhere in the project, and with a folder for downloads, about which they do not ask. */
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from '../../../packages/runtimes/src/browsers.ts';
import { chromium } from '../../../packages/runtimes/src/chromium.ts';
import { firefox } from '../../../packages/runtimes/src/firefox.ts';
import { webkit } from '../../../packages/runtimes/src/webkit.ts';

async function chromiumProfile(folder: string, downloads: string): Promise<void> {
  const profile = join(folder, 'profile/Default');
  await mkdir(profile, { recursive: true });
  const preferences = {
    download: { default_directory: downloads, prompt_for_download: false },
    profile: { default_content_setting_values: { automatic_downloads: 1 } },
  };
  await writeFile(join(profile, 'Preferences'), JSON.stringify(preferences));
}

async function firefoxProfile(folder: string, downloads: string): Promise<void> {
  const preferences = {
    'browser.download.folderList': 2,
    'browser.download.dir': downloads,
    'browser.download.useDownloadDir': true,
    'browser.download.always_ask_before_handling_new_types': false,
    'browser.download.alwaysOpenPanel': false,
  };
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  await appendFile(join(folder, 'profile/user.js'), lines.join(''));
}

async function webkitProfile(folder: string, downloads: string): Promise<void> {
  const config = join(folder, 'home/.config');
  await mkdir(config, { recursive: true });
  await writeFile(join(config, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
}

/** The browser, that saves downloads in this folder. */
export function saving(browser: Browser, downloads: string): Browser {
  // All configurations of Firefox have its profile.
  const [name] = browser.id.split('-') as ['chromium' | 'firefox' | 'webkit'];
  const prepare = { chromium: chromiumProfile, firefox: firefoxProfile, webkit: webkitProfile }[name];
  return {
    ...browser,
    async program(path, session) {
      const program = await browser.program(path, session);
      await prepare(session.folder, downloads);
      return { ...program, arguments: (program.arguments ?? []).filter((one) => one !== '--private') };
    },
  };
}

export const browsers: readonly Browser[] = [chromium, firefox, webkit];
