/** Credentials by a function of the caller, as the vendor's credential providers are: `fromIni({ profile })`, `fromNodeProviderChain()`. */
import type { MessagePort } from 'node:worker_threads';
import { keeping, type Credentials, type CredentialSource } from './credentials.ts';
import { ObjectError } from './errors.ts';
import type { CredentialProvider } from './object.ts';

/** A provider may start a program, or ask a server. */
const PATIENCE = 30_000;
/** Credentials without an end are asked for again after half of this, in milliseconds: a file with profiles may be written anew. */
const WITHOUT_END = 10 * 60_000;

const OBJECT = 'credentials';
/**
 * No message has a provider's text, which may be a secret: it is the `cause`. Providers try again themselves, so their errors are final;
 * credentials that hold yet are kept.
 */
const failed = (reason: string, cause?: unknown): ObjectError =>
  new ObjectError(OBJECT, `the function "credentials" ${reason}`, { cause });

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** A provider's credentials, or its error, within 30 seconds. */
async function answerOf(provider: CredentialProvider): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    const error = failed(`gave no answer for ${PATIENCE / 1000} s`);
    timer = setTimeout(() => reject(error), PATIENCE);
  });
  const answer = (async (): Promise<unknown> => {
    try {
      return await provider();
    } catch (error) {
      throw failed(`failed (${nameOf(error)})`, error);
    }
  })();
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

async function issuedBy(provider: CredentialProvider): Promise<{ credentials: Credentials; expires: number }> {
  const given: unknown = await answerOf(provider);
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = Object(given) as Readonly<Record<string, unknown>>;
  if (!isText(accessKeyId) || !isText(secretAccessKey) || !(sessionToken === undefined || isText(sessionToken)))
    throw failed('expected to give { accessKeyId, secretAccessKey, sessionToken? }, gave something else');
  if (expiration !== undefined && !(expiration instanceof Date && Number.isFinite(expiration.getTime())))
    throw failed('expected to give "expiration" as a Date, gave something else');
  const credentials = { accessKeyId, secretAccessKey, sessionToken } as Credentials;
  return { credentials, expires: expiration?.getTime() ?? Date.now() + WITHOUT_END };
}

const sources = new WeakMap<CredentialProvider, CredentialSource>();

/** The source of credentials that a function gives. Readers with the same function share its result. */
export function providedBy(provider: CredentialProvider): CredentialSource {
  const source = sources.get(provider) ?? keeping(() => issuedBy(provider));
  sources.set(provider, source);
  return source;
}

type Answer = { readonly id: number; readonly given: unknown } | { readonly id: number; readonly name: string };

/** Answers a thread that has the other end of a port, since functions are not sent to threads. */
export function serveProvider(provider: CredentialProvider, port: MessagePort): void {
  port.on('message', (id: number) => {
    answerOf(provider).then(
      (given) => port.postMessage({ id, given } satisfies Answer),
      (error: unknown) => port.postMessage({ id, name: nameOf((error as Error).cause) } satisfies Answer),
    );
  });
  // A thread that works keeps the process alive; one that waits for work does not.
  port.unref();
}

/** The function that is served at the other end of a port. */
export function providerAt(port: MessagePort): CredentialProvider {
  const waiting = new Map<number, (answer: Answer) => void>();
  let asked = 0;
  port.on('message', (answer: Answer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  port.unref();
  return () =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, (answer) =>
        'name' in answer
          ? reject(Object.assign(new Error(), { name: answer.name }))
          : resolve(answer.given as Awaited<ReturnType<CredentialProvider>>),
      );
      port.postMessage(id);
    });
}
