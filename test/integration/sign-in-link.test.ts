import { join } from 'node:path';
import { expect, inject, onTestFinished } from 'vitest';
import { startService } from '../../scripts/lib/service.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { startAtTerminal } from '../support/start-at-terminal.ts';

const test = needs('ffmpeg', 'linux');

/** Starts a service without a terminal. Returns what it has printed until it runs jobs. */
async function printedWithoutTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = await testFolder('no-terminal');
  const lines: string[] = [];
  const service = await startService({
    ...{ dataDir: join(folder, 'data'), mediaRoot: folder, program: inject('program'), args, env },
    onLine: (line) => lines.push(line),
  });
  onTestFinished(async () => {
    await service.stop();
  });
  return lines.join('\n');
}

test('a later start at a terminal prints no link', { tags: 'long' }, async () => {
  const folder = await testFolder('starts');
  const env = { TELECINE_DATA_DIR: join(folder, 'data'), TELECINE_MEDIA_ROOT: folder };
  const first = await startAtTerminal(env);
  expect(first.link).toMatch(/^http:\/\/(?:127\.0\.0\.1|localhost):\d+\/#sign-in=\S+$/);
  await first.stop();
  const second = await startAtTerminal(env);
  expect(second.printed).not.toContain('sign-in');
});

test.each([
  ['a service that other machines reach', { TELECINE_HOST: '0.0.0.0' }],
  ['a service without a console', { TELECINE_CONSOLE: 'off' }],
])('the first start at a terminal of %s prints no link', { tags: 'long' }, async (_what, env) => {
  expect((await startAtTerminal(env)).printed).not.toContain('sign-in');
});

test('the first start without a terminal prints no link, where a log would keep it', async () => {
  expect(await printedWithoutTerminal([])).not.toContain('sign-in');
});

test('a service that other machines reach prints no link when it is asked for one', { tags: 'long' }, async () => {
  expect(await printedWithoutTerminal(['--sign-in-link'], { TELECINE_HOST: '0.0.0.0' })).not.toContain('#sign-in');
});
