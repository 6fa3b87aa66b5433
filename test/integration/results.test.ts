import { stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { JobOutput, OutputStream } from '../../packages/contract/src/domain/job.ts';
import type { MediaInfo, MediaStream } from '../../packages/contract/src/domain/media-info.ts';
import type { Mount } from '../../packages/contract/src/domain/plan.ts';
import { planProbe } from '../../packages/ffmpeg/src/probe/plan-probe.ts';
import { runProbe } from '../../packages/ffmpeg/src/probe/probe.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { command } from '../../scripts/setup/command.ts';
import { conversion, MOVIE, planOf, scratch } from '../fixtures/conversion.ts';
import { NO_SANDBOX } from '../fixtures/sandboxes.ts';
import { testFolder } from '../support/folders.ts';
import { mediaRoot } from '../support/media-root.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { tools } from '../support/tools.ts';

interface Result {
  readonly title: string;
  /** The arguments without the output, which is the last one. */
  readonly argv: readonly string[];
  /** The main output file. */
  readonly file: string;
  /** Expected seconds, if ffprobe reports none or an estimate; null: there is no duration. */
  readonly seconds?: number | null;
  /** Tolerance of the duration in frames. */
  readonly frames?: number;
  /** Values that the decoder names differently from the encoder. */
  readonly different?: 'pixelFormat' | 'fps';
}

const movie = ['-i', 'in/0.mp4'];
const clip = ['-t', '1', ...movie];
const small = ['-s', '64x48'];
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...small];
const thumb = ['-vf', 'fps=5,scale=64:-2'];

