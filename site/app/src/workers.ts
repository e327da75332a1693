/** The workers of the app. Trusted Types allow these scripts and no others. */
import { createPool, type Pool } from 'lanewise/pool.js';

const SCRIPTS = ['worker.js', 'file-writer.js', 'service-worker.js'] as const;
type Script = (typeof SCRIPTS)[number];

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
/** By their names: the hashes of the files that belong to this page. The service worker of another version refuses them. */
declare const WORKERS: Readonly<Record<string, string>>;

function urlOf(script: Script): string {
  const url = new URL(script, document.baseURI);
  if (Object.hasOwn(WORKERS, script)) url.search = encodeURIComponent(WORKERS[script]);
  return url.href;
}
const policy = trustedTypes?.createPolicy('lanewise', {
  createScriptURL(url) {
    if (!SCRIPTS.some((script) => urlOf(script) === url)) throw new TypeError('a script that is not of the app');
    return url;
  },
});

/** The address of a script, as the browser accepts it. */
export const scriptUrl = (script: Script): string => {
  const url = urlOf(script);
  return policy?.createScriptURL(url) ?? url;
};

export const startWorker = (script: Script): Worker => new Worker(scriptUrl(script), { type: 'module' });

/** All cores, for everything that the app does. */
export const pool: Pool = createPool({ threshold: 4 * 2 ** 20, spawn: () => startWorker('worker.js') });
