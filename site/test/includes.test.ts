/** VitePress puts files in place of comments before it reads Markdown: no page may have such a comment, by any author. */
// Runs in Node only: reads files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../src/pages.ts';
import { refuseIncludes } from '../src/plain-markdown.ts';
import { codePage } from '../src/site-files.ts';

it.each([
  '<!--@include: ../../secret.txt-->',
  'text <!-- @include: /etc/hostname{1,2} --> text',
  '<!--\n@include:\nx\n-->',
])('%j is refused, in documents and in files that are shown as code', (include) => {
  expect(() => refuseIncludes(`# Title\n\n${include}\n`, 'docs/x.md')).toThrow(
    'docs/x.md expected text that includes no other file, got "<!--',
  );
  const folder = mkdtempSync(join(tmpdir(), 'lanewise-page-'));
  try {
    const file = join(folder, 'result.json');
    writeFileSync(file, JSON.stringify({ browser: 'Firefox' }));
    expect(codePage(relative(root, file))).toContain('Firefox');
    writeFileSync(file, `{ "browser": "${include}" }`);
    expect(() => codePage(relative(root, file))).toThrow('expected text that includes no other file');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('other comments are none', () => {
  refuseIncludes('<!-- figures -->, `@include`, and a<!--b', 'docs/x.md');
});
