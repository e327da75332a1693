/** A browser as an engine: started with a fresh profile and a page of this machine, which posts the messages. */
import { browse, findBrowser, type Browser } from '../../../runtimes/src/browsers.ts';
import type { Engine } from './engine.ts';
import { servePage } from './page-server.ts';
import { inWords } from '../../../runtimes/src/processes.ts';
import { conduct, pathBy, remembered } from './session.ts';

export function browserEngine(browser: Browser): Engine {
  const { id, name, settings, remarks } = browser;
  const find = remembered(() => findBrowser(browser));
  return {
    id,
    name,
    settings,
    remarks,
    find,
    run: (task, options, onMessage, signal) =>
      conduct({ task, options, onMessage, signal }, async (receive, over) => {
        const path = await pathBy(find);
        const server = await servePage(task, options, receive);
        try {
          const ending = await browse(browser, path, server.url, over);
          return ending ? inWords(ending) : 'was ended';
        } finally {
          await server.close();
        }
      }),
  };
}
