/** Opens pages one after the other in one browser, and collects their reports. */
import { browse, type Browser } from '../../../runtimes/src/browsers.ts';
import { serveLocally } from '../../../runtimes/src/loopback.ts';
import { inWords } from '../../../runtimes/src/processes.ts';

/** The result of app/check.js; only `failed` if it threw. */
export interface Checked {
  readonly failed: readonly string[];
  readonly threads?: number;
  readonly running?: number;
  readonly parallel?: boolean;
  readonly reason?: string;
  readonly engine?: string;
  /** Answers of workers. */
  readonly answers?: number;
  readonly isolated?: boolean;
}

/** The slowest page takes a tenth of this time on an idle machine. */
const LIMIT_MILLISECONDS = 240_000;

/** Where pages send their reports. */
export interface Reporter {
  readonly url: string;
  /** The report of each page, in order. A page that says nothing stops those after it. */
  visit(browser: Browser, path: string, pages: readonly string[]): Promise<Checked[]>;
  close(): Promise<void>;
}

export async function reporter(): Promise<Reporter> {
  let received: (report: Checked) => string = () => '';
  const server = await serveLocally({
    headers: { 'access-control-allow-origin': '*' },
    isForAll: true,
    get: () => Promise.resolve(undefined),
    post: (_, text) => received(JSON.parse(text) as Checked),
  });
  const addressed = (page: string): string => `${page}?report=${encodeURIComponent(server.url)}`;

  return {
    url: server.url,
    async visit(browser, path, pages) {
      const reports: Checked[] = [];
      let restart!: () => void;
      let timer: NodeJS.Timeout | undefined;
      let why = `the page said nothing for ${LIMIT_MILLISECONDS / 1000} s`;
      const done = new Promise<void>((resolve) => {
        restart = () => {
          clearTimeout(timer);
          timer = setTimeout(resolve, LIMIT_MILLISECONDS);
        };
        received = (report) => {
          reports.push(report);
          if (reports.length === pages.length) resolve();
          else restart();
          return reports.length < pages.length ? addressed(pages[reports.length]) : '';
        };
      });
      restart();
      try {
        const ending = await browse(browser, path, addressed(pages[0]), done);
        if (ending) why = `the browser ${inWords(ending)}`;
      } finally {
        clearTimeout(timer);
        received = () => '';
      }
      return pages.map(
        (_, i) => reports[i] ?? { failed: [i === reports.length ? why : 'a page before it said nothing'] },
      );
    },
    close: () => server.close(),
  };
}
