// @module-tag long
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import { isCertainFailure } from '../../packages/service/src/jobs/submit/dry-run.ts';
import type { JobSummary } from '../../packages/service/src/mcp/results/job-summary.ts';
import { command } from '../../scripts/setup/command.ts';
import { callRejectedTool, callTool, mcpClient } from '../support/mcp-client.ts';
import { needs } from '../support/needs.ts';
import { NO_RATE_LIMITS } from '../support/no-rate-limits.ts';
import { pauseForTest } from '../support/pause-for-test.ts';
import { sampled } from '../support/sampled.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';
import { mediaOfCauses } from './media-causes/media.ts';

const start = sharedServer({ env: { ...NO_RATE_LIMITS, TELECINE_CONCURRENCY: '2' } });
let media: Promise<void> | undefined;
const test = needs('ffmpeg');

/** Those of the causes, and a film whose subtitles and second sound begin late. */
async function putMedia(root: string): Promise<void> {
  await mediaOfCauses(root);
  const make = async (name: string, ...args: readonly string[]): Promise<void> => {
    const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', '-y', ...args, join(root, name)]);
    if (!ok) throw new Error(text);
  };
  await writeFile(join(root, 'late.srt'), '1\n00:00:03,000 --> 00:00:04,000\nAt last\n');
  const inputs = ['-i', join(root, 'talk.mp4'), '-itsoffset', '2', '-i', join(root, 'short.wav')];
  const late = [
    '-i',
    join(root, 'late.srt'),
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-map',
    '2',
    '-c:v',
    'copy',
    '-c:a',
    'eac3',
  ];
  await make('late.mkv', ...inputs, ...late);
  // Nothing of its first half second can be decoded.
  const damage = ['-g', '12', '-bf', '0', '-bsf:v', "noise=amount='if(lt(n,12),1,0)'"];
  await make('damaged.mkv', '-i', join(root, 'talk.mp4'), '-an', '-c:v', 'libx264', ...damage);
}

async function ready() {
  const shared = await start();
  media ??= putMedia(shared.server.mediaRoot);
  await media;
  return shared;
}

const vf = (text: string, output = 'a.mp4'): ConversionRequest => ({
  input: 'talk.mp4',
  output,
  parameters: { vf: text },
});
const graph = (text: string, inputs: readonly string[], output = 'a.mp4'): ConversionRequest => ({
  inputs,
  output,
  parameters: { filter_complex: text },
});

interface FailingRow {
  readonly title: string;
  readonly request: ConversionRequest;
  readonly message: RegExp;
}

const FAILING: readonly FailingRow[] = [
  {
    title: 'a size that the codec of the second output has not',
    request: {
      input: 'talk.mp4',
      outputs: [{ output: 'first.mp4' }, { output: 'second.dv', parameters: { 'c:v': 'dvvideo' } }],
    },
    message: /Found no DV profile for 320x180 yuv420p video\.$/,
  },
  {
    title: 'one film for an overlay',
    request: graph('[0:v]overlay', ['talk.mp4']),
    message: /overlay has an input without a label/,
  },
  {
    title: 'one film for alphamerge',
    request: graph('[0:v]alphamerge', ['talk.mp4']),
    message: /alphamerge has an input without a label/,
  },
  {
    title: 'a picture that is no palette',
    request: graph('[0:v][1:v]paletteuse', ['talk.mp4', 'photo.jpg'], 'a.gif'),
    message: /palette/i,
  },
  {
    title: 'one film for a crossfade',
    request: graph('[0:v]xfade=transition=fade:duration=1:offset=3', ['talk.mp4']),
    message: /xfade has an input without a label/,
  },
  {
    title: 'a profile without the pixel format',
    request: {
      input: 'talk.mp4',
      output: 'a.mp4',
      parameters: { 'c:v': 'libx264', 'profile:v': 'high', vf: 'format=yuv444p' },
    },
    message: /profile/,
  },
  {
    title: 'a bit rate that Opus rejects',
    request: { input: 'music.ogg', output: 'a.opus', parameters: { 'c:a': 'libopus', 'b:a': '1000k' } },
    message: /choose a value between 500 and 256000/,
  },
  {
    title: 'colours that the file does not name',
    request: vf('colorspace=all=bt709'),
    message: /Unsupported input primaries 2/,
  },
  {
    title: 'a size that H.263 has not',
    request: { input: 'talk.mp4', output: 'a.3gp', parameters: { 'c:v': 'h263', 'c:a': 'aac' } },
    message: /H\.263/,
  },
  {
    title: 'a size that DV has not',
    request: { input: 'talk.mp4', output: 'a.dv', parameters: { 'c:v': 'dvvideo' } },
    message: /Found no DV profile for 320x180 yuv420p video\.$/,
  },
  {
    title: 'a bitstream filter for another codec',
    request: {
      input: 'talk.mp4',
      output: 'a.mkv',
      parameters: { 'c:v': 'copy', 'c:a': 'libopus', 'bsf:a': 'aac_adtstoasc' },
    },
    message: /Codec 'opus' \(\d+\) is not supported by the bitstream filter 'aac_adtstoasc'/,
  },
  {
    title: 'a film without subtitles as subtitles',
    request: vf('subtitles=talk.mp4'),
    message: /"talk\.mp4" has no subtitles/,
  },
];

