import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { command } from '../../scripts/setup/command.ts';
import { clip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2' } });
const test = needs('ffmpeg').concurrent;

/** What a stranger put into the file's tags: words, a forged line, a path. */
const SECRET = 'Lena-7f3a';
const TAGS = {
  title: `${SECRET} title`,
  comment: `${SECRET}\nInput #9, ${SECRET}, from '/etc/passwd':\n  Duration: 00:00:01.00, start: 0, bitrate: 1 kb/s`,
  artist: `[error] ${SECRET} /root/secret`,
};

let tagged: Promise<void> | undefined;

async function ready() {
  const shared = await start();
  tagged ??= tag(join(shared.server.mediaRoot, 'tagged.mkv'));
  await tagged;
  return shared;
}

async function tag(file: string): Promise<void> {
  const tags = Object.entries(TAGS).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
  const args = ['-v', 'error', '-i', await clip('480p', 3), '-c', 'copy', ...tags, file];
  expect(await command(tools().ffmpegPath, args)).toMatchObject({ ok: true });
}

const CASES: readonly (readonly [string, object, RegExp])[] = [
  ['that completed', { parameters: { c: 'copy' }, output: 'copy.mkv' }, /^Output #0, matroska, to 'out\/copy\.mkv':$/m],
  ['that encoded', { parameters: { 'c:v': 'libx264', preset: 'ultrafast' }, output: 'x.mp4' }, /^\[libx264\] /m],
  ['that failed', { parameters: { c: 'copy' }, output: 'no.webm' }, /^\[error\] \[webm\] Only VP8/m],
  ['whose map met nothing', { parameters: { map: '0:s' }, output: 'm.mkv' }, /matches no streams/],
];

test.for(CASES)('of a job %s the log holds known lines alone', ([, request, known]) => holdsKnownLines(request, known));

test('of a job whose filter fails the log holds known lines alone', async () => {
  const { server } = await ready();
  await writeFile(join(server.mediaRoot, 'no.cube'), `${SECRET}\n`);
  const request = { input: undefined, inputs: ['tagged.mkv', 'no.cube'], parameters: { vf: 'lut3d=no.cube' } };
  await holdsKnownLines({ ...request, output: 'f.mp4' }, /omitted$/m);
});

async function holdsKnownLines(request: object, known: RegExp): Promise<void> {
  const { server, admin } = await ready();
  const job = await admin.run({ input: 'tagged.mkv', ...request });
  const log = await admin.log(job.jobId);
  expect(log).toMatch(known);
  expect(log).toMatch(/\n$/);
  for (const hidden of [
    SECRET,
    server.mediaRoot,
    server.dataDir,
    '/usr',
    '/etc',
    '/job',
    '/tmp',
    ' @ 0x',
    'ffmpeg version',
  ])
    expect(log).not.toContain(hidden);
  expect(JSON.stringify(await admin.job(job.jobId))).not.toContain(server.mediaRoot);
}

test('a job that has not run has an empty log', async () => {
  const { admin } = await start();
  const job = await admin.run({ input: 'nowhere.mp4', output: 'x.mkv' });
  expect(await admin.log(job.jobId)).toBe('');
});
