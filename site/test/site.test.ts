/** The parts of the site's build: their output, and their errors. */
// Runs in Node only: reads files.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkSite } from '../src/check.ts';
import { homePage } from '../src/home.ts';
import { withLinks } from '../src/links.ts';
import { groups, pathOf, pages, root } from '../src/pages.ts';
import { slug } from '../src/slug.ts';

describe('links of a file', () => {
  const lead = (text: string): string =>
    withLinks(
      text,
      'docs/a/b.md',
      ({ target, fragment, isImage }) => `(<${target}${fragment}${isImage ? ' image' : ''}>)`,
    );

  test.each([
    ['[x](c.md)', '[x](<docs/a/c.md>)'],
    ['[x](../c.md#d)', '[x](<docs/c.md#d>)'],
    ['[x](../../e/)', '[x](<e>)'],
    ['![x](y.svg)', '![x](<docs/a/y.svg image>)'],
    ['[![x](y.svg)](c.md)', '[![x](<docs/a/y.svg image>)](<docs/a/c.md>)'],
    ['[`f[0]`](c.md)', '[`f[0]`](<docs/a/c.md>)'],
    ['[x](c.md), [y](d.md)', '[x](<docs/a/c.md>), [y](<docs/a/d.md>)'],
  ])('%s leads to %s', (text, expected) => expect(lead(text)).toBe(expected));

  test.each([
    '[x](#here)',
    '[x](https://host.example/c.md)',
    '`[x](c.md)`',
    '``[x](c.md) ` ``',
    '```ts\nf[x](c.md);\n```',
    '  ```ts\n  f[x](c.md);\n  ```',
    '<!-- [x](c.md) -->',
  ])('%s stays', (text) => expect(lead(text)).toBe(text));
});

test.each([
  ['Which format', 'which-format'],
  ['`decrypt` or `decryptWhole`', 'decrypt-or-decryptwhole'],
  ['Next.js, with webpack', 'nextjs-with-webpack'],
  ['Content-Security-Policy, Trusted Types', 'content-security-policy-trusted-types'],
])('the fragment of "%s" is %s', (heading, expected) => expect(slug(heading)).toBe(expected));

describe('pages', () => {
  test.each([
    ['docs/guide/streams.md', 'guides/streams'],
    ['docs/guide/migrating/from-noble.md', 'migrating/from-noble'],
    ['docs/measurements/README.md', 'measurements'],
    ['packages/proofs/SOUNDNESS.md', 'packages/proofs/soundness'],
    ['SECURITY.md', 'security'],
    ['site/app/README.md', 'packages/app'],
  ])('%s is at %s', (file, path) => expect(pathOf(file)).toBe(path));

  test('every guide is in the navigation, once, and no two pages have one address', () => {
    const files = groups().flatMap((group) => group.files);
    expect(new Set(files).size).toBe(files.length);
    expect(files).toEqual(
      expect.arrayContaining(['docs/guide/streams.md', 'docs/guide/siv.md', 'packages/age/README.md']),
    );
    expect(new Set(pages().map(({ path }) => path)).size).toBe(files.length);
  });
});

