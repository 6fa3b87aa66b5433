import { execFileSync, spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { exportRequest } from './export-request.ts';

const REQUEST = { input: "it's here.mov", output: 'out $HOME.mp4', parameters: { vf: "drawtext=text='a'" } };
const SERVICE = { url: 'http://127.0.0.1:8080', clientId: 'shop' };

test('JSON is the request', () => {
  expect(JSON.parse(exportRequest('json', REQUEST, SERVICE))).toEqual(REQUEST);
});

test('a shell passes the request to curl as it is', () => {
  // The first command gets a token, with the secret that it asks for or finds in the environment.
  const command = exportRequest('curl', REQUEST, SERVICE).replace(/^curl/m, 'set --');
  const curl = `curl() { [ "$(cat)" = 'user = "shop:secret"' ] && printf '{"access_token":"a-token","expires_in":9}'; }`;
  const words = execFileSync('sh', ['-c', `${curl}; ${command}; printf '%s\\0' "$@"`], {
    env: { TELECINE_CLIENT_SECRET: 'secret' },
  });
  const [, , address, , token, , type, , body] = String(words).split('\0');
  expect([address, token, type]).toEqual([
    'http://127.0.0.1:8080/api/conversion',
    'authorization: Bearer a-token',
    'content-type: application/json',
  ]);
  expect(JSON.parse(body ?? '')).toEqual(REQUEST);
});

test('the command has the secret in no argument, and escapes it for curl', () => {
  const secret = String.raw`a "quoted" \ secret`;
  const curl = `curl() { echo "$@" >&2; cat >&2; }`;
  const { stderr } = spawnSync('sh', ['-c', `${curl}; ${exportRequest('curl', REQUEST, SERVICE)}`], {
    env: { TELECINE_CLIENT_SECRET: secret },
    encoding: 'utf8',
  });
  const [words, config] = stderr.split('\n');
  expect(words).toBe('-sS --fail-with-body -K - -d grant_type=client_credentials http://127.0.0.1:8080/oauth/token');
  expect(config).toBe(String.raw`user = "shop:a \"quoted\" \\ secret"`);
});

test('a rejected secret is said by the reply of the token request, and nothing is submitted', () => {
  const curl = `curl() { cat >/dev/null; echo '{"error":"invalid_client"}'; echo called >&2; return 22; }`;
  const { stderr, status } = spawnSync('sh', ['-c', `${curl}; ${exportRequest('curl', REQUEST, SERVICE)}`], {
    env: { TELECINE_CLIENT_SECRET: 'wrong' },
    encoding: 'utf8',
  });
  expect(stderr).toBe('called\n{"error":"invalid_client"}\n');
  expect(status).not.toBe(0);
});

test('the TypeScript is a program', () => {
  const program = exportRequest('typescript', REQUEST, SERVICE);
  expect(() => stripTypeScriptTypes(program)).not.toThrow();
  expect(program).toContain(JSON.stringify(REQUEST, null, 2));
});

test('several requests are exported as a batch', () => {
  const all = [REQUEST, { ...REQUEST, input: 'other.mov' }];
  expect(JSON.parse(exportRequest('json', all, SERVICE))).toEqual({ requests: all });
  expect(exportRequest('curl', all, SERVICE)).toContain(
    'curl -sS --fail-with-body http://127.0.0.1:8080/api/conversions ',
  );
  const program = exportRequest('typescript', all, SERVICE);
  expect(() => stripTypeScriptTypes(program)).not.toThrow();
  expect(program).toContain(`client.submitBatch(${JSON.stringify(all, null, 2)})`);
});
