/** The address of a queue. */
import { typeOf } from '../jobs/check.ts';

const PROTOCOLS = {
  'redis:': 'redis',
  'rediss:': 'redis',
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
} as const;

/** Where a queue is. */
export interface QueueAddress {
  readonly kind: 'redis' | 'postgres';
  readonly url: string;
  /** Without user and password, for people. */
  readonly shown: string;
}

/** Checks the URL of a queue. No message has it, because it may have a password. */
export function addressOf(queue: unknown): QueueAddress {
  if (typeof queue !== 'string') throw new TypeError(`"queue" expected string, got ${typeOf(queue)}`);
  const url = URL.canParse(queue) ? new URL(queue) : undefined;
  if (!url || !Object.hasOwn(PROTOCOLS, url.protocol))
    throw new RangeError('"queue" expected a URL of redis://, rediss:// or postgres://, got another text');
  if (url.hostname === '') throw new RangeError('"queue" expected a URL with a host, got one without');
  // A slash in a password ends the host, and the rest would be shown as the path.
  if (`${url.pathname}${url.search}${url.hash}`.includes('@'))
    throw new RangeError('"queue" expected a URL whose password is percent-encoded, got one with @ after its host');
  const kind = PROTOCOLS[url.protocol as keyof typeof PROTOCOLS];
  // The driver would take the first database for any other name.
  if (kind === 'redis' && !/^\/?\d{0,6}$/.test(url.pathname))
    throw new RangeError('"queue" expected the number of a database as its path, got another text');
  return { kind, url: queue, shown: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}` };
}

/** Checks the name of a queue. */
export function queueNameOf(name: unknown): string {
  if (name === undefined) return 'lanewise';
  if (typeof name !== 'string') throw new TypeError(`"name" expected string, got ${typeOf(name)}`);
  // BullMQ's own keys have colons between their parts.
  if (!/^[\w.-]{1,100}$/.test(name))
    throw new RangeError('"name" expected 1 to 100 letters, digits, dots, dashes and underscores, got another text');
  return name;
}