describe('the home page', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');

  test('has the introduction, three examples and the figures of the README', () => {
    const page = homePage(readme, 'https://files.example/');
    expect(page).toContain('[Encrypt files in this browser](https://files.example/)');
    expect(page).toContain(/^# .*\n\n(.*)\n/.exec(readme)![1]);
    expect([...page.matchAll(/^```ts$/gm)]).toHaveLength(3);
    expect(page).toContain('](docs/speed.svg)');
    expect(page).toContain('**Status: unreleased.**');
    expect(page).toMatch(/\(docs\/measurements\/\d{4}-\d{2}-\d{2}\/results\.json\)/);
    expect(page).not.toContain('<!--');
  });

  test.each([
    ['its figures', readme.replace('to here', 'nowhere'), /lacks the marks/],
    ['three examples', readme.replaceAll('```ts', '```js'), /has 0 examples/],
    ['an introduction', readme.replace(/^# .*\n\n/, '# x\n\n## '), /no paragraph/],
  ])('is not made without %s', (_, text, error) => expect(() => homePage(text, '/')).toThrow(error));
});

/** The fragments of a file: those of its headings, and those that it names. */
function fragmentsOf(text: string): Set<string> {
  const prose = text.replaceAll(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm, '');
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    slug(heading.replaceAll(/\[(.*?)\]\(.*?\)/g, '$1')),
  );
  const seen = new Map<string, number>();
  return new Set(
    headings.map((fragment) => {
      const before = seen.get(fragment) ?? 0;
      seen.set(fragment, before + 1);
      return before === 0 ? fragment : `${fragment}-${before}`;
    }),
  );
}

describe('the Markdown files of the repository', () => {
  const skipped = /(?:^|\/)(?:node_modules|dist|\.[^/]*)(?:\/|$)/;
  const folders = ['', 'docs', 'packages', 'vectors', 'examples', 'site'];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '', encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((name) => name.endsWith('.md') && !skipped.test(name)),
  );

  test('are found', () =>
    expect(files).toEqual(expect.arrayContaining(['README.md', 'docs/guide/streams.md', 'site/home.md'])));

  test.each(files)('%s: links lead to files, and to headings in them', (file) => {
    const trouble: string[] = [];
    const text = readFileSync(join(root, file), 'utf8');
    const own = fragmentsOf(text);
    for (const [, fragment] of text.matchAll(/\]\(#([^)]+)\)/g)) if (!own.has(fragment)) trouble.push(`#${fragment}`);
    // The home page speaks for the main README.
    const from = file === 'site/home.md' ? 'README.md' : file;
    if (from === file) trouble.push(...[...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, address]) => address));
    withLinks(text, from, ({ target, fragment }) => {
      const wanted = fragment.slice(1);
      if (!existsSync(join(root, target))) trouble.push(target);
      else if (wanted !== '' && !fragmentsOf(readFileSync(join(root, target), 'utf8')).has(wanted))
        trouble.push(`${target}${fragment}`);
      return '';
    });
    expect(trouble).toEqual([]);
  });
});

describe('the check of what was built', () => {
  let folder = '';
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lanewise-site-'));
    write('index.html', '<a href="/a/b.html#here">b</a> <a href="a/">a</a> <a href="https://other.example/">o</a>');
    write('a/index.html', '<link rel="stylesheet" href="../s.css"> <img src="data:,">');
    write(
      'a/b.html',
      '<h2 id="here">Here</h2> <a href="#here">up</a> <script>const t = `<img src="/nothing">`</script>',
    );
    write('s.css', 'a { background: url(a/b.html) }');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('passes a site without faults', () => expect(checkSite(folder, '/')).toMatch(/^3 pages and 1 style sheets/));

  test.each([
    ['<a href="/c.html">c</a>', '/c.html leads to no file'],
    ['<a href="a/b.html#there">b</a>', 'a/b.html#there leads to no place in a/b.html'],
    ['<a class="x" href="../../up.html">u</a>', '../../up.html leads to no file'],
    ['<img alt="x" src="https://other.example/x.png">', 'loads https://other.example/x.png from another host'],
    ['<script src="//other.example/x.js"></script>', 'loads //other.example/x.js from another host'],
    ['<link rel="preload" href="https://other.example/f.woff2">', 'from another host'],
  ])('refuses %s', (html, message) => {
    write('c/d.html', '');
    write('bad.html', html);
    expect(() => checkSite(folder, '/')).toThrow(`bad.html: `);
    expect(() => checkSite(folder, '/')).toThrow(message);
  });

  test('refuses what a style sheet loads from elsewhere', () => {
    write('bad.css', '@import "https://other.example/x.css";');
    expect(() => checkSite(folder, '/')).toThrow('bad.css: loads https://other.example/x.css from another host');
  });

  test('below a folder of the host, a link to the root leads out of the site', () => {
    expect(() => checkSite(folder, '/base/')).toThrow('/a/b.html#here is outside of the site');
  });
});