const RESULTS: readonly Result[] = [
  { title: 'MP4 encoded', argv: [...clip, ...x264, '-c:a', 'aac'], file: 'a.mp4' },
  {
    title: 'MP4 with B-frames and no sound',
    argv: [...clip, '-an', '-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', ...small],
    file: 'a.mp4',
  },
  { title: 'MP4 copied', argv: [...clip, '-c', 'copy'], file: 'a.mp4' },
  { title: 'Matroska copied', argv: [...clip, '-c', 'copy'], file: 'a.mkv', frames: 2 },
  { title: 'MPEG-TS copied', argv: [...clip, '-c', 'copy'], file: 'a.ts', frames: 2 },
  {
    title: 'MOV, ProRes at an NTSC rate',
    argv: [...clip, '-r', '30000/1001', '-c:v', 'prores_ks', ...small, '-c:a', 'pcm_s24le'],
    file: 'a.mov',
  },
  { title: 'a film rate', argv: [...clip, '-an', '-r', '24000/1001', ...x264], file: 'a.mkv' },
  {
    title: 'WebM',
    argv: [
      ...clip,
      ...small,
      '-c:v',
      'libvpx-vp9',
      '-deadline',
      'realtime',
      '-cpu-used',
      '8',
      '-c:a',
      'libopus',
      '-ac',
      '2',
    ],
    file: 'a.webm',
  },
  { title: 'AVI', argv: [...clip, '-c:v', 'mpeg4', ...small, '-c:a', 'libmp3lame', '-ac', '2'], file: 'a.avi' },
  {
    title: 'languages, titles, a forced track, subtitles in MP4',
    argv: [
      ...clip,
      '-i',
      'in/1.srt',
      '-map',
      '0',
      '-map',
      '1',
      ...x264,
      '-c:a',
      'copy',
      '-c:s',
      'mov_text',
      '-metadata:s:a:0',
      'language=deu',
      '-metadata:s:s:0',
      'language=fra',
      '-disposition:s:0',
      'default',
    ],
    file: 'a.mp4',
  },
  {
    title: 'languages and dispositions in Matroska',
    argv: [
      ...clip,
      '-i',
      'in/1.srt',
      '-map',
      '0',
      '-map',
      '1',
      '-c',
      'copy',
      '-c:s',
      'srt',
      '-metadata:s:a:0',
      'language=deu',
      '-disposition:a:0',
      '0',
      '-disposition:s:0',
      'default+forced',
    ],
    file: 'a.mkv',
    frames: 2,
  },
  {
    title: 'a language that the container does not keep',
    argv: [...clip, '-vn', '-ac', '2', '-metadata:s:a:0', 'language=deu'],
    file: 'a.mp3',
    // The encoder adds a frame at each end.
    frames: 2,
  },
  {
    title: 'a cover in M4A',
    argv: [
      '-i',
      'in/3.flac',
      '-i',
      'in/2.png',
      '-map',
      '0',
      '-map',
      '1',
      '-c:a',
      'aac',
      '-c:v',
      'copy',
      '-disposition:v:0',
      'attached_pic',
      '-t',
      '1',
      '-f',
      'ipod',
    ],
    file: 'a.m4a',
  },
  { title: 'a GIF', argv: [...movie, '-t', '1', ...thumb], file: 'a.gif', different: 'pixelFormat' },
  { title: 'an animated PNG', argv: [...movie, '-t', '1', ...thumb, '-f', 'apng'], file: 'a.png', seconds: 1 },
  { title: 'a lone WebP', argv: [...movie, '-frames:v', '1', ...small], file: 'a.webp', different: 'fps' },
  {
    title: 'a lone JPEG',
    argv: [...movie, '-frames:v', '1', '-update', '1'],
    file: 'a.jpg',
    seconds: null,
    different: 'fps',
  },
  {
    title: 'a series of pictures',
    argv: [...movie, '-t', '1', '-r', '4', ...small, '-f', 'image2'],
    file: '%d.png',
    seconds: null,
    different: 'fps',
  },
  {
    title: 'segments',
    argv: [...movie, '-t', '2', ...x264, '-g', '24', '-c:a', 'aac', '-f', 'segment', '-segment_time', '1'],
    file: '%d.mp4',
    seconds: null,
  },
  {
    title: 'HLS',
    argv: [...movie, '-t', '2', ...x264, '-g', '24', '-c:a', 'aac', '-hls_time', '1', '-hls_playlist_type', 'vod'],
    file: 'a.m3u8',
    seconds: 2,
  },
  { title: 'raw sound', argv: [...clip, '-ac', '2', '-f', 's16le'], file: 'a.pcm' },
  { title: 'ADTS copied', argv: [...clip, '-vn', '-c:a', 'copy'], file: 'a.aac', seconds: 1.003 },
  { title: 'WAV', argv: [...clip, '-vn', '-ac', '2', '-ar', '44100'], file: 'a.wav' },
  { title: 'FLAC with a tempo', argv: ['-i', 'in/3.flac', '-af', 'atempo=2'], file: 'a.flac' },
  { title: 'Opus', argv: ['-i', 'in/3.flac', '-c:a', 'libopus', '-t', '5'], file: 'a.opus' },
  {
    title: 'the shortest of picture and sound',
    argv: [
      '-loop',
      '1',
      '-framerate',
      '10',
      '-i',
      'in/2.png',
      '-i',
      'in/3.flac',
      ...x264,
      '-c:a',
      'aac',
      '-t',
      '20',
      '-shortest',
    ],
    file: 'a.mp4',
  },
  {
    title: 'streams of which nothing is set, in Matroska',
    argv: ['-loop', '1', '-framerate', '10', '-t', '2', '-i', 'in/2.png', '-i', 'in/3.flac', ...x264, '-t', '2'],
    file: 'a.mkv',
  },
  { title: 'cut on the input, copied', argv: ['-ss', '4.2', '-t', '3', ...movie, '-c', 'copy'], file: 'a.mp4' },
  { title: 'cut on the output', argv: [...movie, '-ss', '0.3', '-t', '1.2', ...x264, '-c:a', 'aac'], file: 'a.mp4' },
  {
    title: 'twice as fast',
    argv: [...clip, '-vf', 'setpts=PTS/2,fps=24', '-af', 'atempo=2', ...x264, '-c:a', 'aac'],
    file: 'a.mp4',
  },
  { title: 'subtitles alone', argv: ['-i', 'in/1.srt'], file: 'a.vtt' },
];

let inputs: Promise<readonly Mount[]> | undefined;
const mountsOfAll = (): Promise<readonly Mount[]> => {
  inputs ??= material();
  return inputs;
};

async function material(): Promise<readonly Mount[]> {
  const folder = await testFolder('material');
  const words = join(folder, '1.srt');
  await writeFile(words, '1\n00:00:00,500 --> 00:00:01,500\nHallo\n\n2\n00:00:01,800 --> 00:00:02,600\nMehr\n');
  const picture = join(folder, '2.png');
  await command(tools().ffmpegPath, ['-v', 'error', '-i', MOVIE, '-frames:v', '1', '-s', '64x48', picture]);
  return [
    { logical: 'in/0.mp4', hostPath: MOVIE },
    { logical: 'in/1.srt', hostPath: words },
    { logical: 'in/2.png', hostPath: picture },
    { logical: 'in/3.flac', hostPath: samplePath('flac') },
  ];
}

