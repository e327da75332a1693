/**
 * Credentials that Amazon gives to programs that run there: for the token of a web identity (EKS), or by the endpoint of a container
 * (ECS, EKS Pod Identity) or of a machine (EC2, "IMDSv2"). They expire after hours and are asked for again before.
 */
import { readFileSync } from 'node:fs';
import { isLoopback } from './address.ts';
import { ObjectError } from './errors.ts';
import { discard, send, textOf, type Answer, type Request } from './request.ts';
import { attempted } from './retry.ts';
import { assumeRole, webIdentityIn } from './web-identity.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Gives the credentials that hold now; undefined where there are none, so that requests are not signed. */
export type CredentialSource = () => Promise<Credentials | undefined>;

/** Before they expire, in milliseconds. */
const EARLY = 5 * 60_000;
/** Between two questions, in milliseconds: an endpoint may give the same ones again until shortly before their end. */
const INTERVAL = 30_000;
/** The endpoints are on the same machine, and where there are none, the connection is refused. */
const LIMITS = { attempts: 3, timeout: 1000 };

/** Where else than on loopback a container's endpoint may be by HTTP: ECS and EKS. */
const CONTAINER_HOSTS = new Set(['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]']);

type Environment = Readonly<Record<string, string | undefined>>;

interface Issued {
  readonly credentials: Credentials | undefined;
  readonly expires: number;
}

/** One request to an endpoint. Addresses of containers name a secret, so that messages have a name instead. */
async function ask(object: string, url: URL, headers: Request['headers'], put = false): Promise<Answer> {
  const { timeout } = LIMITS;
  return await send({
    object,
    url,
    headers,
    timeout,
    ...(put ? { method: 'PUT', body: new Uint8Array() } : { method: 'GET' }),
  });
}

async function textOfGood(answer: Answer): Promise<string> {
  if (answer.status === 200) return await textOf(answer);
  discard(answer);
  const temporary = answer.status >= 500 || answer.status === 429;
  throw new ObjectError(answer.request.object, `the endpoint answered ${answer.status}`, {
    status: answer.status,
    temporary,
  });
}

/** The answer of both kinds of endpoints. */
function issuedBy(object: string, text: string): Issued {
  try {
    return issuedAs(object, Object(JSON.parse(text)) as Readonly<Record<string, unknown>>);
  } catch (error) {
    throw error instanceof SyntaxError ? new ObjectError(object, NOTHING) : error;
  }
}

const NOTHING = 'the endpoint gave no credentials';

function issuedAs(object: string, fields: Readonly<Record<string, unknown>>): Issued {
  const {
    AccessKeyId: accessKeyId,
    SecretAccessKey: secretAccessKey,
    Token: sessionToken,
    Expiration: expiration,
  } = fields;
  const expires = typeof expiration === 'string' ? Date.parse(expiration) : Number.NaN;
  if (
    ![accessKeyId, secretAccessKey, sessionToken].every((each) => typeof each === 'string' && each !== '') ||
    Number.isNaN(expires)
  )
    throw new ObjectError(object, NOTHING);
  const credentials = { accessKeyId, secretAccessKey, sessionToken } as Credentials;
  return { credentials, expires };
}

/** AWS SDKs and Tools Reference Guide, "Container credential provider". */
async function ofContainer(url: URL, environment: Environment): Promise<Issued> {
  const object = 'credentials of the container';
  const file = environment['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
  // The file's content is renewed, too.
  const token =
    file === undefined ? environment['AWS_CONTAINER_AUTHORIZATION_TOKEN'] : readFileSync(file, 'utf8').trim();
  const headers: Record<string, string> = token === undefined ? {} : { authorization: token };
  return issuedBy(object, await textOfGood(await ask(object, url, headers)));
}

function containerUrl(environment: Environment): URL | undefined {
  const relative = environment['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
  const full = environment['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  if (relative !== undefined) return new URL(relative, 'http://169.254.170.2');
  if (full === undefined) return undefined;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  const isSafe = url?.protocol === 'http:' && (CONTAINER_HOSTS.has(url.hostname) || isLoopback(url.hostname));
  if (url === undefined || (url.protocol !== 'https:' && !isSafe))
    throw new RangeError('"AWS_CONTAINER_CREDENTIALS_FULL_URI" expected https://, or http:// on this machine');
  return url;
}

/** Amazon EC2 User Guide, "Use the Instance Metadata Service": version 2, whose token other programs cannot be made to fetch. */
async function ofMachine(base: string): Promise<Issued> {
  const object = 'credentials of the machine';
  // Asked again after a while, as the endpoint may have been out of reach.
  const none = { credentials: undefined, expires: Date.now() + 2 * EARLY };
  let token: string;
  try {
    const ttl = { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' };
    token = await textOfGood(await ask(object, new URL('/latest/api/token', base), ttl, true));
  } catch {
    // Not a machine of EC2.
    return none;
  }
  const headers = { 'x-aws-ec2-metadata-token': token };
  const folder = new URL('/latest/meta-data/iam/security-credentials/', base);
  const roles = await ask(object, folder, headers);
  if (roles.status === 404) {
    discard(roles);
    return none;
  }
  const [role] = (await textOfGood(roles)).split('\n');
  return issuedBy(
    object,
    await textOfGood(await ask(object, new URL(encodeURIComponent(role.trim()), folder), headers)),
  );
}

/** Keeps credentials until shortly before they expire, and longer if no new ones can be had. */
export function keeping(issue: () => Promise<Issued>, now: () => number = Date.now): CredentialSource {
  let kept: Issued | undefined;
  let asked = -Infinity;
  let pending: Promise<Issued> | undefined;
  return async () => {
    if (kept !== undefined && (now() < kept.expires - EARLY || now() < Math.min(kept.expires, asked + INTERVAL)))
      return kept.credentials;
    // Callers that come meanwhile wait for the same answer.
    pending ??= attempted(LIMITS, undefined, issue).finally(() => {
      pending = undefined;
      asked = now();
    });
    try {
      kept = await pending;
    } catch (error) {
      if (kept === undefined || now() >= kept.expires) throw error;
    }
    return kept.credentials;
  };
}

const sources = new Map<string, CredentialSource>();

function shared(name: string, issue: () => Promise<Issued>): CredentialSource {
  const source = sources.get(name) ?? keeping(issue);
  sources.set(name, source);
  return source;
}

/** Whether an environment names more than the machine's role. */
export const namesRole = (environment: Environment): boolean =>
  ['AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', 'AWS_CONTAINER_CREDENTIALS_FULL_URI'].some(
    (name) => Boolean(environment[name]),
  );

/**
 * The source of credentials that an environment without keys names. Sources are shared within a thread, as each reader asks for one.
 * @param own Whether the endpoint is a server of one's own: a machine's role is none of its users then.
 */
export function sourceIn(environment: Environment, own: boolean, region = 'us-east-1'): CredentialSource {
  const identity = webIdentityIn(environment, region);
  if (identity !== undefined) {
    const { tokenFile, role, session, endpoint } = identity;
    return shared(JSON.stringify([tokenFile, role, session, endpoint]), async () =>
      issuedAs('credentials of the web identity', await assumeRole(identity)),
    );
  }
  const container = containerUrl(environment);
  const base = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'] ?? 'http://169.254.169.254';
  if (container === undefined && (own || environment['AWS_EC2_METADATA_DISABLED'] === 'true'))
    return () => Promise.resolve(undefined);
  return shared(container?.href ?? base, () =>
    container === undefined ? ofMachine(base) : ofContainer(container, environment),
  );
}
