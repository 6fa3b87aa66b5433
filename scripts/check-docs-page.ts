// npm run test:docs-page: opens /docs in Chromium, as a reader would, and checks what is shown and what is loaded.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPage } from './check-docs-page/browser.ts';
import { printCheck, requireChromium } from './lib/page-checks.ts';
import { startService } from './lib/service.ts';
import { ensureTools } from './setup/tools.ts';

const chromium = await requireChromium();
const { ffmpegPath, ffprobePath } = await ensureTools();
const folder = await mkdtemp(join(tmpdir(), 'telecine-docs-page-'));
const env = { FFMPEG_PATH: ffmpegPath, FFPROBE_PATH: ffprobePath, TELECINE_MEDIA_ROOT: folder };
const service = await startService({ dataDir: join(folder, 'data'), mediaRoot: folder, env });
try {
  const visit = (operation: string, sample: RegExp) =>
    openPage(chromium, join(folder, 'browser'), `${service.url}/docs#tag/${operation}`, sample);
  // The page shows the samples of an operation when a reader chooses it.
  const tokens = await visit('tokens/POST/api/auth/token', /^curl \S+\/api\/auth\/token/m);
  const submission = await visit('conversions/POST/api/conversion', /^curl \S+\/api\/conversion\b/m);
  const [sample = ''] = /^curl \S+\/api\/conversion\b[\s\S]*?\}'$/m.exec(submission.text) ?? [];
  const pages = [tokens, submission];
  const hosts = new Set(pages.flatMap((page) => page.hosts));
  const errors = pages.flatMap((page) => page.errors);
  const groups: readonly string[] = submission.text.match(/^(?:Tokens|Conversions)$/gm) ?? [];
  const checks: readonly (readonly [fact: string, holds: boolean, found: unknown])[] = [
    ['tokens come before conversions', groups[0] === 'Tokens' && groups.includes('Conversions'), groups],
    ['the sample of a conversion has a body', sample.includes('"output"'), submission.text],
    ['the sample of a conversion is not a dry run', !sample.includes('dryRun'), sample],
    ['the sample of a conversion has no Idempotency-Key', !/idempotency-key/i.test(sample), sample],
    ['only this service is contacted', hosts.size === 1 && hosts.has(new URL(service.url).host), [...hosts]],
    ['the console shows no error', errors.length === 0, errors],
  ];
  for (const check of checks) printCheck(...check);
} finally {
  await service.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
