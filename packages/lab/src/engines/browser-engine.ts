/** A browser as an engine: started with a fresh profile and a page of this machine, which posts the messages. */
import { browse, findBrowser, type Browser } from '../../../runtimes/src/browsers.ts';
import type { Engine } from './engine.ts';
import { servePage } from './page-server.ts';
import { inWords } from '../../../runtimes/src/processes.ts';
import { engineBy } from './session.ts';

export const browserEngine = (browser: Browser): Engine => {
  const { id, name, settings, remarks } = browser;
  return engineBy(
    { id, name, settings, remarks },
    () => findBrowser(browser),
    (path, task, options) => async (receive, over) => {
      const server = await servePage(task, options, receive);
      try {
        const ending = await browse(browser, path, server.url, over);
        return ending ? inWords(ending) : 'was ended';
      } finally {
        await server.close();
      }
    },
  );
};
