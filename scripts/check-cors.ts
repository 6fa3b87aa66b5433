// npm run test:cors: checks in Chromium that a page of another origin can call the API only if a setting allows it.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPage } from './check-docs-page/browser.ts';
import { adminLogin } from './lib/api.ts';
import { printCheck, requireChromium } from './lib/page-checks.ts';
import { startService } from './lib/service.ts';
import { ensureTools } from './setup/tools.ts';

const chromium = await requireChromium();

/** The page submits a conversion with a token, reads the header fields of the reply, and shows what it got. */
const pageFor = (url: string, token: string): string => `<!doctype html><link rel="icon" href="data:,"><body><script>
  const show = (text) => { document.body.innerText = text; };
  fetch(${JSON.stringify(`${url}/api/conversion`)}, {
    method: 'POST',
    headers: {
      authorization: ${JSON.stringify(`Bearer ${token}`)},
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ input: 'missing.mp4', output: 'out.mkv' }),
  }).then(
    (reply) => show('status ' + reply.status + ' location ' + reply.headers.get('location')
      + ' limit ' + reply.headers.get('ratelimit') + ' id ' + reply.headers.get('x-request-id')),
    (error) => show('failed ' + error),
  );
</script></body>`;

const { ffmpegPath, ffprobePath } = await ensureTools();
const folder = await mkdtemp(join(tmpdir(), 'telecine-cors-'));
const target = { url: '', token: '' };
const site = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8').end(pageFor(target.url, target.token));
}).listen(0, '127.0.0.1');
await once(site, 'listening');
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

/** Returns what the page shows if the service has this setting. */
async function visitWith(origins: string | undefined): Promise<string> {
  const service = await startService({
    dataDir: join(folder, 'data'),
    mediaRoot: folder,
    env: {
      FFMPEG_PATH: ffmpegPath,
      FFPROBE_PATH: ffprobePath,
      ...(origins !== undefined && { TELECINE_CORS_ORIGINS: origins }),
    },
  });
  try {
    target.url = service.url;
    target.token = (await adminLogin(service.url, join(folder, 'data'))).accessToken;
    const page = await openPage(chromium, join(folder, 'browser'), `${origin}/`, /^(?:status|failed) /);
    return page.text;
  } finally {
    await service.stop();
  }
}

const ALLOWED = /^status 202 location \/api\/conversion\/[\da-f-]{36} limit "submissions";r=\d+;t=\d+ id \S+$/;
const BLOCKED = /^failed TypeError/;

try {
  const checks: readonly (readonly [fact: string, origins: string | undefined, expected: RegExp])[] = [
    ['a page of an allowed origin submits a conversion and reads the header fields', origin, ALLOWED],
    ['with *, any page does', '*', ALLOWED],
    ['a page of another origin gets nothing', 'https://app.example.org', BLOCKED],
    ['without the setting, no page does', undefined, BLOCKED],
  ];
  for (const [fact, origins, expected] of checks) {
    const text = await visitWith(origins);
    printCheck(fact, expected.test(text.trim()), text);
  }
} finally {
  site.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