test.for(sampled(FAILING, 4))(
  'a dry run says what ffmpeg rejects: $title',
  async ({ request, message }, { expect }) => {
    const { server, admin } = await ready();
    const job = await admin.run(request);
    expect(job).toMatchObject({ status: 'FAILED', error: { message: expect.stringMatching(message) } });
    const { code, message: text = '', fix } = job.error ?? {};
    const foreseen = expect.objectContaining({ code, message: `${text} The job would fail.`, fix });
    const dryRun = async () => {
      const dry = await admin.request<DryRunView>('/api/conversion?dryRun=true', { body: request });
      return dry.body.warnings;
    };
    // On a busy machine, a trial that is not over in time says nothing, and is made again after 30 seconds.
    await expect.poll(dryRun, { timeout: 45_000, interval: 1000 }).toContainEqual(foreseen);

    const client = await mcpClient(server.url, admin.token);
    const { more = [], ...error } = await callRejectedTool(client, 'convert_media', { ...request });
    expect([error, ...more]).toContainEqual(foreseen);
  },
);

/** Right requests of which a fraction of a second, or a run on another machine, may fail, or which no trial can run. */
const RIGHT: readonly ConversionRequest[] = [
  { input: 'talk.mp4', output: 'r/seek.mp4', parameters: { ss: '2', vf: 'hflip' } },
  vf('trim=start=2,setpts=PTS-STARTPTS', 'r/trim.mp4'),
  vf("select='gte(t,2)'", 'r/select.mp4'),
  vf('thumbnail=60', 'r/thumbnail.png'),
  vf('fps=1,scale=80:-2,tile=2x2', 'r/tile.png'),
  vf('fps=1/2', 'r/every-%02d.jpg'),
  { input: 'talk.mp4', output: 'r/reverse.mp4', parameters: { vf: 'reverse', af: 'areverse' } },
  { input: 'talk.mp4', output: 'r/two-passes.mp4', parameters: { pass: '2', 'b:v': '300k', 'c:v': 'libx264' } },
  { input: 'talk.mp4', output: 'r/loud.m4a', parameters: { vn: '', pass: '2', af: 'loudnorm=I=-16:TP=-1.5:LRA=11' } },
  {
    inputs: [{ input: 'photo.jpg', parameters: { loop: '1' } }, 'short.wav'],
    output: 'r/still.mp4',
    parameters: { 'c:v': 'libx264', tune: 'stillimage', pix_fmt: 'yuv420p', shortest: '' },
  },
  {
    input: 'talk.mp4',
    output: 'r/part-%02d.mp4',
    parameters: { f: 'segment', segment_time: '2', reset_timestamps: '1' },
  },
  { input: 'talk.mp4', output: 'r/hls/index.m3u8', parameters: { hls_time: '2', hls_playlist_type: 'vod' } },
  { input: 'talk.mp4', output: 'r/dash/index.mpd', parameters: { seg_duration: '2' } },
  { inputs: ['talk.mp4', 'other.mp4'], join: 'encode', output: 'r/join.mp4', parameters: { crf: '30' } },
  {
    input: 'talk.mp4',
    cut: { keep: [{ start: 1, end: 2 }, { start: 3 }] },
    output: 'r/cut.mp4',
    parameters: { crf: '30' },
  },
  { input: 'photos/p%02d.png', output: 'r/sequence.mp4', parameters: { framerate: '10', vf: 'scale=128:-2' } },
  {
    inputs: [{ source: 'color=c=black:s=320x180:r=25', duration: '2' }, 'short.wav'],
    output: 'r/source.mp4',
    parameters: { vf: 'noise=alls=20', 'c:v': 'libx264' },
  },
  { input: 'late.mkv', output: 'r/late.srt', parameters: { 'c:s': 'srt', map: '0:s:0' } },
  { input: 'late.mkv', output: 'r/late.mp4', parameters: { map: '0', c: 'copy', 'c:s': 'mov_text' } },
  { input: 'late.mkv', output: 'r/late.wav', parameters: { map: '0:a', af: 'volume=2' } },
  { input: 'late.mkv', output: 'r/burnt.mp4', parameters: { vf: 'subtitles=late.mkv', map: '0:v' } },
  {
    inputs: ['talk.mp4', 'talk.mp4'],
    output: 'r/xfade.mp4',
    parameters: { filter_complex: '[0:v][1:v]xfade=duration=1:offset=3,format=yuv420p' },
  },
  graph('[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1', ['talk.mp4', 'talk.mp4'], 'r/concat.mp4'),
  graph('split[a][b];[a]palettegen[p];[b][p]paletteuse', ['silent.mp4'], 'r/palette.gif'),
  {
    inputs: [{ input: 'talk.mp4', parameters: { stream_loop: '-1' } }],
    output: 'r/loop.mp4',
    parameters: { t: '9', vf: 'vflip' },
  },
  {
    inputs: [{ input: 'talk.mp4', parameters: { ss: '2' } }],
    output: 'r/copyts.mkv',
    parameters: { copyts: '', vf: 'hflip' },
  },
  { input: 'talk.mp4', output: 'r/size.mp4', parameters: { fs: '60k', 'c:v': 'libx264' } },
  // Slower than a trial may be.
  { input: 'talk.mp4', output: 'r/slow.mp4', parameters: { t: '0.6', vf: 'scale=960:-2,nlmeans=s=3:r=15' } },
  { input: 'damaged.mkv', output: 'r/damaged.mp4', parameters: { crf: '30', 'c:v': 'libx264' } },
];

