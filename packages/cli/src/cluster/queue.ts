/** The queue that a command is given, by --queue or LANEWISE_QUEUE. Its address may hold a password, so no message repeats it. */
import { UsageError } from '../command.ts';

export const QUEUE_VARIABLE = 'LANEWISE_QUEUE';
const PROTOCOLS = ['redis:', 'rediss:', 'postgres:', 'postgresql:'];

/** Options of all commands that use a queue. */
export const queueOptions = { queue: { type: 'string' }, name: { type: 'string' } } as const;

/** The lines of a help text for {@link queueOptions}. */
export const QUEUE_HELP = `      --queue URL              redis://HOST:PORT, rediss://… or postgres://…; or the variable LANEWISE_QUEUE, which keeps
                               a password in it out of the list of processes
      --name NAME              the queue's name, which workers and callers share (lanewise)`;

export interface Queue {
  /** With user and password, if there are any. */
  readonly address: string;
  /** To show: without them. */
  readonly shown: string;
  readonly name: string | undefined;
  /** Whether workers and callers talk to Redis or Valkey, or to PostgreSQL. */
  readonly driver: 'ioredis' | 'pg';
}

/** Whether a text names an object that workers read, and no file of this machine. */
export const isObjectUrl = (text: string): boolean => /^(s3|https?|file):\/\//i.test(text);

/** A hint for the message that there is no such file, if the name looks like a mistyped one of an object. */
export const objectHint = (text: string): string =>
  /^\s*(?:(?:s3|https?|file):|[a-z][a-z\d+.-]*:\/\/)/i.test(text)
    ? '; objects of workers are s3://…, https://… and file:///…'
    : '';

/** @throws UsageError if there is no queue, or no address of one. */
export function queueFrom(values: { readonly queue?: string; readonly name?: string }): Queue {
  const given = values.queue ?? process.env[QUEUE_VARIABLE];
  if (given === undefined || given === '')
    throw new UsageError(`which queue? --queue URL or ${QUEUE_VARIABLE} names it, such as redis://127.0.0.1:6379`);
  const from = values.queue === undefined ? QUEUE_VARIABLE : '--queue';
  const url = URL.parse(given);
  if (!url || !PROTOCOLS.includes(url.protocol))
    throw new UsageError(`${from} takes an address that starts with redis://, rediss:// or postgres://`);
  if (url.host === '') throw new UsageError(`${from} takes an address with a host, such as redis://127.0.0.1:6379`);
  if (values.name === '') throw new UsageError('--name is empty');
  return {
    address: given,
    shown: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`,
    name: values.name,
    driver: url.protocol.startsWith('redis') ? 'ioredis' : 'pg',
  };
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A message in which the queue's address, its password and its parameters do not appear, whatever a driver wrote into it. */
export function withoutSecrets(message: string, { address, shown }: Queue): string {
  const { password, username, search } = new URL(address);
  const secrets = [password, decoded(password), username && password ? `${username}:${password}` : '', search];
  const longestFirst = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  return longestFirst.reduce((text, secret) => text.replaceAll(secret, '***'), message.replaceAll(address, shown));
}
