/** The armor: lines, padding, white space, and every mistake that a strict reader refuses. */
import { describe, expect, it } from 'vitest';
import { armor, ArmorDecoder, ArmorEncoder } from '../src/index.ts';
import { cut } from './vectors.ts';

const BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----';
const END = '-----END AGE ENCRYPTED FILE-----';
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => (i * 7 + 3) % 256);

/** By Node's own base64. */
function expected(file: Uint8Array): string {
  const lines = Buffer.from(file)
    .toString('base64')
    .match(/.{1,64}/g);
  return [BEGIN, ...(lines ?? []), END, ''].join('\n');
}

describe.each([0, 1, 2, 3, 47, 48, 49, 95, 96, 97, 1000, 4800])('%i bytes', (length) => {
  const file = bytes(length);

  it('are encoded as by another encoder', () => expect(armor.encode(file)).toBe(expected(file)));
  it('are decoded', () => expect(armor.decode(expected(file))).toEqual(file));
  it('are decoded with the line ends of Windows, and white space around', () =>
    expect(armor.decode(`\t \r\n\n${expected(file).replaceAll('\n', '\r\n')}\r\n  \n`)).toEqual(file));
  it('are decoded without the last line end', () => expect(armor.decode(expected(file).trimEnd())).toEqual(file));

  it.each([[1], [7], [64], [65, 0, 1], [1000]])('in pieces of %i …', (...lengths) => {
    const encoder = new ArmorEncoder();
    const text = Buffer.concat([...[...cut(file, lengths)].map((piece) => encoder.push(piece)), encoder.end()]);
    expect(text.toString()).toBe(expected(file));
    const decoder = new ArmorDecoder();
    const back = Buffer.concat([...cut(text, lengths)].map((piece) => decoder.push(piece)));
    decoder.end();
    expect(new Uint8Array(back)).toEqual(file);
  });
});

describe('mistakes', () => {
  const body = 'AAAA'.repeat(16);
  const framed = (...lines: readonly string[]): string => [BEGIN, ...lines, END, ''].join('\n');

  it.each([
    ['no first line', `${body}\n${END}\n`],
    ['another first line', `-----BEGIN FILE-----\n${body}\n${END}\n`],
    ['white space behind the first line', `${BEGIN} \n${body}\n${END}\n`],
    ['nothing', ''],
    ['no last line', `${BEGIN}\n${body}\n`],
    ['half of the last line', `${BEGIN}\n${body}\n${END.slice(0, -1)}`],
    ['an empty line', framed(body, '', body)],
    ['a short line in the middle', framed('AAAA', body)],
    ['a padded line in the middle', framed(`${'A'.repeat(62)}==`, body)],
    ['a long line', framed(`${body}AAAA`)],
    ['a line of 63 characters', framed('A'.repeat(63))],
    ['a character that is none of base64', framed(`${'A'.repeat(63)}*`)],
    ['a space within a line', framed('AAA A')],
    ['the alphabet for addresses', framed('__--')],
    ['padding alone', framed('====')],
    ['padding in the middle', framed('AA==AAAA')],
    ['bits that stand for nothing, behind one byte', framed('AB==')],
    ['bits that stand for nothing, behind two bytes', framed('AAB=')],
    ['no padding', framed('AAA')],
    ['a carriage return within a line', framed('AA\rAA')],
    ['data after', `${framed(body)}x`],
    ['another file behind', framed(body) + framed(body)],
    ['too much white space in front', ' '.repeat(1025) + framed(body)],
    ['too much white space behind', framed(body) + ' '.repeat(1025)],
    ['text in front', `Dear Alice,\n${framed(body)}`],
  ])('%s', (_, text) => {
    expect(() => armor.decode(text)).toThrow(/^armor (expected|is truncated)/);
    const decoder = new ArmorDecoder();
    expect(() => {
      for (const piece of cut(new TextEncoder().encode(text), [1])) decoder.push(piece);
      decoder.end();
    }).toThrow(/^armor (expected|is truncated)/);
  });

  it('come after the bytes before them', () => {
    const decoder = new ArmorDecoder();
    expect(decoder.push(new TextEncoder().encode(framed(body, 'AA', body)))).toHaveLength(48);
    expect(() => decoder.push(Uint8Array.of())).toThrow(/^armor expected/);
  });

  it('of callers', () => {
    expect(() => armor.encode('text' as never)).toThrow(TypeError);
    expect(() => armor.decode(bytes(1) as never)).toThrow(TypeError);
    expect(() => armor.decode.call(armor, ...(['', 1] as unknown as [string]))).toThrow(
      '"arguments" expected at most 1',
    );
  });
});

