import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigError } from './read-settings.ts';
import { defaultConcurrency } from './settings.ts';

const errorsOf = (env: Record<string, string>): string => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    jobTimeoutSeconds: 7200,
    jobRetentionDays: 30,
    drainSeconds: 25,
    sandbox: 'auto',
  });
  expect(config.limits).toEqual({
    requests: { submissionsPerMinute: 600, pendingPerClient: 10_000, pendingInAll: 100_000 },
    tokenFailures: { perClientAndAddressAMinute: 10, perAddressAMinute: 100 },
  });
  expect(config.publicUrl).toBeUndefined();
  expect(Object.isFrozen(config)).toBe(true);
});

test.each([
  [1, 1],
  [2, 2],
  [4, 4],
  [6, 4],
  [8, 4],
  [64, 32],
])('%i cores run %i conversions at a time by default', (cores, expected) => {
  expect(defaultConcurrency(cores)).toBe(expected);
});

test('an invalid list of limits names each invalid limit', () => {
  const message = errorsOf({ TELECINE_CLIENT_LIMITS: 'memory=8,foo=3' });
  expect(message).toMatch(/^TELECINE_CLIENT_LIMITS: memory must be 256M or more; unknown limit "foo"; /);
});

test('reads PORT, and prefers TELECINE_PORT', () => {
  expect(readConfig({ PORT: '9000' }).port).toBe(9000);
  expect(readConfig({ PORT: '9000', TELECINE_PORT: '9001' }).port).toBe(9001);
});

test('an empty variable counts as not set', () => {
  expect(readConfig({ TELECINE_CONCURRENCY: '', TELECINE_PUBLIC_URL: '' })).toMatchObject({ publicUrl: undefined });
});

