/** The pages as VitePress takes them: the Markdown files of the repository, with links that lead to pages of the site. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';
import { LAB_HEADERS } from '../../packages/lab/src/lab/serve.ts';
import { buildPage } from '../../packages/lab/src/page/build.ts';
import { reportHtml } from '../../packages/lab/src/report/report.ts';
import { readResult } from '../../packages/lab/src/results/store.ts';
import { buildApp } from '../app/build.ts';
import { rule } from '../app/headers-file.ts';
import { homePage } from './home.ts';
import { withLinks, type Link } from './links.ts';
import { appUrl, pages, root, siteUrl, type Page } from './pages.ts';
import { refuseIncludes } from './plain-markdown.ts';

/** Not committed. */
export const siteFolder: string = join(import.meta.dirname, '..');
export const pagesFolder: string = join(siteFolder, '.cache/pages');
const publicFolder = join(pagesFolder, 'public');

/** Images are part of the site as they are. */
const IMAGE = /\.(?:svg|png|jpe?g|webp|gif)$/;
/** The page that measures a browser: a link to its source leads to the page built from it. */
const LAB_PAGE = 'packages/lab/src/page/index.html';
/** A link to a result of the lab leads to its report. */
const RESULT = /^docs\/measurements\/([^/]+)\/results\.json$/;
/** Its links are written as those of the main README, whose parts it has. */
const HOME: Page = { file: 'README.md', path: 'index' };
/** A linked file of code is shown up to this length. */
const MOST_SHOWN = 200_000;
const LANGUAGES: Readonly<Record<string, string>> = { '.mjs': 'js', '.cjs': 'js', '.yml': 'yaml', '.sh': 'sh' };

