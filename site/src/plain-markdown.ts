/**
 * Pages of the repository are documents and no templates: VitePress makes a component of Vue of each, in which `{{ … }}`, directives,
 * components and scripts are programs that the build runs. A stranger who gets a sentence into a page must not get a program into it.
 */
import type { MarkdownOptions } from 'vitepress';

type Renderer = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Core = Parameters<Parameters<Renderer['core']['ruler']['push']>[1]>[0];

/** Comments, and the elements that the home page and the API reference have; their attributes aren't directives. */
const PLAIN =
  /^(?:\s*(?:<!--(?:(?!-->)[\s\S])*-->|<\/?(?:a|div|header|main)(?: (?:class|href|id|target)="[^"{}]*")*>))*\s*$/;

/** Throws if the Markdown has other HTML. */
function refuseHtml({ tokens, env }: Core): void {
  const parts = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
  const other = parts.find(({ type, content }) => /^html_/.test(type) && !PLAIN.test(content));
  if (other)
    throw new Error(
      `${(env as { relativePath?: string }).relativePath ?? 'a page'} expected Markdown without HTML, got ${JSON.stringify(other.content.slice(0, 80))}`,
    );
}

/**
 * Throws if the text of a page has a comment that includes a file. VitePress puts a file of the building machine in its place before it reads
 * Markdown, in blocks of code, too.
 */
export function refuseIncludes(text: string, file: string): void {
  const [include] = /<!--\s*@include:.*/.exec(text) ?? [];
  if (include !== undefined)
    throw new Error(`${file} expected text that includes no other file, got ${JSON.stringify(include.slice(0, 80))}`);
}

/** Nothing of the text is code: Vue looks for two braces before it decodes entities. */
const withoutBraces = (html: string): string => html.replaceAll('{{', '&#123;&#123;').replaceAll('}}', '&#125;&#125;');

/** The corner of a table isn't a head of anything. */
const withoutEmptyHeads = (html: string): string => html.replaceAll(/<th((?: [^>]*)?)><\/th>/g, '<td$1></td>');

export const plainMarkdown: MarkdownOptions = {
  // `{target="_self"}` after a link; other attributes could be directives.
  attrs: { allowedAttributes: ['target'] },
  preConfig(md) {
    md.core.ruler.push('plain-markdown', refuseHtml);
  },
  config(md) {
    // A line `<<< file` would show a file of the building machine.
    md.block.ruler.disable('snippet');
    const render = md.render.bind(md);
    md.render = (text, env) => `<div v-pre>\n${withoutBraces(withoutEmptyHeads(render(text, env)))}</div>\n`;
  },
};
