import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { makeMedia } from '../support/decoded.ts';
import { needs } from '../support/needs.ts';
import { outcomesOf } from '../support/outcomes.ts';
import { tools } from '../support/tools.ts';

const test = needs('ffmpeg');
const run = promisify(execFile);

/** A film of a phone: stored in landscape, shown upright. */
const ready = outcomesOf('orientation', async (folder) => {
  const made = ['-f', 'lavfi', '-i', 'testsrc=s=96x64:r=25:d=2', '-f', 'lavfi', '-i', 'sine=d=2'];
  await makeMedia(
    folder,
    ...made,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    'a.mp4',
  );
  await makeMedia(folder, '-i', 'a.mp4', '-c', 'copy', '-metadata:s:v', 'rotate=90', 'phone.mp4');
});

/** Width and height of the frames as players show them. */
async function shownSize(file: string): Promise<string> {
  const args = [
    '-v',
    'info',
    '-nostdin',
    '-i',
    `file:${file}`,
    '-map',
    '0:v:0',
    '-frames:v',
    '1',
    '-f',
    'rawvideo',
    '-',
  ];
  const { stderr } = await run(tools().ffmpegPath, args, { encoding: 'utf8' });
  return /Video: rawvideo.*?, (\d+x\d+)[, ]/.exec(stderr)?.[1] ?? '';
}

const ROWS = [
  ['change-container', 'mp4'],
  ['change-container', 'mkv'],
  ['change-container', 'ts'],
  ['remove-audio', 'mkv'],
  ['cut-without-encoding', 'mov'],
  ['cut-without-encoding', 'ts'],
  ['web-h264', 'mkv'],
] as const;

test.for(ROWS)('%s keeps a phone video upright in .%s, or says that it does not', async ([name, extension]) => {
  const { convert } = await ready();
  const { job, file } = await convert({ input: 'phone.mp4', output: `${name}.${extension}`, preset: { name } });
  const isTold = job.warnings?.some(({ code }) => code === 'ROTATION_LOST') ?? false;
  expect([await shownSize(file), isTold]).toEqual(isTold ? ['96x64', true] : ['64x96', false]);
});

test('a dry run says that a copy would lose the rotation', async () => {
  const { own } = await ready();
  const body = { input: 'phone.mp4', output: 'dry.ts', parameters: { c: 'copy' } };
  const { body: reply } = await own.request<{ readonly warnings?: readonly object[] }>('/api/conversion?dryRun=true', {
    body,
  });
  expect(reply.warnings).toContainEqual(expect.objectContaining({ code: 'ROTATION_LOST', field: '/parameters/c' }));
});