needs('ffmpeg').for(sampled(RESULTS, 8))('$title: the job says what ffprobe says', async (one) => {
  const dir = await scratch();
  const mounts = await mountsOfAll();
  const plan = planOf(`out/${one.file}`, [[...one.argv, `out/${one.file}`]]);
  const outcome = await runConversion(conversion(NO_SANDBOX, dir, plan, { mounts }));
  expect(outcome).toMatchObject({ ok: true });
  if (!outcome.ok) return;
  const info = await infoOf(join(dir, 'out', one.file.replace('%d', one.file.endsWith('mp4') ? '0' : '1')));
  const [output = {}] = outcome.outputs;
  expectLength(output, info, one);
  // The manifest contains no media; the report describes its segments.
  const streams = (info ?? (await infoOf(join(dir, 'out/a0.ts'))))?.streams ?? [];
  expect(output.streams?.map(asWritten)).toEqual(
    streams.map((stream, at) => asReported(stream, output.streams?.[at], one)),
  );
});

function expectLength({ durationSeconds }: Partial<JobOutput>, info: MediaInfo | undefined, one: Result): void {
  const seconds = one.seconds === undefined ? info?.format.durationSeconds : (one.seconds ?? undefined);
  if (seconds === undefined || durationSeconds === undefined) {
    expect(durationSeconds).toBe(seconds);
    return;
  }
  const [video] = info?.streams.flatMap(({ frameRate }) => frameRate ?? []) ?? [];
  const frame = video === undefined ? AUDIO_FRAME_SECONDS : 1 / video;
  expect(Math.abs(durationSeconds - seconds)).toBeLessThan((one.frames ?? 1) * frame + 0.002);
}

const asWritten = ({ pixelFormat, ...stream }: OutputStream): OutputStream => ({
  ...stream,
  ...(pixelFormat && { pixelFormat: pixelFormat.replace('yuvj', 'yuv') }),
});

/** 1152 samples of MP3 at 44.1 kHz. */
const AUDIO_FRAME_SECONDS = 0.0262;

/**
 * Converts ffprobe's description of a stream to the form of a job. `reported`: the stream as the job reports it, for
 * properties that cannot be compared exactly.
 */
function asReported(found: MediaStream, reported: OutputStream | undefined, { different, file }: Result): OutputStream {
  // The MP4 muxer chooses the default track.
  const isMp4 = /\.(?:mp4|mov|m4a)$/.test(file);
  const { index, type, codec = 'unknown', width, height, frameRate } = found;
  const { language, disposition, pixelFormat, profile, sampleRate, channelLayout } = found;
  const same = {
    // JPEG decoders use another pixel format for full range.
    pixelFormat: different === 'pixelFormat' ? reported?.pixelFormat : pixelFormat?.replace('yuvj', 'yuv'),
  };
  const set = disposition.filter((name) => name !== 'default' || !isMp4);
  const near = frameRate !== undefined && Math.abs((reported?.fps ?? 0) / frameRate - 1) < 0.01;
  const members = {
    ...{ index, type: type as OutputStream['type'], codec, width, height, ...same, sampleRate },
    // A WAV file has the number of channels, but rarely their layout.
    channels: channelLayout ?? reported?.channels,
    fps: different === 'fps' || near ? reported?.fps : frameRate,
    profile: reported?.profile === undefined ? undefined : profile,
    language,
    disposition: set.length === 0 ? undefined : set,
  };
  return JSON.parse(JSON.stringify(members)) as OutputStream;
}

async function infoOf(file: string): Promise<MediaInfo | undefined> {
  const raw = file.endsWith('.pcm') ? { parameters: { f: 's16le', ar: '48000', ac: '2' } } : {};
  const planned = planProbe({ input: file.slice(1), ...raw }, mediaRoot('/'));
  if (!planned.ok) throw new Error(planned.errors[0]?.message);
  const { dev, ino } = await stat(file, { bigint: true });
  const mount = { logical: planned.plan.logical, hostPath: file, identities: [`${dev}:${ino}`] };
  const { ffprobePath } = tools();
  const signal = new AbortController().signal;
  const outcome = await runProbe({
    plan: planned.plan,
    mount,
    ffprobePath,
    sandbox: NO_SANDBOX,
    workRoot: tmpdir(),
    timeoutSeconds: 20,
    signal,
  });
  return outcome.ok ? outcome.info : undefined;
}
