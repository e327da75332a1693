/**
 * Variables of the environment that Amazon's own programs read, and this one doesn't. Where that would make it work as another user, or by
 * another way than was asked for, it is an error; the rest is said when a worker starts.
 */
type Environment = Readonly<Record<string, string | undefined>>;

/** Names of profiles, and files with profiles. */
const PROFILES = ['AWS_PROFILE', 'AWS_DEFAULT_PROFILE', 'AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE'] as const;

/** Kinds of endpoints, which have addresses of their own. */
const ENDPOINTS = {
  AWS_USE_FIPS_ENDPOINT: 's3-fips.REGION.amazonaws.com',
  AWS_USE_DUALSTACK_ENDPOINT: 's3.dualstack.REGION.amazonaws.com',
} as const;

const HARMLESS: Readonly<Record<string, string>> = {
  AWS_CA_BUNDLE: 'NODE_EXTRA_CA_CERTS names a file of certificates',
  AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: 'AWS_EC2_METADATA_SERVICE_ENDPOINT is the address',
  AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL are followed',
  AWS_MAX_ATTEMPTS: 'the option attempts is their number',
  AWS_REQUEST_CHECKSUM_CALCULATION: 'parts are sent without a checksum of their own',
  AWS_RETRY_MODE: 'attempts come after growing pauses',
  AWS_S3_DISABLE_EXPRESS_SESSION_AUTH: 'directory buckets are not supported',
  AWS_STS_REGIONAL_ENDPOINTS: 'the endpoint of the region is asked; AWS_ENDPOINT_URL_STS names another',
  HTTPS_PROXY: 'connections go to the store directly',
  HTTP_PROXY: 'connections go to the store directly',
  ALL_PROXY: 'connections go to the store directly',
};

const isSet = (environment: Environment, name: string): boolean =>
  Boolean(environment[name] ?? environment[name.toLowerCase()]);

/**
 * Refuses variables that would have had S3 used as another user, or by another way.
 *
 * @param has - The settings without them: whether there are credentials, and whether there is an endpoint.
 * @throws Error with a remedy.
 */
export function refuseIgnored(
  environment: Environment,
  has: { readonly credentials: boolean; readonly endpoint: boolean },
): void {
  const profile = PROFILES.find((name) => isSet(environment, name));
  if (profile !== undefined && !has.credentials)
    throw new Error(
      `"${profile}" is set, and profiles are not read: eval "$(aws configure export-credentials --format env)" sets the variables of one, or unset it`,
    );
  for (const [name, host] of Object.entries(ENDPOINTS))
    if (environment[name]?.toLowerCase() === 'true' && !has.endpoint)
      throw new Error(`"${name}" is set, and not followed: set AWS_ENDPOINT_URL_S3=https://${host}, or unset it`);
}

/** A sentence for each variable that is set and changes nothing. */
export const noticesIn = (environment: Environment): readonly string[] =>
  Object.entries(HARMLESS).flatMap(([name, instead]) =>
    isSet(environment, name) && environment[name] !== 'regional' ? [`${name} is set, and not read: ${instead}`] : [],
  );
