/** The counts of phrases that `npm run lint` compares with their limits. */
import { describe, expect, it } from 'vitest';
import { commentsOf, count, PHRASES, proseOf } from '../src/language.ts';

const counts = (text: string): Record<string, number> =>
  Object.fromEntries([...count(proseOf(text)).found].filter(([, number]) => number > 0));

describe('phrases', () => {
  it.each([
    ['It takes what the caller gives.', { what: 1 }],
    ['Whatever the source throws.', {}],
    ['TypeError if it is no Uint8Array, or they are no parts.', { 'is no': 2 }],
    ['There is no WebAssembly; it is no longer there.', {}],
    ['Whoever reads it. Nobody and somebody.', { whoever: 3 }],
    ['The tag is behind the ciphertext.', { behind: 1 }],
    ['No key is left behind. Sources behind one interface.', {}],
    ['Pages of which one is torn, people of whom few came.', { 'of which': 2 }],
    ['The door was given out by a crew of takers, as a work.', { coined: 5 }],
  ])('%s', (text, expected) => expect(counts(text)).toEqual(expected));

  it('are not looked for in code, addresses and comments of Markdown', () => {
    expect(counts('`what` [a link](docs/what.md)\n```ts\nwhat();\n```\n<!-- what -->')).toEqual({});
  });

  it('have names of their own', () => {
    expect(new Set(PHRASES.map(({ name }) => name)).size).toBe(PHRASES.length);
  });
});

describe('comments of a source', () => {
  it('are those before, in and after code, each once; not strings and regular expressions', () => {
    const source = [
      '/** One,',
      ' * two. */',
      "const a = '// string', b = /\\/\\/ expression/; // three",
      'function f(/* four */ x = `// ${a /* five */}`) {',
      '  // six',
      '}',
      '// seven',
    ].join('\n');
    expect(commentsOf(source).match(/\w+/g)).toEqual(['One', 'two', 'three', 'four', 'five', 'six', 'seven']);
  });

  it('have no words of code', () => {
    expect(count(proseOf(commentsOf('const what = 1; /** Two words: {@link what}. */'))).words).toBe(3);
  });
});
