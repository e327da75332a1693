/**
 * Credentials for a token that a cluster puts into a file ("IAM roles for service accounts" of EKS): AWS Security Token Service API
 * Reference, AssumeRoleWithWebIdentity. The request is not signed: the token is its proof.
 */
import { readFileSync } from 'node:fs';
import { ObjectError } from './errors.ts';
import { isLoopback } from './address.ts';
import { send, textOf } from './request.ts';
import { codeOf } from './status.ts';

const OBJECT = 'credentials of the web identity';
/** It may be far away, unlike the endpoints of containers and machines. */
const TIMEOUT = 10_000;
const TEMPORARY = new Set(['IDPCommunicationError', 'InternalFailure', 'ServiceUnavailable', 'Throttling']);

type Environment = Readonly<Record<string, string | undefined>>;

/** Who wants which role, and where that is asked for. */
export interface WebIdentity {
  readonly tokenFile: string;
  readonly role: string;
  readonly session: string;
  readonly endpoint: URL;
}

function endpointIn(environment: Environment, region: string): URL {
  const given = environment['AWS_ENDPOINT_URL_STS'] || environment['AWS_ENDPOINT_URL'];
  if (!given)
    return new URL(`https://sts.${region}.${region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'}`);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))))
    throw new RangeError('"AWS_ENDPOINT_URL_STS" expected https://, or http:// on this machine: it is sent a token');
  return url;
}

/**
 * The web identity that an environment names, if it names one.
 *
 * @throws TypeError if it names half of one.
 */
export function webIdentityIn(environment: Environment, region: string): WebIdentity | undefined {
  const tokenFile = environment['AWS_WEB_IDENTITY_TOKEN_FILE'] || undefined;
  const role = environment['AWS_ROLE_ARN'] || undefined;
  if (tokenFile === undefined && role === undefined) return undefined;
  if (tokenFile === undefined || role === undefined)
    throw new TypeError(
      `"${role === undefined ? 'AWS_ROLE_ARN' : 'AWS_WEB_IDENTITY_TOKEN_FILE'}" is missing: both or neither are set`,
    );
  const session = environment['AWS_ROLE_SESSION_NAME'] || 'lanewise';
  return { tokenFile, role, session, endpoint: endpointIn(environment, region) };
}

function tokenOf(file: string): string {
  try {
    // The cluster renews it.
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ObjectError(OBJECT, `the file of AWS_WEB_IDENTITY_TOKEN_FILE cannot be read (${code ?? 'unknown'})`, {
      cause: error,
    });
  }
}

/** The answer to a request for the role, as XML. */
export async function assumeRole({ tokenFile, role, session, endpoint }: WebIdentity): Promise<Record<string, string>> {
  const fields = {
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: session,
    WebIdentityToken: tokenOf(tokenFile),
  };
  const answer = await send({
    object: OBJECT,
    url: endpoint,
    method: 'POST',
    timeout: TIMEOUT,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/xml' },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  });
  const text = await textOf(answer);
  const { status } = answer;
  if (status !== 200) {
    const code = codeOf(text);
    const temporary = status >= 500 || status === 429 || (code !== undefined && TEMPORARY.has(code));
    throw new ObjectError(OBJECT, `the token service answered ${status}${code === undefined ? '' : ` (${code})`}`, {
      status,
      code,
      temporary,
    });
  }
  return Object.fromEntries(
    [...text.matchAll(/<(AccessKeyId|SecretAccessKey|SessionToken|Expiration)>([^<]*)</g)].map(([, name, value]) => [
      name === 'SessionToken' ? 'Token' : name,
      value.trim(),
    ]),
  );
}
