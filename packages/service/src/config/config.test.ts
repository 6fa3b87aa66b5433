import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { ConfigError } from './read-settings.ts';
import { defaultConcurrency, SETTINGS } from './settings.ts';
import { settingsManual } from './settings-manual.ts';

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
    jobRetentionDays: 30,
    drainSeconds: 25,
    sandbox: 'auto',
  });
  expect(config.clientLimits).toMatchObject({ time: 7200, submissions: 600, pending: 10_000, shares: 100 });
  expect(config.serviceLimits).toEqual({
    'pending-in-all': 100_000,
    'token-failures': 10,
    'token-failures-per-address': 100,
    'connections-without-token-per-address': 256,
    'bytes-in-flight': 96 * 2 ** 20,
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
const limitsOf = (text: string) => readConfig({ TELECINE_SERVICE_LIMITS: text }).serviceLimits;

test('limits of the service can be set one by one', () => {
  expect(limitsOf('pending-in-all=5, token-failures-per-address = 7')).toMatchObject({
    'pending-in-all': 5,
    'token-failures': 10,
    'token-failures-per-address': 7,
  });
  expect(limitsOf('connections=2000,connections-without-token=500')).toMatchObject({
    connections: 2000,
    'connections-without-token': 500,
  });
  for (const text of [
    'connections',
    'connections=0',
    'connections=-1',
    'constructor=3',
    'connections=1;token-failures=2',
  ])
    expect(errorsOf({ TELECINE_SERVICE_LIMITS: text }), text).toContain('TELECINE_SERVICE_LIMITS: ');
  for (const text of [
    'bytes-in-flight=1M',
    'bytes-in-flight=x',
    'bytes-in-flight=',
    'connections=1.5',
    'connections=1e3',
  ])
    expect(errorsOf({ TELECINE_SERVICE_LIMITS: text }), text).toMatch(/(bytes-in-flight|connections) must be/);
});

test('only the limit of queued jobs can be removed, not those that stop guesses of secrets', () => {
  expect(limitsOf('pending-in-all=none')).not.toHaveProperty('pending-in-all');
  expect(errorsOf({ TELECINE_SERVICE_LIMITS: 'token-failures=none' })).toContain('token-failures must not be none');
});

test('an unknown setting is named with the one that was meant, or with the list of all', () => {
  const warningOf = (name: string) => readConfig({ [name]: '3' }).warnings.join();
  expect(warningOf('TELECINE_OAUTH_ISSUER')).toBe(
    'TELECINE_OAUTH_ISSUER is not a setting of this version; did you mean TELECINE_OAUTH?',
  );
  expect(warningOf('TELECINE_CLIENT_LIMIT')).toContain('did you mean TELECINE_CLIENT_LIMITS?');
  expect(warningOf('TELECINE_WEBHOOKS_PER_CLIENT')).toContain('; docs/configuration.md lists all');
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
  expect(readConfig({ TELECINE_FAILPOINT: 'after-claim:SIGSTOP' }).failpoint).toBe('after-claim:SIGSTOP');
  for (const text of ['never', 'after-claim:SIGHUP'])
    expect(errorsOf({ TELECINE_FAILPOINT: text })).toContain('must be one of after-claim, ');
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

test('rejects a run time over 23 hours on PostgreSQL, and names the setting', () => {
  const postgres = { TELECINE_DATABASE_URL: 'postgres://db/telecine' };
  const timeout = (seconds: number) => ({ TELECINE_CLIENT_LIMITS: `time=${seconds}` });
  expect(errorsOf({ ...postgres, ...timeout(82_801) })).toBe(
    'TELECINE_CLIENT_LIMITS: time=82801 is too long with TELECINE_DATABASE_URL; at most 82800 (23 hours) is allowed, because the queue on PostgreSQL hands a job out again after 24 hours',
  );
  expect(errorsOf({ ...postgres, ...timeout(82_800) })).toBe('');
  expect(errorsOf(timeout(31_536_000)), 'on SQLite').toBe('');
  expect(readConfig({ ...postgres, TELECINE_CLIENT_LIMITS: 'time=none' }).longestRunSeconds).toBe(82_800);
});

test('warns about an unknown variable and suggests the closest name', () => {
  expect(readConfig({ TELECINE_MEDIA_ROT: '/m' }).warnings).toEqual([
    'TELECINE_MEDIA_ROT is not a setting of this version; did you mean TELECINE_MEDIA_ROOT?',
  ]);
});

const ISSUER = { issuer: 'https://login.example.org' };
const oauthOf = (value: object) => readConfig({ ...PUBLIC, TELECINE_OAUTH: JSON.stringify(value) }).oauth;
const oauthErrors = (value: object) => errorsOf({ ...PUBLIC, TELECINE_OAUTH: JSON.stringify(value) });

test('no OAuth issuer by default', () => {
  expect(readConfig(PUBLIC).oauth).toBeUndefined();
  expect(oauthOf(ISSUER)).toEqual({ ...ISSUER, tokenType: 'at+jwt', scopePrefix: '' });
});

test('keeps an issuer exactly as written, since tokens are compared with it', () => {
  for (const issuer of ['https://acme.auth.example/', 'https://login.example.org/realms/media', 'http://[::1]:3000'])
    expect(oauthOf({ issuer })?.issuer).toBe(issuer);
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
    for (const name of ['issuer', 'jwksUri'])
      expect(oauthErrors({ ...ISSUER, [name]: text }), text).toContain(
        `TELECINE_OAUTH: "${name}" must be an https address`,
      );
});

test('an issuer requires TELECINE_PUBLIC_URL', () => {
  expect(errorsOf({ TELECINE_OAUTH: JSON.stringify(ISSUER) })).toContain('needs TELECINE_PUBLIC_URL');
});

test.each<[title: string, text: string, message: string]>([
  ['a text that is not JSON', 'https://login.example.org', 'TELECINE_OAUTH: must be JSON'],
  ['a list', '[]', 'TELECINE_OAUTH: must be a JSON object with the member "issuer"'],
  ['an id of the console without an issuer', '{"clientId": "console"}', '"issuer" must be a text'],
  [
    'an unknown member',
    '{"issuer": "https://a.example", "isuer": ""}',
    'has the unknown field "isuer"; allowed: issuer, ',
  ],
  [
    'another type of token',
    '{"issuer": "https://a.example", "tokenType": "JWT"}',
    '"tokenType" must be "at+jwt" or "jwt"',
  ],
  ['no audience', '{"issuer": "https://a.example", "audience": []}', '"audience" must not be empty'],
])('rejects %s', (_, text, message) => {
  expect(errorsOf({ ...PUBLIC, TELECINE_OAUTH: text })).toContain(message);
});

test('the console asks the issuer who logs in, and chooses the parameters that protect the sign-in itself', () => {
  for (const signInScope of ['openid', 'openid jobs:read', 'api://telecine/.default openid'])
    expect(oauthErrors({ ...ISSUER, signInScope })).toBe('');
  for (const signInScope of ['jobs:read', 'openid,jobs:read', 'openid  jobs:read', 'open id'])
    expect(oauthErrors({ ...ISSUER, signInScope }), signInScope).toContain('with openid among them');
  const signInParameters = { audience: 'https://media.example.org', prompt: 'login' };
  expect(oauthErrors({ ...ISSUER, signInParameters })).toBe('');
  for (const name of ['state', 'nonce', 'redirect_uri', 'code_challenge_method', 'response_type'])
    expect(oauthErrors({ ...ISSUER, signInParameters: { [name]: 'x' } }), name).toContain(
      `must not contain a parameter that the service chooses`,
    );
});

test('reads a list of audiences, and a scope prefix that fits a header', () => {
  const audience = ['api://telecine', 'https://media.example.org'];
  expect(oauthOf({ ...ISSUER, audience })?.audience).toEqual(audience);
  expect(oauthOf({ ...ISSUER, scopePrefix: 'telecine:' })?.scopePrefix).toBe('telecine:');
  for (const scopePrefix of ['a b', 'a"', 'a\\', 'é', ''])
    expect(oauthErrors({ ...ISSUER, scopePrefix }), scopePrefix).not.toBe('');
});

test('there are at most 55 settings, and no cell of their manual is longer than a screen', () => {
  expect(Object.keys(SETTINGS).length).toBeLessThanOrEqual(55);
  const cells = settingsManual()
    .split('\n')
    .flatMap((line) => line.split(' | '));
  expect(cells.filter((cell) => cell.length > 450)).toEqual([]);
  expect(settingsManual().match(/ ● /g)).toHaveLength(10);
});
