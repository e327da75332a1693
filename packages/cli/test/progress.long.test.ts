/** The progress line, on a simulated terminal. */
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { meterOn } from '../src/progress.ts';

function terminal(columns: number, colours: boolean, isTTY = true) {
  let written = '';
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      written += chunk.toString();
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns, hasColors: () => colours }), written: () => written };
}

async function show(columns: number, colours: boolean, size: number | undefined, name = 'file'): Promise<string> {
  const { stream, written } = terminal(columns, colours);
  const meter = meterOn(stream);
  meter.start(name, size);
  for (let i = 0; i < 10; i++) {
    meter.advance(5 * 2 ** 20);
    await sleep(80);
  }
  meter.stop();
  expect(process.listenerCount('SIGINT')).toBe(0);
  return written();
}

describe('the line', { concurrent: false }, () => {
  test('has the name, a bar, percent, bytes, speed and the time left', async () => {
    const text = await show(120, false, 100 * 2 ** 20);
    expect(text).toMatch(/file {2}\[#+-+\] {2}\d\d % {2}\d\d\.\d MiB of 100 MiB {2}[\d.]+ MiB\/s {2}\d:\d\d left/);
    expect(text).not.toMatch(/\x1b\[3\dm/); // eslint-disable-line no-control-regex
    // Nothing is left of it: the line is erased, the cursor is back.
    expect(text).toMatch(/\x1b\[2K$/); // eslint-disable-line no-control-regex
    expect(text).toContain('\x1b[?25h');
  });

  test('has colours where they are wanted', async () => {
    expect(await show(120, true, 100 * 2 ** 20)).toContain('\x1b[36m[#');
  });

  test('fits a narrow terminal', async () => {
    const text = await show(40, true, 100 * 2 ** 20, 'a/long/path/to/some/long/file.iso');
    expect(text).toContain('…ong/file.iso  ');
    expect(text).not.toContain('#');
    // Facts are left out whole: a number that is cut off is another number.
    expect(text).toMatch(/file\.iso {2}\d\d % {2}(?:[\d.]+ MiB\/s {2})?\d:\d\d left/);
    expect(await show(18, true, 100 * 2 ** 20, 'a/long/path.iso')).toMatch(/\d\d % {2}\d:\d\d left/);
  });

  test('is there where a terminal does not know its width', async () => {
    expect(await show(0, false, 100 * 2 ** 20)).toMatch(/file {2}\d\d % /);
  });

  test('makes no promises where the size is not known', async () => {
    const text = await show(120, false, undefined, 'standard input');
    expect(text).toMatch(/standard input {2}\d\d\.\d MiB {2}[\d.]+ MiB\/s/);
    expect(text).not.toMatch(/%|left/);
  });
});

test('short files and other streams get nothing', async () => {
  const short = terminal(80, true);
  const meter = meterOn(short.stream);
  meter.start('short', 10);
  meter.advance(10);
  meter.stop();
  const pipe = terminal(80, true, false);
  const other = meterOn(pipe.stream);
  other.start('long', 10);
  await sleep(600);
  other.advance(5);
  await sleep(100);
  other.stop();
  expect(short.written() + pipe.written()).toBe('');
});
