import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../scripts/setup/command.ts';
import { commonServer } from '../support/common-server.ts';
import { clip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { tools } from '../support/tools.ts';

const start = commonServer();
const test = needs('ffmpeg').concurrent;

/** Tags of the input that must not reach the log: text, a forged log line, a path. */
const SECRET = 'Lena-7f3a';
const TAGS = {
  title: `${SECRET} title`,
  comment: `${SECRET}\nInput #9, ${SECRET}, from '/etc/passwd':\n  Duration: 00:00:01.00, start: 0, bitrate: 1 kb/s`,
  artist: `[error] ${SECRET} /root/secret`,
};

let tagged: Promise<void> | undefined;

async function ready() {
  const shared = await start();
  tagged ??= writeInputs(shared.server.mediaRoot);
  await tagged;
  return shared;
}

async function writeInputs(mediaRoot: string): Promise<void> {
  await writeFile(join(mediaRoot, 'no.cube'), `${SECRET}\n`);
  const file = join(mediaRoot, 'tagged.mkv');
  const tags = Object.entries(TAGS).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]);
  const args = ['-v', 'error', '-i', await clip('480p', 3), '-c', 'copy', ...tags, file];
  const { ok, text } = await command(tools().ffmpegPath, args);
  if (!ok) throw new Error(`ffmpeg could not write ${file}: ${text}`);
}

const CASES: readonly (readonly [string, object, RegExp])[] = [
  ['that completed', { parameters: { c: 'copy' }, output: 'copy.mkv' }, /^Output #0, matroska, to 'out\/copy\.mkv':$/m],
  ['that encoded', { parameters: { 'c:v': 'libx264', preset: 'ultrafast' }, output: 'x.mp4' }, /^\[libx264\] /m],
  ['that failed', { parameters: { c: 'copy' }, output: 'no.webm' }, /^\[error\] \[webm\] Only VP8/m],
  ['whose map matches nothing', { parameters: { map: '0:s' }, output: 'm.mkv' }, /matches no streams/],
  [
    'whose filter fails',
    {
      ...{ input: undefined, inputs: ['tagged.mkv', 'no.cube'] },
      ...{ parameters: { vf: 'lut3d=no.cube' }, output: 'f.mp4' },
    },
    /omitted$/m,
  ],
];

test.for(sampled(CASES, 2))(
  'the log of a job %s contains only allowed lines',
  async ([, request, known], { expect }) => {
    const { log, job, secrets } = await runAndReadLog(request);
    expect(log).toMatch(known);
    expect(log).toMatch(/\n$/);
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
    expect(JSON.stringify(job)).not.toContain((await start()).server.mediaRoot);
  },
);

async function runAndReadLog(request: object) {
  const { server, own } = await ready();
  const { jobId } = await own.run({ input: 'tagged.mkv', ...request });
  const paths = [server.mediaRoot, server.dataDir, '/usr', '/etc', '/job', '/tmp'];
  const secrets = [SECRET, ...paths, ' @ 0x', 'ffmpeg version'];
  return { log: await own.log(jobId), job: await own.job(jobId), secrets };
}

test('a job that has not run has an empty log', async ({ expect }) => {
  const { own } = await start();
  const job = await own.run({ input: 'nowhere.mp4', output: 'x.mkv' });
  expect(await own.log(job.jobId)).toBe('');
});
