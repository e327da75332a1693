/** Options of objects; the rest comes from the environment. */
import { namesRole, sourceIn, type Credentials, type CredentialSource } from './credentials.ts';
import { optionsOf } from '../calls.ts';
import { refuseIgnored } from './ignored.ts';
import type { ObjectOptions } from './object.ts';
import { providedBy } from './provided.ts';

/** How often and how long something is tried. */
export interface Limits {
  /** Attempts without progress. */
  readonly attempts: number;
  /** Milliseconds of silence after which an attempt has failed. */
  readonly timeout: number;
}

/** The settings for a store. */
export interface Settings extends Limits {
  readonly endpoint: URL | undefined;
  readonly region: string;
  /** Gives none where requests are not signed: public buckets. */
  readonly credentials: CredentialSource;
}

const strings = ['endpoint', 'region', 'accessKeyId', 'secretAccessKey', 'sessionToken'] as const;
const numbers = { attempts: [1, 100], timeout: [1, 3_600_000] } as const;
const known: readonly string[] = [...strings, 'credentials', ...Object.keys(numbers)];

/**
 * The options of objects, checked, without those that others have added to Object.prototype.
 *
 * @throws TypeError or RangeError in the message grammar, with no value that may be a secret.
 */
export function objectOptionsOf(given: ObjectOptions): ObjectOptions {
  const options = optionsOf(given, known, 'objects');
  for (const name of strings) {
    const value: unknown = options[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') throw new TypeError(`"${name}" expected string, got type=${typeof value}`);
    // The values are secrets in part: none is shown.
    if (value === '') throw new RangeError(`"${name}" expected a string that is not empty`);
  }
  const { credentials } = options;
  if (credentials !== undefined && typeof credentials !== 'function')
    throw new TypeError(`"credentials" expected function, got type=${typeof credentials}`);
  const key = (['accessKeyId', 'secretAccessKey', 'sessionToken'] as const).find((name) => options[name] !== undefined);
  if (credentials !== undefined && key !== undefined)
    throw new TypeError(`"credentials" expected no "${key}" beside it: give one of them`);
  for (const [name, [least, most]] of Object.entries(numbers)) {
    const value: unknown = options[name as keyof typeof numbers];
    if (value === undefined) continue;
    if (typeof value !== 'number') throw new TypeError(`"${name}" expected number, got type=${typeof value}`);
    if (!Number.isInteger(value) || value < least || value > most)
      throw new RangeError(`"${name}" expected integer from ${least} to ${most}, got ${value}`);
  }
  return options;
}

function endpointOf(value: string | undefined): URL | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== ''
  )
    throw new RangeError('"endpoint" expected https://host or http://host, without user, password and query');
  return url;
}

function credentialsOf(
  id: string | undefined,
  secret: string | undefined,
  token: string | undefined,
): Credentials | undefined {
  if ((id === undefined) !== (secret === undefined))
    throw new TypeError(
      `"${id === undefined ? 'accessKeyId' : 'secretAccessKey'}" is missing: both or neither are given`,
    );
  return id === undefined ? undefined : { accessKeyId: id, secretAccessKey: secret!, sessionToken: token };
}

/** Options with the environment, checked as {@link objectOptionsOf} does. */
export function settingsOf(given: ObjectOptions = {}): Settings {
  const options = objectOptionsOf(given);
  const of = (...names: string[]): string | undefined => names.map((name) => process.env[name]).find(Boolean);
  // Keys that are given stand alone: they do not mix with the environment's.
  const hasKeys = options.accessKeyId !== undefined || options.secretAccessKey !== undefined;
  if (!hasKeys && options.sessionToken !== undefined)
    throw new TypeError('"accessKeyId" is missing beside "sessionToken"');
  const region = options.region ?? of('AWS_REGION', 'AWS_DEFAULT_REGION') ?? 'us-east-1';
  // It becomes part of a host's name.
  if (!/^[a-z0-9-]{1,63}$/.test(region)) throw new RangeError('"region" expected a name of a-z, 0-9 and -');
  // Nor does a function.
  const provided = options.credentials && providedBy(options.credentials);
  const fixed = provided
    ? undefined
    : hasKeys
      ? credentialsOf(options.accessKeyId, options.secretAccessKey, options.sessionToken)
      : credentialsOf(of('AWS_ACCESS_KEY_ID'), of('AWS_SECRET_ACCESS_KEY'), of('AWS_SESSION_TOKEN'));
  const endpoint = endpointOf(options.endpoint ?? of('AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'));
  return {
    attempts: options.attempts ?? 6,
    timeout: options.timeout ?? 30_000,
    endpoint,
    region,
    // Objects of other kinds need none, whatever the environment says.
    credentials: provided ?? (async () => fixed ?? (await sourceIn(process.env, endpoint !== undefined, region)())),
  };
}

/** The same for an object of S3: variables that are set and not followed are refused. */
export function s3SettingsOf(given: ObjectOptions = {}): Settings {
  const options = objectOptionsOf(given);
  const settings = settingsOf(options);
  const keys = options.credentials ?? options.accessKeyId ?? process.env['AWS_ACCESS_KEY_ID'];
  if (!keys) sourceIn(process.env, settings.endpoint !== undefined, settings.region);
  refuseIgnored(process.env, {
    credentials: Boolean(keys) || namesRole(process.env),
    endpoint: settings.endpoint !== undefined,
  });
  return settings;
}