test('the error lists every invalid variable with what is allowed', () => {
  const text = errorsOf({
    TELECINE_PORT: 'tcp://10.0.0.1:80',
    TELECINE_SANDBOX: 'maybe',
    TELECINE_MIN_FREE_DISK: 'much',
  });
  expect(text).toMatch(/TELECINE_PORT: must be a whole number from 0 to 65535; it is "tcp:/);
  expect(text).toMatch(/TELECINE_SANDBOX: must be one of auto, required, bubblewrap, landlock, off/);
  expect(text).toMatch(/TELECINE_MIN_FREE_DISK: must be a size/);
});

const PUBLIC = { TELECINE_PUBLIC_URL: 'https://media.example.org' };
const limitsOf = (text: string) => readConfig({ TELECINE_RATE_LIMIT: text }).limits;

test('limits can be set one by one', () => {
  expect(limitsOf('pending=5, token-failures-per-address = 7')).toMatchObject({
    requests: { pendingPerClient: 5, submissionsPerMinute: 600 },
    tokenFailures: { perClientAndAddressAMinute: 10, perAddressAMinute: 7 },
  });
  for (const text of [
    'pending',
    'pending=0',
    'pending=-1',
    'constructor=3',
    'pending=1;submissions=2',
    'off,pending=1',
  ])
    expect(errorsOf({ TELECINE_RATE_LIMIT: text })).toContain('TELECINE_RATE_LIMIT');
});

test('off removes the request limits, but not those for failed token requests', () => {
  expect(limitsOf('off')).toEqual({ requests: undefined, tokenFailures: limitsOf('').tokenFailures });
  expect(limitsOf('off,token-failures=3').tokenFailures.perClientAndAddressAMinute).toBe(3);
});

test('proxies are addresses and networks; anything else is rejected', () => {
  const list = ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'];
  expect(readConfig({ TELECINE_TRUST_PROXY: list.join(', ') }).trustProxy).toEqual(list);
  for (const text of ['true', '1', 'proxy.local', '10.0.0.0/33', '10.0.0.0/', 'fd00::/129', '127.0.0.1,,::1', '*'])
    expect(errorsOf({ TELECINE_TRUST_PROXY: text })).toContain('TELECINE_TRUST_PROXY: must be a list of addresses');
});

test('warns if a failpoint is set', () => {
  expect(readConfig({ TELECINE_FAILPOINT: 'after-claim' }).warnings).toEqual([
    expect.stringContaining('TELECINE_FAILPOINT is set'),
  ]);
});

test('sizes take binary units', () => {
  expect(readConfig({ TELECINE_MIN_FREE_DISK: '2G' }).minFreeBytes).toBe(2 * 2 ** 30);
  expect(readConfig({ TELECINE_MIN_FREE_DISK: '500MiB' }).minFreeBytes).toBe(500 * 2 ** 20);
});

test('a storage is a bucket, with or without a prefix', () => {
  const storageOf = (text: string) => readConfig({ TELECINE_STORAGE: text }).storage;
  expect(storageOf('s3://media')).toEqual({ bucket: 'media', prefix: '' });
  expect(storageOf('s3://media/telecine//a b%20')).toEqual({ bucket: 'media', prefix: 'telecine/a b%20/' });
  for (const text of ['media', 's3://', 'https://media', 's3://media/../other', 's3://media?versionId=1'])
    expect(errorsOf({ TELECINE_STORAGE: text })).toMatch(/^TELECINE_STORAGE: must be a bucket/);
});

test('rejects credentials in the address of a storage, without repeating them', () => {
  expect(errorsOf({ TELECINE_STORAGE_ENDPOINT: 'https://amy:secret@s3.lan' })).toMatch(
    /^TELECINE_STORAGE_ENDPOINT: must not contain credentials(?!.*amy:secret)/,
  );
});

test('rejects a public address of the storage that has the origin of the service', () => {
  const errorsFor = (address: string, env: Record<string, string>) =>
    errorsOf({ TELECINE_STORAGE: 's3://media', TELECINE_STORAGE_PUBLIC_ENDPOINT: address, ...env });
  const own = /^TELECINE_STORAGE_PUBLIC_ENDPOINT: must not have the origin of this service/;
  expect(errorsFor('https://MEDIA.example.org:443/s3', PUBLIC)).toMatch(own);
  expect(errorsFor('http://127.0.0.1:8080', {})).toMatch(own);
  expect(errorsFor('http://[::1]:9000', { TELECINE_HOST: '::1', TELECINE_PORT: '9000' })).toMatch(own);
  const other = { TELECINE_STORAGE_PUBLIC_ENDPOINT: 'https://s3.example.org', ...PUBLIC };
  expect(readConfig(other).storagePublicEndpoint).toBe('https://s3.example.org');
});

test('warns about settings of a storage that is not used', () => {
  const warningsOf = (env: Record<string, string>) => readConfig(env).warnings.join();
  expect(warningsOf({ TELECINE_STORAGE: 's3://media', TELECINE_MEDIA_ROOT: '/media' })).toContain(
    'TELECINE_MEDIA_ROOT',
  );
  expect(warningsOf({ TELECINE_SCRATCH_DIR: '/scratch' })).toContain('TELECINE_SCRATCH_DIR');
  expect(warningsOf({ TELECINE_STORAGE_PUBLIC_ENDPOINT: 'https://s3.lan' })).toContain(
    'TELECINE_STORAGE_PUBLIC_ENDPOINT',
  );
});

test('rejects an address of a database that is not PostgreSQL, without repeating its password', () => {
  expect(readConfig({ TELECINE_DATABASE_URL: 'postgres://db/telecine' }).databaseUrl).toBe('postgres://db/telecine');
  for (const url of ['mysql://amy:secret@db/telecine', 'postgres://amy:secret@db', 'db.example.org:5432'])
    expect(errorsOf({ TELECINE_DATABASE_URL: url })).toMatch(/^TELECINE_DATABASE_URL: must be an address(?!.*secret)/);
});

test('rejects a job timeout over 23 hours on PostgreSQL, and names the setting', () => {
  const postgres = { TELECINE_DATABASE_URL: 'postgres://db/telecine' };
  const timeout = (seconds: number) => ({ TELECINE_JOB_TIMEOUT_SECONDS: String(seconds) });
  expect(errorsOf({ ...postgres, ...timeout(82_801) })).toBe(
    'TELECINE_JOB_TIMEOUT_SECONDS: 82801 is too long with TELECINE_DATABASE_URL; at most 82800 (23 hours) is allowed, because the queue on PostgreSQL hands a job out again after 24 hours',
  );
  expect(errorsOf({ ...postgres, ...timeout(82_800) })).toBe('');
  expect(errorsOf(timeout(31_536_000)), 'on SQLite').toBe('');
});

test('warns about an unknown variable and suggests the closest name', () => {
  expect(readConfig({ TELECINE_MEDIA_ROT: '/m' }).warnings).toEqual([
    'TELECINE_MEDIA_ROT is not a setting of this version; did you mean TELECINE_MEDIA_ROOT?',
  ]);
});

test('no OAuth issuer by default', () => {
  expect(readConfig(PUBLIC)).toMatchObject({ oauthIssuer: undefined, oauthTokenType: 'at+jwt' });
});

test('keeps an issuer exactly as written, since tokens are compared with it', () => {
  for (const issuer of ['https://acme.auth.example/', 'https://login.example.org/realms/media', 'http://[::1]:3000'])
    expect(readConfig({ ...PUBLIC, TELECINE_OAUTH_ISSUER: issuer }).oauthIssuer).toBe(issuer);
});

test('an issuer needs https, or http on loopback', () => {
  for (const text of [
    'http://login.example.org',
    'http://127.0.0.1.example.org',
    'http://localhost.example.org',
    'https://user:secret@login.example.org',
    'https://login.example.org/?tenant=1',
    'https://login.example.org/#',
    'file:///etc/passwd',
    'login.example.org',
    ' https://login.example.org',
  ])
    for (const name of ['TELECINE_OAUTH_ISSUER', 'TELECINE_OAUTH_JWKS_URI'])
      expect(errorsOf({ ...PUBLIC, [name]: text }), text).toContain(`${name}: must be an https address`);
});

test('an issuer requires TELECINE_PUBLIC_URL', () => {
  expect(errorsOf({ TELECINE_OAUTH_ISSUER: 'https://login.example.org' })).toContain('needs TELECINE_PUBLIC_URL');
});

test('the console can have an id at the issuer only if there is one', () => {
  expect(errorsOf({ ...PUBLIC, TELECINE_OAUTH_CLIENT_ID: 'console' })).toContain('needs TELECINE_OAUTH_ISSUER');
});

test('the console asks the issuer who logs in, and chooses the parameters that protect the sign-in itself', () => {
  for (const scope of ['openid', 'openid jobs:read', 'api://telecine/.default openid'])
    expect(errorsOf({ TELECINE_OAUTH_SIGN_IN_SCOPE: scope })).toBe('');
  for (const scope of ['jobs:read', 'openid,jobs:read', 'openid  jobs:read', 'open id'])
    expect(errorsOf({ TELECINE_OAUTH_SIGN_IN_SCOPE: scope }), scope).toContain('with openid among them');
  expect(errorsOf({ TELECINE_OAUTH_SIGN_IN_PARAMETERS: 'audience=https://media.example.org&prompt=login' })).toBe('');
  for (const name of ['state', 'nonce', 'redirect_uri', 'code_challenge_method', 'response_type'])
    expect(errorsOf({ TELECINE_OAUTH_SIGN_IN_PARAMETERS: `prompt=login&${name}=x` })).toContain(
      `must not contain ${name}`,
    );
  expect(errorsOf({ TELECINE_OAUTH_SIGN_IN_PARAMETERS: 'resource=a&resource=b' })).toContain('twice');
});

test('reads a list of audiences, and a scope prefix that fits a header', () => {
  const read = (env: Record<string, string>) => readConfig({ ...PUBLIC, ...env });
  expect(read({ TELECINE_OAUTH_AUDIENCE: 'api://telecine, https://media.example.org' }).oauthAudiences).toEqual([
    'api://telecine',
    'https://media.example.org',
  ]);
  expect(errorsOf({ TELECINE_OAUTH_AUDIENCE: 'a,,b' })).toContain('TELECINE_OAUTH_AUDIENCE');
  expect(read({ TELECINE_OAUTH_SCOPE_PREFIX: 'telecine:' }).oauthScopePrefix).toBe('telecine:');
  for (const prefix of ['a b', 'a"', 'a\\', 'é'])
    expect(errorsOf({ TELECINE_OAUTH_SCOPE_PREFIX: prefix })).not.toBe('');
});
