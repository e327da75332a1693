/** A VFS whose files another tab holds: one error with the way out, and it keeps no file from others. */
import { MemoryVFS } from '@journeyapps/wa-sqlite/src/examples/MemoryVFS.js';
import { expect, test } from 'vitest';
import { encryptVFS, type BaseVFS } from '../src/index.ts';
import { Connection, KEY, module, register } from './support.ts';

const Base = MemoryVFS as unknown as new (name: string, module: object) => BaseVFS & { close(): void };

/** A VFS that gets one file at once, one later, and a third not at all. */
function refusing(error: unknown) {
  const held = new Set<string>();
  class Refusing extends Base {
    override async isReady(): Promise<boolean> {
      held.add('at once');
      setTimeout(() => held.add('later'), 1);
      await Promise.resolve();
      throw error;
    }
    override close(): void {
      held.clear();
    }
  }
  return { held, Refusing };
}

test.each(['NoModificationAllowedError', 'InvalidStateError'])('%s', async (name) => {
  const error = new DOMException('Access Handles cannot be created', name);
  const { held, Refusing } = refusing(error);
  const made = encryptVFS(Refusing, { key: KEY }).create('refused', module);
  const expected =
    'cannot open the VFS refused: another tab, worker or connection has it open, and OPFS gives a file to one at a time; close it there';
  await expect(made).rejects.toMatchObject({ message: expected, cause: error });
  expect([...held]).toEqual([]);
});

test('the error stays where the VFS cannot be closed', async () => {
  const error = new TypeError('getDirectory is missing');
  class Unclosed extends refusing(error).Refusing {
    override close(): void {
      throw new Error('there is nothing to close');
    }
  }
  await expect(encryptVFS(Unclosed, { key: KEY }).create('unclosed', module)).rejects.toBe(error);
});

test('a base that throws nothing fails, and has no reason', async () => {
  class Throwing extends Base {
    override jRead(): number {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- bases are others' code
      throw undefined;
    }
  }
  const vfs = register(encryptVFS(Throwing, { key: KEY }));
  await expect(Connection.open(vfs)).rejects.toThrow('unable to open database file');
  expect(vfs.failure).toBeUndefined();
});

test('another error stays as it is', async () => {
  const error = new TypeError('getDirectory is missing');
  const { held, Refusing } = refusing(error);
  await expect(encryptVFS(Refusing, { key: KEY }).create('refused', module)).rejects.toBe(error);
  expect([...held]).toEqual([]);
});
