/** Pages aren't templates: a stranger's text in a page stays text when the site is built, and when it is shown. */
// Runs in Node only: builds pages.
// eslint-disable-next-line @typescript-eslint/triple-slash-reference -- these types aren't a module
/// <reference path="../../packages/lab/src/charts/jsdom.d.ts" />
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { JSDOM } from 'jsdom';
import { createMarkdownRenderer } from 'vitepress';
import { afterEach, expect, test } from 'vitest';
import { plainMarkdown } from '../src/plain-markdown.ts';
import { root } from '../src/pages.ts';

/** Inside of the repository, so that VitePress and Vue are found. */
let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Builds a site of one page with the Markdown of this site. */
async function built(markdown: string): Promise<Document> {
  mkdirSync(join(root, 'site/.cache'), { recursive: true });
  folder = mkdtempSync(join(root, 'site/.cache/test-'));
  mkdirSync(join(folder, '.vitepress'));
  writeFileSync(
    join(folder, '.vitepress/config.ts'),
    `import { plainMarkdown } from '../../../src/plain-markdown.ts';\nexport default { markdown: plainMarkdown };\n`,
  );
  writeFileSync(join(folder, 'secret.txt'), 'a file of whoever builds');
  writeFileSync(join(folder, 'index.md'), markdown);
  const program = `import { build } from 'vitepress'; await build(${JSON.stringify(folder)});`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: root });
  return new JSDOM(readFileSync(join(folder, '.vitepress/dist/index.html'), 'utf8')).window.document;
}

const CODE = `{{7*191}}{{(0).constructor.constructor('return globalThis.process?process.title:0')()}}`;

test('names that are templates, directives or includes are shown as they are', async () => {
  const document = await built(
    [
      `# A title ${CODE}`,
      `Firefox ${CODE} and \`code ${CODE}\`, ![a picture ${CODE}](data:image/png;base64,AA==).`,
      `**strong**{:title="7*191" v-html="7*191" @click="alert(1)" onclick="alert(1)"}`,
      `| a |\n| - |\n| cell ${CODE} |`,
      '<<< secret.txt',
      `\`\`\`js\n${CODE}\n\`\`\``,
      '[a link](https://host.example){target="_self"}',
    ].join('\n\n'),
  );
  const page = document.querySelector('.vp-doc')!;
  expect(page.innerHTML).not.toContain('1337');
  expect(page.textContent).not.toContain('a file of whoever builds');
  for (const place of ['h1', 'p', 'p code', 'td', 'pre'])
    expect(page.querySelector(place)!.textContent).toContain(CODE);
  expect(page.querySelector('img')!.alt).toContain(CODE);
  expect(page.querySelector('strong')!.getAttributeNames()).toEqual([]);
  expect(page.querySelector('a[target]')!.getAttribute('target')).toBe('_self');
});

test.each([
  ['a script', '<script setup>\nglobalThis.ran = 1;\n</script>', '<script setup>'],
  ['a component', 'x <Content /> y', '<Content />'],
  ['a directive', '<div v-html="1">x</div>', '<div v-html='],
  ['an event', '<a href="#" onclick="x()">x</a>', '<a href="#" onclick'],
  ['the end of the page and another beginning', '</div></template><script>1</script>', '</div></template>'],
])('%s in Markdown ends the build, with the place', async (_, markdown, shown) => {
  const markdownIt = await createMarkdownRenderer(root, plainMarkdown);
  const message = `page.md expected Markdown without HTML, got ${JSON.stringify(shown).slice(0, -1)}`;
  expect(() => markdownIt.render(`# Title\n\n${markdown}\n`, { relativePath: 'page.md' })).toThrow(message);
});
