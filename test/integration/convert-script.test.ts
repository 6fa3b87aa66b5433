import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { testFolder } from '../support/folders.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { needs } from '../support/needs.ts';

const SCRIPT = resolve(import.meta.dirname, '../../examples/convert.sh');

needs('curl', 'jq')('convert.sh renews its token, and follows the redirect to an object store without it', async () => {
  const toStore: unknown[] = [];
  const store = await listenOnLoopback(
    createServer((request, response) => {
      toStore.push(request.headers.authorization);
      response.end('film');
    }),
  );
  let tokens = 0;
  let polls = 0;
  const rejected: string[] = [];
  const service = await listenOnLoopback(
    createServer(async (request, response) => {
      await text(request);
      const send = (body: object): unknown =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      const { url = '', headers } = request;
      if (url === '/api/auth/token') {
        tokens += 1;
        return send({ accessToken: `token-${tokens}`, expiresIn: 0 });
      }
      // Each token is valid for one request.
      if (headers.authorization !== `Bearer token-${tokens}`) rejected.push(url);
      if (url.endsWith('/output')) return response.writeHead(302, { location: `${store}/film.mp4` }).end();
      if (url === '/api/conversion/J') {
        polls += 1;
        return send({ status: polls < 3 ? 'PROCESSING' : 'COMPLETED' });
      }
      return send({ jobId: 'J' });
    }),
  );
  const folder = await testFolder('script');
  await writeFile(join(folder, 'in.mov'), 'film');
  const env = { ...process.env, TELECINE_URL: service, TELECINE_CLIENT_ID: 'amy', TELECINE_CLIENT_SECRET: 'hush' };
  await promisify(execFile)('bash', [SCRIPT, 'in.mov', 'out.mp4'], { cwd: folder, env });
  expect(await readFile(join(folder, 'out.mp4'), 'utf8')).toBe('film');
  expect([tokens, polls, rejected, toStore]).toEqual([6, 3, [], [undefined]]);
});
