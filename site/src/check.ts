/** Checks the built site: every link leads to a file and a place in it, and no page loads anything from another host. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The addresses in a page that a browser loads by itself, or that a reader follows. */
const ADDRESSES = /<(\w+)[^>]*?\s(href|src|srcset|poster|action)="([^"]*)"/g;
/** A reader follows the addresses of these elements; the others are loaded. */
const FOLLOWED = new Set(['a', 'area']);
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
};

const decoded = (text: string): string => text.replaceAll(/&(?:amp|quot|#39|lt|gt);/g, (entity) => ENTITIES[entity]);

/** The findings for one file, in sentences. */
type Trouble = string[];

class Site {
  readonly #folder: string;
  readonly #base: string;
  readonly #files: ReadonlySet<string>;
  readonly #ids = new Map<string, ReadonlySet<string>>();

  constructor(folder: string, base: string) {
    this.#folder = folder;
    this.#base = base;
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    this.#files = new Set(found.map(({ parentPath, name }) => posix.relative(folder, join(parentPath, name))));
  }

  files(ending: string): string[] {
    return [...this.#files].filter((file) => file.endsWith(ending));
  }

  text(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8');
  }

  #idsOf(file: string): ReadonlySet<string> {
    let ids = this.#ids.get(file);
    if (!ids) {
      ids = new Set([...this.text(file).matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id]) => decoded(id)));
      this.#ids.set(file, ids);
    }
    return ids;
  }

  /** The fault of an address of this origin, if there is one. */
  wrong(file: string, address: string): string | undefined {
    const url = new URL(address, `https://site.example${this.#base}${file}`);
    if (!url.pathname.startsWith(this.#base)) return `${address} is outside of the site`;
    const path = decodeURIComponent(url.pathname.slice(this.#base.length));
    const target = [path, posix.join(path, 'index.html')].find((each) => this.#files.has(each));
    if (target === undefined) return `${address} leads to no file`;
    const id = decodeURIComponent(url.hash.slice(1));
    if (id === '' || !target.endsWith('.html')) return undefined;
    return this.#idsOf(target).has(id) ? undefined : `${address} leads to no place in ${target}`;
  }

  page(file: string): Trouble {
    const trouble: Trouble = [];
    // A page without scripts and styles of its own: quoted text there isn't an address.
    const html = this.text(file).replaceAll(/<(script|style)([^>]*)>[\s\S]*?<\/\1>/g, '<$1$2></$1>');
    for (const [, element, attribute, raw] of html.matchAll(ADDRESSES)) {
      const address = decoded(raw);
      if (address.startsWith('data:') || address.startsWith('mailto:')) continue;
      if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(address)) {
        if (!FOLLOWED.has(element)) trouble.push(`<${element} ${attribute}> loads ${address} from another host`);
        continue;
      }
      const wrong = this.wrong(file, address);
      if (wrong !== undefined) trouble.push(wrong);
    }
    return trouble;
  }

  style(file: string): Trouble {
    const addresses = [...this.text(file).matchAll(/(?:url\(|@import\s)\s*["']?([^"')]+)/g)].map(
      ([, address]) => address,
    );
    return addresses.flatMap((address) => {
      if (address.startsWith('data:')) return [];
      return /^(?:[a-z]+:|\/\/)/i.test(address)
        ? [`loads ${address} from another host`]
        : (this.wrong(file, address) ?? []);
    });
  }
}

/** Throws a list of everything that is wrong; returns a sentence that says how much was looked at. */
export function checkSite(folder: string, base: string = process.env.SITE_BASE ?? '/'): string {
  const site = new Site(folder, base);
  const [pages, styles] = [site.files('.html'), site.files('.css')];
  const trouble = [
    ...pages.flatMap((file) => site.page(file).map((text) => `${file}: ${text}`)),
    ...styles.flatMap((file) => site.style(file).map((text) => `${file}: ${text}`)),
  ];
  if (trouble.length > 0)
    throw new Error(`the site has ${trouble.length} faults:\n${[...new Set(trouble)].join('\n')}`);
  return `${pages.length} pages and ${styles.length} style sheets: every link leads somewhere, and nothing comes from another host`;
}