test.for(sampled(RIGHT, 8))(
  'a dry run says nothing against a right request: $output',
  { timeout: 90_000 },
  async (request, { expect }) => {
    const { server, admin } = await ready();
    const client = await mcpClient(server.url, admin.token);
    const { warnings } = await callTool<DryRunView>(client, 'convert_media', { ...request, dryRun: true });
    expect(warnings.filter(isCertainFailure)).toEqual([]);
    const { jobId } = await callTool<JobSummary>(client, 'convert_media', { ...request });
    expect(await admin.wait(jobId, undefined, 80)).toMatchObject({ status: 'COMPLETED' });
  },
);

test('inputs that are not there, or may change before the job, are not tried', async ({ expect }) => {
  const { server, admin } = await ready();
  const client = await mcpClient(server.url, admin.token);
  const failing = vf('colorspace=all=bt709', 'b.mp4');
  for (const request of [
    { ...failing, input: 'coming.mp4' },
    { ...failing, after: [await admin.accept(vf('hflip', 'r/before.mp4'))] },
  ])
    expect(await callTool<JobSummary>(client, 'convert_media', request)).toMatchObject({ jobId: expect.any(String) });
});

const writtenIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true }).catch(() => [])).filter((path) => path.includes('/out/'));

const SLOW = { vf: 'scale=3840:-2,nlmeans=s=3:r=15' };

/** Runs `during`, and returns the most files that trials had written at a time meanwhile. */
async function mostFiles({ dataDir }: TestServer, during: () => Promise<unknown>): Promise<number> {
  const folder = join(dataDir, 'tmp');
  const done = during().then(() => true);
  let most = 0;
  while (!(await Promise.race([done, sleep(20)]))) most = Math.max(most, (await writtenIn(folder)).length);
  return most;
}

test('no command is tried of a request that is rejected, or while the queue is paused', async ({ expect }) => {
  const { server, admin } = await ready();
  const dryRun = (parameters: object) =>
    admin.request('/api/conversion?dryRun=true', { body: { input: 'talk.mp4', output: 'n.mp4', parameters } });
  expect(await mostFiles(server, () => dryRun(SLOW))).toBe(1);
  const rejected = () =>
    admin.request('/api/conversion', { body: { ...vf(SLOW.vf), parameters: { ...SLOW, crf: null } } });
  expect(await mostFiles(server, rejected), 'rejected').toBe(0);
  await pauseForTest(admin);
  expect(await mostFiles(server, () => dryRun({ ...SLOW, crf: '30' })), 'paused').toBe(0);
  await admin.request('/api/queue/resume', { method: 'POST' });
});
