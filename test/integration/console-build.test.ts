// @module-tag long
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';
import { httpApp } from '../support/http-app.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

/** The console of the package, built once per run. */
const FOLDER = join(dirname(inject('program').entry), '../dist/console');

const ASSETS = (await readdir(join(FOLDER, 'assets'))).filter((name) => !name.endsWith('.br'));

const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  httpApp({ consoleFolder: FOLDER }).app.inject({ method: 'GET', url, headers });

test('browsers get the scripts, styles and the page as they were compressed at the build', async () => {
  const compressed = ['/', ...ASSETS.filter((name) => /\.(?:js|css)$/.test(name)).map((name) => `/assets/${name}`)];
  expect(compressed.length).toBeGreaterThan(20);
  for (const url of compressed) {
    const reply = await get(url, { 'accept-encoding': 'gzip, deflate, br' });
    expect([url, reply.statusCode, reply.headers['content-encoding']]).toEqual([url, 200, 'br']);
    const file = url === '/' ? 'index.html' : url;
    expect(brotliDecompressSync(reply.rawPayload).equals(await readFile(join(FOLDER, file))), url).toBe(true);
  }
});

test('a browser that asks for no compression gets none', async () => {
  const reply = await get('/');
  expect(reply.headers['content-encoding']).toBeUndefined();
  expect(reply.body).toContain('<script type="module"');
});

test('the name of each asset has the hash of its content, so browsers keep it and ask for the page alone', async () => {
  expect(ASSETS.filter((name) => !/-[\w-]{8}\.\w+$/.test(name))).toEqual([]);
  for (const name of ASSETS)
    expect((await get(`/assets/${name}`)).headers['cache-control'], name).toContain('max-age=31536000, immutable');
  expect((await get('/')).headers['cache-control']).toBe('private, no-cache');
});

test('the page has no inline script or style, which its policy would stop', async () => {
  const { body } = await get('/');
  expect([...body.matchAll(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/g)].map(String)).toEqual([]);
  expect([...body.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address[0])).not.toContain('h');
});

needs('ffmpeg')('without the console, browsers are led to the reference of the API', async () => {
  const server = await startServer({ until: 'listening', env: { TELECINE_CONSOLE: 'off' } });
  const page = await fetch(server.url, { redirect: 'manual', headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('location')]).toEqual([302, 'docs']);
  for (const path of ['/jobs', '/operate/queue', `/assets/${ASSETS[0]}`])
    expect((await fetch(server.url + path)).status, path).toBe(404);
});
