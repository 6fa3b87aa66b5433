// @module-tag long
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JobView } from '../../packages/contract/src/wire/job.ts';
import type { DemoConversion } from '../../scripts/demo/conversions.ts';
import { inspect } from '../../scripts/demo/inspect.ts';
import { runDemo } from '../../scripts/demo/run.ts';
import { command } from '../../scripts/setup/command.ts';
import { testFolder } from '../support/folders.ts';
import { putClip, putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';

const DEMO = join(import.meta.dirname, '../../scripts/demo.ts');

const conversionTo = (result: string): DemoConversion => ({
  title: result,
  endpoint: '/api/conversion',
  sample: 'mp3',
  result,
  parameters: {},
  expected: { format: 'mp3', audio: { codec: 'mp3' }, seconds: 12.3 },
});

needs('any ffmpeg')('the demo tells results that are right from those that are not', async () => {
  const folder = await testFolder('demo');
  await putSample(folder, 'mp3', 'right.mp3');
  await putClip(folder, 'mp3', 3, 'short.mp3');
  await putSample(folder, 'flac', 'other.mp3');
  await putSample(folder, '480p', 'broken.mp3');
  await truncate(join(folder, 'broken.mp3'), 50_000);
  const names = ['right.mp3', 'short.mp3', 'other.mp3', 'broken.mp3', 'missing.mp3', 'failed.mp3'];
  const jobs = names.map((name) => ({ status: name === 'failed.mp3' ? 'FAILED' : 'COMPLETED' }) as JobView);
  const printed: string[] = [];
  const right = await inspect(tools(), folder, names.map(conversionTo), jobs, (line) => printed.push(line));
  expect(right).toBe(1);
  expect(printed[0]).toContain('✓ right.mp3');
  expect(printed[1]).toMatch(/✗ short\.mp3[\s\S]*duration is 3\.\d+ s, expected 12\.3 s/);
  expect(printed[2]).toMatch(/✗ other\.mp3[\s\S]*container is flac, expected mp3/);
  for (const line of printed.slice(3)) expect(line).toMatch(/✗ \w+\.mp3[\s\S]*\n +\S/);
});

needs('any ffmpeg')('a demo with one wrong result among correct ones fails', async () => {
  const lines: string[] = [];
  const wrong: DemoConversion = { ...conversionTo('wrong.mp3'), parameters: { t: '2' } };
  const run = runDemo(await testFolder('demo'), tools(), (line) => lines.push(line), new AbortController().signal, [
    conversionTo('good.mp3'),
    wrong,
  ]);
  await expect(run).rejects.toThrow('1 of 2 results are not as requested.');
  expect(lines.join('\n')).toMatch(/✓ good\.mp3[\s\S]*✗ wrong\.mp3[\s\S]*duration is 2\.\d+ s, expected 12\.3 s/);
});

needs('any ffmpeg')('a demo that cannot come to a good end says why and exits with 1', async () => {
  const { ok, text } = await command(process.execPath, [DEMO], {
    TMPDIR: await testFolder('demo'),
    NO_COLOR: '1',
    FFMPEG_PATH: '/nowhere/ffmpeg',
  });
  expect(ok).toBe(false);
  expect(text).toMatch(/The demo failed\. .*\/nowhere\/ffmpeg/);
});
