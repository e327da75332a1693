/** Someone who installs packages of the release, in an empty folder: the registry on this machine has them, and knows where all others are. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './run.ts';

export class User {
  /** An empty folder at first. */
  readonly folder: string;
  readonly #registry: string;

  private constructor(folder: string, registry: string) {
    this.folder = folder;
    this.#registry = registry;
  }

  /** A user in a new folder. Users in folders beside each other have one cache. */
  static async in(folder: string, registry: string): Promise<User> {
    await mkdir(folder, { recursive: true });
    return new User(folder, registry);
  }

  /** The same user in a folder below. */
  at(name: string): User {
    return new User(join(this.folder, name), this.#registry);
  }

  write(name: string, text: string | object): Promise<void> {
    return writeFile(join(this.folder, name), typeof text === 'string' ? text : JSON.stringify(text));
  }

  read(name: string): Promise<string> {
    return readFile(join(this.folder, name), 'utf8');
  }

  /** Runs a program in the folder, and returns its output. */
  run(program: string, ...values: string[]): Promise<string> {
    return run(program, values, this.folder);
  }

  npm(...values: string[]): Promise<string> {
    return this.#npm('npm', values);
  }

  npx(...values: string[]): Promise<string> {
    return this.#npm('npx', ['--yes', ...values]);
  }

  #npm(command: string, values: readonly string[]): Promise<string> {
    return run(command, values, this.folder, {
      npm_config_registry: this.#registry,
      npm_config_cache: join(dirname(this.folder), 'cache'),
      npm_config_loglevel: 'error',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    });
  }
}