/**
 * The behaviour of age 1.3.1 with white space before the first line and after the last one: `age -d` of its own armored file, with this
 * before or after it. It counts a line end in front as one character, also that of Windows.
 */
describe('white space, as age takes it', () => {
  const framed = expected(bytes(100));
  const shown = (space: string): string =>
    JSON.stringify(space.length > 12 ? `${space.slice(0, 4)}… ${space.length}` : space);
  const space = (first: readonly string[]) => first.map((its) => [shown(its), its] as const);

  it.each(
    space([
      '\n',
      ' \n',
      '\r\n',
      '\t\v\f\n',
      '\r\r\n',
      `${' '.repeat(1023)}\n`,
      '\n'.repeat(1024),
      '\r\n'.repeat(1024),
      `${' '.repeat(1023)}\r\n`,
      ' \n'.repeat(512),
    ]),
    // C2SP age.md, "ASCII armor": "reject non-canonical ASCII armor encodings except for whitespace before and after the PEM block".
  )('accepts %s in front', (_, its) => expect(armor.decode(its + framed)).toEqual(bytes(100)));

  it.each(
    space([
      '\t',
      ' ',
      '\r\n\t',
      '\n '.repeat(3),
      '\r',
      ' '.repeat(1024),
      `${' '.repeat(1024)}\n`,
      '\n'.repeat(1025),
      '\r\n'.repeat(1025),
      `${' '.repeat(1023)}\r\r\n`,
      ' \n'.repeat(513),
    ]),
  )('refuses %s in front', (_, its) => {
    expect(() => armor.decode(its + framed)).toThrow(/^armor expected .* white space/);
    const decoder = new ArmorDecoder();
    expect(() => {
      for (const piece of cut(new TextEncoder().encode(its + framed), [1])) decoder.push(piece);
      decoder.end();
    }).toThrow(/^armor expected .* white space/);
  });

  it.each(space(['\n', ' ', ' '.repeat(1023), '\r\n'.repeat(511), '\n\t \n']))('accepts %s behind', (_, its) =>
    expect(armor.decode(framed + its)).toEqual(bytes(100)),
  );
  it.each(space([' '.repeat(1024), '\r\n'.repeat(512), '\n'.repeat(2000)]))('refuses %s behind', (_, its) =>
    expect(() => armor.decode(framed + its)).toThrow('more than 1023 bytes of white space'),
  );
});

it('is decoded into no more memory than its bytes need', () => {
  const text = new TextEncoder().encode(expected(bytes(480_000)));
  const made: number[] = [];
  const { Uint8Array: Real } = globalThis;
  globalThis.Uint8Array = new Proxy(Real, {
    construct(target, values, newTarget) {
      if (typeof values[0] === 'number') made.push(values[0]);
      return Reflect.construct(target, values, newTarget === globalThis.Uint8Array ? target : newTarget) as object;
    },
  });
  try {
    expect(new ArmorDecoder().push(text)).toHaveLength(480_000);
  } finally {
    globalThis.Uint8Array = Real;
  }
  const most = Math.max(...made);
  expect(most).toBeGreaterThanOrEqual(480_000);
  expect(most).toBeLessThanOrEqual(0.75 * text.length + 48);
});

it('as streams', async () => {
  const file = bytes(100_000);
  const pieces = cut(file, [1, 1000, 50_000]);
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const step = pieces.next();
      if (step.done) controller.close();
      else controller.enqueue(step.value);
    },
  });
  const result = source.pipeThrough(armor.encoder()).pipeThrough(armor.decoder());
  expect(new Uint8Array(await new Response(result).arrayBuffer())).toEqual(file);
});

it('machines refuse what they cannot take, and calls after their end', () => {
  const none = '"bytes" expected Uint8Array, got type=string';
  for (const machine of [new ArmorEncoder(), new ArmorDecoder()]) {
    expect(() => machine.push('abc' as never)).toThrow(none);
    expect(() => machine.push(...([bytes(1), 1] as unknown as [Uint8Array]))).toThrow('at most 1');
  }
  const encoder = new ArmorEncoder();
  encoder.end();
  const decoder = new ArmorDecoder();
  decoder.push(new TextEncoder().encode(expected(bytes(5))));
  decoder.end();
  for (const machine of [encoder, decoder]) {
    expect(() => machine.push(bytes(0))).toThrow('after end()');
    expect(() => machine.end()).toThrow('after end()');
  }
});
