/** The site's settings. `npm run site:build` writes the pages that VitePress reads here. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfigWithTheme, type DefaultTheme } from 'vitepress';
import { about, type About } from '../src/about.ts';
import { apiSidebar } from '../src/api.ts';
import { appUrl, groups, pathOf, root } from '../src/pages.ts';
import { plainMarkdown } from '../src/plain-markdown.ts';
import { pagesFolder } from '../src/site-files.ts';
import { slug } from '../src/slug.ts';

/** The first heading of a file, without the marks of code. */
function titleOf(file: string): string {
  if (file === 'README.md') return 'README';
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8')) ?? [];
  if (title === undefined) throw new Error(`${file} has no title`);
  return title.replaceAll('`', '');
}

const sidebar: DefaultTheme.SidebarItem[] = groups().map(({ title, files }) => ({
  text: title,
  items: files.map((file) => ({ text: titleOf(file), link: `/${pathOf(file)}` })),
}));

/** Everything is of the page's own origin; the scripts within a page are named by their hashes. */
function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(([, code]) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

export default defineConfigWithTheme<DefaultTheme.Config & { readonly about: About }>({
  lang: 'en',
  title: 'Lanewise',
  description: 'Symmetric cryptography for JavaScript at the speed of native 128-bit code.',
  base: process.env.SITE_BASE ?? '/',
  srcDir: '.cache/pages',
  outDir: 'dist',
  cacheDir: '.cache/vitepress',
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${process.env.SITE_BASE ?? '/'}logo.svg` }],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  markdown: {
    ...plainMarkdown,
    anchor: { slugify: slug },
    // The contrast of the default themes is too low for small text.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
  },
  transformHtml: (html) =>
    html.replace('<head>', `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policyOf(html)}">`),
  // VitePress doubts addresses of this machine; this one is told by `npm run site`.
  ignoreDeadLinks: [(url) => url.startsWith(appUrl())],
  themeConfig: {
    logo: '/logo.svg',
    nav: [
      { text: 'Guides', link: '/guides/choosing', activeMatch: '^/(guides|migrating)/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'Security', link: '/guides/security-model' },
      { text: 'Measurements', link: '/guides/measuring', activeMatch: '^/(guides/measuring|measurements)' },
      { text: 'Studies', link: '/studies', activeMatch: '^/studies' },
      { text: 'App', link: appUrl() },
    ],
    sidebar: { '/api/': apiSidebar(join(pagesFolder, 'api')), '/': sidebar },
    outline: [2, 3],
    // The theme sets how it ranks.
    search: { provider: 'local' },
    about: about(),
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
