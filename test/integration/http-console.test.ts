import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpDeps } from '../../packages/service/src/http/deps.ts';
import { httpApp } from '../support/http-app.ts';

/** The policy of the page, as its directives. */
async function policyOf(change: Partial<HttpDeps> = {}): Promise<Readonly<Record<string, string>>> {
  const consoleFolder = await mkdtemp(join(tmpdir(), 'telecine-test-'));
  onTestFinished(() => rm(consoleFolder, { recursive: true }));
  await mkdir(join(consoleFolder, 'assets'));
  await writeFile(join(consoleFolder, 'index.html'), '<!doctype html>');
  const page = await httpApp({ consoleFolder, ...change }).app.inject({ method: 'GET', url: '/' });
  expect(page.statusCode).toBe(200);
  const directives = String(page.headers['content-security-policy']).split('; ');
  return Object.fromEntries(directives.map((one) => [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)]));
}

test('the console loads nothing from other hosts', async () => {
  const policy = await policyOf();
  expect(policy).toMatchObject({ 'default-src': "'none'", 'script-src': "'self'", 'style-src': "'self'" });
  expect(Object.values(policy).join(' ')).not.toMatch(/https?:|unsafe/);
});

test('the console shows pictures and films to which downloads are redirected, and runs no script from there', async () => {
  const origin = 'https://s3.example.org';
  const { 'img-src': pictures, 'media-src': films, ...others } = await policyOf({ fileOrigins: [origin] });
  expect([pictures, films]).toEqual([`'self' blob: ${origin}`, `'self' blob: ${origin}`]);
  expect(others['script-src']).toBe("'self'");
});

test('a browser at an unknown address gets the console, which says so; programs get an error', async () => {
  const consoleFolder = await mkdtemp(join(tmpdir(), 'telecine-test-'));
  onTestFinished(() => rm(consoleFolder, { recursive: true }));
  await mkdir(join(consoleFolder, 'assets'));
  await writeFile(join(consoleFolder, 'index.html'), '<!doctype html>');
  const { app } = httpApp({ consoleFolder });
  const get = (url: string, accept: string) => app.inject({ method: 'GET', url, headers: { accept } });
  const page = await get('/nope?a=1', 'text/html,*/*;q=0.8');
  expect([page.statusCode, page.body]).toEqual([404, '<!doctype html>']);
  expect(page.headers['content-security-policy']).toContain("script-src 'self';");
  for (const [url, accept] of [
    ['/nope', '*/*'],
    ['/nope', 'application/json'],
    ['/api/nope', 'text/html'],
    ['/assets/nope.js', 'text/html'],
  ] as const) {
    const problem = await get(url, accept);
    expect([problem.statusCode, problem.headers['content-type']], url).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
  }
  const without = await httpApp({}).app.inject({ method: 'GET', url: '/nope', headers: { accept: 'text/html' } });
  expect(without.headers['content-type']).toBe('application/problem+json; charset=utf-8');
});

test('the manual is served beside the console, by the policy of the console', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'telecine-test-'));
  onTestFinished(() => rm(dist, { recursive: true }));
  const consoleFolder = join(dist, 'console');
  for (const folder of ['console/assets', 'manual/api']) await mkdir(join(dist, folder), { recursive: true });
  await writeFile(join(dist, 'manual/api/index.html'), '<!doctype html>');
  await writeFile(join(dist, 'secret'), 'secret');
  const { app } = httpApp({ consoleFolder });
  const page = await app.inject({ method: 'GET', url: '/manual/api/' });
  expect(page.statusCode).toBe(200);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html',
    'content-security-policy': expect.stringContaining("script-src 'self';"),
  });
  for (const path of ['api', 'api/no.html', '../secret', '%2e%2e/secret', 'api/..%2f..%2fsecret'])
    expect((await app.inject({ method: 'GET', url: `/manual/${path}` })).statusCode, path).toBe(404);
});

test('leads browsers to the reference of the API if the manual is not built', async () => {
  const consoleFolder = await mkdtemp(join(tmpdir(), 'telecine-test-'));
  onTestFinished(() => rm(consoleFolder, { recursive: true }));
  await mkdir(join(consoleFolder, 'assets'));
  const reply = await httpApp({ consoleFolder }).app.inject({ method: 'GET', url: '/manual/' });
  expect(reply.headers.location).toBe('/docs');
});