function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Where an image has its place: `docs/speed.svg` is `speed.svg`. */
const placeOf = (file: string): string => file.replace(/^docs\//, '');

/** The place of a page that the site makes of a file, and that isn't a page of VitePress. */
function builtOf(file: string): string | undefined {
  if (file === LAB_PAGE) return 'lab/index.html';
  const day = RESULT.exec(file)?.[1];
  return day === undefined ? undefined : `measurements/${day}/report.html`;
}

/** The targets of links that aren't pages. */
class Linked {
  readonly #pages: ReadonlyMap<string, Page>;
  readonly #shown = new Map<string, Page>();
  readonly #images = new Set<string>();
  /** The days of the results whose reports are linked. */
  readonly #days = new Set<string>();

  constructor(found: readonly Page[]) {
    this.#pages = new Map(found.map((page) => [page.file, page]));
  }

  /** The end of a link, from its opening bracket on. */
  lead(from: Page, { target, fragment }: Link): string {
    const file = this.#fileOf(from, target);
    const page = this.#pages.get(file);
    if (page) return `(/${page.path}.md${fragment})`;
    if (IMAGE.test(file)) {
      this.#images.add(file);
      return `(/${placeOf(file)})`;
    }
    const built = builtOf(file);
    if (built !== undefined) {
      const day = RESULT.exec(file)?.[1];
      if (day !== undefined) this.#days.add(day);
      // VitePress's router must leave it alone.
      return `(${posix.relative(posix.dirname(from.path), built)}${fragment}){target="_self"}`;
    }
    const shown = { file, path: `files/${file.replace(/\.md$/, '')}` };
    this.#shown.set(file, shown);
    return `(/${shown.path}.md${fragment})`;
  }

  /** A folder is its README. */
  #fileOf(from: Page, target: string): string {
    const path = join(root, target);
    if (target.startsWith('..') || !existsSync(path))
      throw new Error(`${from.file} links to "${target}", which the repository does not have`);
    if (!statSync(path).isDirectory()) return target;
    const readme = `${target}/README.md`;
    if (!existsSync(join(root, readme)))
      throw new Error(`${from.file} links to the folder "${target}", which has no README.md`);
    return readme;
  }

  async write(): Promise<void> {
    for (const file of this.#images) {
      const path = join(publicFolder, placeOf(file));
      mkdirSync(dirname(path), { recursive: true });
      copyFileSync(join(root, file), path);
    }
    const result = (day: string): string => join(root, `docs/measurements/${day}/results.json`);
    const days = [...this.#days].sort();
    for (const [i, day] of days.entries()) {
      const beside = i > 0 ? readResult(result(days[i - 1])) : undefined;
      const html = await reportHtml(readResult(result(day)), { jsonName: 'results.json', beside });
      write(join(publicFolder, `measurements/${day}/report.html`), reportOnSite(html));
    }
    for (const { file, path } of this.#shown.values()) write(join(pagesFolder, `${path}.md`), codePage(file));
  }
}

/** The text with one part replaced. Throws if the part is not there. */
function replaced(text: string, part: string, by: string): string {
  if (!text.includes(part)) throw new Error(`a page of the site expected ${JSON.stringify(part)}`);
  return text.replace(part, () => by);
}

const ICON = '<link rel="icon" href="data:,"';

/** A report is complete in itself. On the site it has the site's icon, and ways back. */
function reportOnSite(html: string): string {
  const links = [
    ['Lanewise', '../../index.html'],
    ['how this is measured', '../../guides/measuring.html'],
    ['all measurements', '../../measurements.html'],
    ['studies', '../../studies.html'],
  ].map(([text, address]) => `<a href="${address}">${text}</a>`);
  const back = `<header>\n<p class="soft">${links.join(' · ')}</p>`;
  return replaced(
    replaced(html, '<header>', back),
    ICON,
    '<link rel="icon" type="image/svg+xml" href="../../logo.svg"',
  );
}

/** The page that measures a browser, likewise. */
function labOnSite(html: string): string {
  const links =
    '<a href="../index.html">Lanewise</a> · <a href="../guides/measuring.html">How Lanewise is measured</a> · <a href="licences.txt">';
  const withBack = replaced(html, '<a href="licences.txt">', links);
  return replaced(withBack, ICON, '<link rel="icon" type="image/svg+xml" href="../logo.svg"');
}

/** A page that shows a file of the repository. */
export function codePage(file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  if (text.length > MOST_SHOWN)
    throw new Error(`${file} has ${text.length} characters; the site shows up to ${MOST_SHOWN}`);
  refuseIncludes(text, file);
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const ending = extname(file);
  const language = LANGUAGES[ending] ?? ending.slice(1);
  return `---\noutline: false\nsearch: false\n---\n\n# ${file}\n\n${fence}${language}\n${text}\n${fence}\n`;
}

/** For all pages. Each page has a stricter policy in itself, which names its scripts by their hashes. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The headers that hosts send if a file `_headers` names them (Cloudflare Pages, Netlify), and `npm run site` does. */
export const headersFile = (): string =>
  rule('/*', PAGE_HEADERS) + rule('/lab/*', LAB_HEADERS, Object.keys(LAB_HEADERS));

/** Puts the page that measures a browser beside the pages, and builds the app, which has a folder and an origin of its own. */
export async function writeWholeParts(): Promise<void> {
  for (const [name, content] of await buildPage())
    write(
      join(publicFolder, 'lab', name),
      name === 'index.html' ? labOnSite(new TextDecoder().decode(content)) : content,
    );
  writeFileSync(join(publicFolder, '_headers'), headersFile());
  await buildApp(siteUrl());
}

/** Writes all pages but those of the API reference. */
export async function writePages(): Promise<void> {
  rmSync(pagesFolder, { recursive: true, force: true });
  const found = pages();
  const linked = new Linked(found);
  const convert = (page: Page, text: string): void => {
    refuseIncludes(text, page.file);
    const converted = withLinks(text, page.file, (link) => linked.lead(page, link));
    write(join(pagesFolder, `${page.path}.md`), converted);
  };
  for (const page of found) convert(page, readFileSync(join(root, page.file), 'utf8'));
  convert(HOME, homePage(readFileSync(join(root, 'README.md'), 'utf8'), appUrl()));
  await linked.write();
  mkdirSync(publicFolder, { recursive: true });
  copyFileSync(join(siteFolder, 'logo.svg'), join(publicFolder, 'logo.svg'));
}
