import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NEWER_VERSIONS, recordedLines } from '../../../../test/fixtures/recorded.ts';
import { parseLogLine } from './log-line.ts';
import { ReportReader } from './report.ts';

function read(name: string): ReportReader {
  const report = new ReportReader();
  for (const line of recordedLines(name)) report.feed(parseLogLine(line));
  return report;
}

const streams = (name: string) => read(name).output(0).streams;

const h264 = { index: 0, type: 'video', codec: 'h264', width: 854, height: 480, fps: 24, pixelFormat: 'yuv420p' };
const aac = { index: 1, type: 'audio', codec: 'aac', profile: 'LC', sampleRate: 48_000, channels: '5.1' };

test('reads the format, duration and streams of an input', () => {
  expect(read('h264-aac').inputs).toEqual([
    {
      demuxer: 'mov,mp4,m4a,3gp,3g2,mj2',
      durationSeconds: 30.02,
      bitRate: 1103,
      streams: [
        { ...h264, profile: 'High', disposition: ['default'], pixelAspect: 1 },
        { ...aac, disposition: ['default'] },
      ],
    },
  ]);
});

test('reads the streams of a transcoded output', () => {
  expect(streams('h264-aac')).toEqual([
    { ...h264, disposition: ['default'] },
    { ...aac, disposition: ['default'] },
  ]);
  expect(streams('vp9-opus')).toMatchObject([
    { index: 0, type: 'video', codec: 'vp9', width: 160, height: 90, fps: 24 },
    { index: 1, type: 'audio', codec: 'opus', sampleRate: 48000, channels: 'stereo' },
  ]);
});

test.each([
  ['copy', ['h264', 'aac']],
  ['mp3', ['mp3']],
  ['flac', ['flac']],
  ['pcm', ['pcm_s16le']],
  ['gif', ['gif']],
  ['jpg', ['mjpeg']],
  ['subtitles', ['mpeg4', 'aac', 'mov_text']],
  ['still', ['h264', 'aac']],
  ['x265', ['hevc']],
  ['svtav1', ['av1']],
  ['hls', ['h264', 'aac']],
])('%s: the codecs of the output are known', (name, codecs) => {
  expect(streams(name).map((stream) => stream.codec)).toEqual(codecs);
});

test('an unknown duration is absent, not zero', () => {
  expect(read('subtitles').inputs[1]).toEqual({
    demuxer: 'srt',
    streams: [{ index: 0, type: 'subtitle', codec: 'subrip' }],
  });
});

test('a title that imitates stream lines adds no stream', () => {
  const report = read('forged');
  expect(report.inputs[0]?.streams.map((s) => s.index)).toEqual([0, 1]);
  expect(report.output(0).streams.map((s) => s.index)).toEqual([0, 1]);
});

test.each(['forged-name', 'forged-language'])('%s: forged output lines are detected', (name) => {
  expect(read(name).isForged).toBe(true);
});

const OUTPUT = ["[info] Output #0, mp4, to 'out/x.mp4':", '[info]   Stream #0:0(und): Audio: aac (LC), 48000 Hz'];
const MAPPING = ['[info] Stream mapping:', '[info]   Stream #0:0 -> #0:0 (copy)'];
const imitated = (...lines: readonly string[]): boolean => {
  const report = new ReportReader();
  for (const line of lines) report.feed(parseLogLine(line));
  return report.isForged;
};

test.each([
  ['an output before', [...OUTPUT, ...MAPPING, ...OUTPUT]],
  ['an extra stream', [...OUTPUT, '[info]   Stream #0:1: Video: h264, 1x1', ...MAPPING]],
  ['an extra stream with a mapping', ['[info] Stream mapping:', ...MAPPING, ...OUTPUT]],
  ['another stream of the same number', [...MAPPING, ...OUTPUT, '[info]   Stream #0:0: Video: h264, 1x1']],
  ['a language that ends its line', [...OUTPUT, '[info]   Stream #0:1(x', 'y): Audio: aac']],
  ['a language that ends itself', [...MAPPING, OUTPUT[0] ?? '', '[info]   Stream #0:0(x): Video: h264 (): Audio: aac']],
  [
    'a language that hides the rest',
    [...MAPPING, OUTPUT[0] ?? '', `[info]   Stream #0:0(x): Video: h264 ${'y'.repeat(5000)}`],
  ],
])('%s counts as forged', (_what, lines) => {
  expect(imitated(...lines)).toBe(true);
});

const INPUT = "[info] Input #0, nut, from 'in/0.nut':";
const DURATION = '[info]   Duration: 00:00:01.00, start: 0.000000, bitrate: 67 kb/s';
const audio = (numbers: string): string => `[info]   Stream #${numbers}: Audio: flac, 44100 Hz, mono, s16`;

test.each([
  ['another first input', [INPUT, audio('0:0'), "[info] Input #0, mov, from 'q':", audio('0:1')]],
  ['another second input', [INPUT, audio('0:0'), "[info] Input #1, mov, from 'q':", audio('0:1')]],
  ['a line that ends the input', [INPUT, audio('0:0'), '[info] x', audio('0:1')]],
  ['an extra stream before the others', [INPUT, audio('0:0'), audio('0:0')]],
  ['a stream of another input', [INPUT, audio('1:0')]],
  ['a second duration', [INPUT, DURATION, DURATION]],
  ['a language that ends its line', [INPUT, '[info]   Stream #0:0(x', 'y): Audio: flac', audio('0:1')]],
])('%s counts as forged, and all streams are counted', (_what, lines) => {
  const report = new ReportReader();
  for (const line of lines) report.feed(parseLogLine(line));
  expect(report.isForged).toBe(true);
  expect(report.largestStreamCount).toBe(new Set(lines.flatMap((line) => /#\d+:\d+/.exec(line)?.[0] ?? [])).size);
});

test('programs whose streams are in another order, and streams of unknown types, do not count as forged', () => {
  const unknown = '[info]   Stream #0:2[0x102]: Unknown: none';
  expect(imitated(INPUT, '[info]   Program 1 ', audio('0:1'), audio('0:0'), '[info]   No Program', unknown)).toBe(
    false,
  );
  expect(imitated(INPUT, audio('0:0'), audio('0:1'), unknown)).toBe(false);
});

/** A line at level verbose, as ffmpeg colours it. It writes the line in pieces. */
const verbose = (text: string, component = ''): string =>
  `${component}\x1b[0;32m[verbose] \x1b[0m\x1b[0;32m${text.replaceAll('; ', '; \x1b[0m\x1b[0;32m')}\x1b[0m`;
const WRITTEN = '  Output stream #0:0 (video): 48 frames encoded; 47 packets muxed (64321 bytes); ';
const VIDEO_OUTPUT = [
  '[info] Stream mapping:',
  '[info]   Stream #0:0 -> #0:0 (h264 (native) -> h264 (libx264))',
  "[info] Output #0, mp4, to 'out/x.mp4':",
  '[info]   Metadata:',
  '[info]     encoder         : Lavf59.27.100',
  '[info]   Stream #0:0: Video: h264 (avc1 / 0x31637661), yuv420p(tv), 854x480 [SAR 1:1 DAR 427:240], q=2-31, 24 fps',
  '[info]     Metadata:',
  '[info]       encoder         : Lavc59.37.100 libx264',
];
const reportOf = (...lines: readonly string[]): ReportReader => {
  const report = new ReportReader();
  for (const line of lines) report.feed(parseLogLine(line));
  return report;
};

test.each([
  ['5.1', ''],
  ['7.1', '[out#0/mp4 @ 0x555566539780] '],
])(
  'with ffmpeg %s, the log says how many packets of a video were written, and by which encoder',
  (_version, component) => {
    const audio = verbose(
      '  Output stream #0:1 (audio): 9 frames encoded (9216 samples); 9 packets muxed (99 bytes); ',
    );
    const report = reportOf(...VIDEO_OUTPUT, verbose(WRITTEN, component), audio);
    expect(report.output(0).encodedVideos).toEqual([
      {
        ...{ packets: 47, bytes: 64_321, width: 854, height: 480, pixelFormat: 'yuv420p' },
        encoder: 'Lavc59.37.100 libx264',
      },
    ]);
    expect(report.isForged).toBe(false);
    expect(reportOf(...VIDEO_OUTPUT).output(0).encodedVideos, 'the file is not complete').toEqual([]);
  },
);

test('text that imitates the end of a run says nothing about packets', () => {
  const forged = [`[verbose] ${WRITTEN}`, `[info] ${WRITTEN}`, `[info]     title           : ${WRITTEN}`, WRITTEN];
  // ffmpeg replaces the escape characters in a text by question marks.
  const colored = `?[0;32m[verbose] ?[0m?[0;32m${WRITTEN}?[0m`;
  const asked = verbose(`x${WRITTEN}`);
  const report = reportOf(...VIDEO_OUTPUT, ...forged, colored, `[info] ${colored}`, asked, verbose(`${WRITTEN}x`));
  expect(report.output(0).encodedVideos).toEqual([]);
  const twice = reportOf(...VIDEO_OUTPUT, verbose(WRITTEN), verbose(WRITTEN.replace('47', '48')));
  expect(twice.isForged).toBe(true);
});

test('no ordinary report counts as forged', () => {
  expect(imitated(...MAPPING, ...OUTPUT)).toBe(false);
  expect(imitated(...OUTPUT, ...MAPPING)).toBe(false);
  const names = readdirSync(join(import.meta.dirname, '../../../../test/fixtures/ffmpeg-output'), { recursive: true });
  const plain = names.map(String).filter((name) => name.endsWith('.txt') && !name.startsWith('forged-'));
  expect(plain.length).toBeGreaterThan(40);
  expect(plain.filter((name) => read(name.replace(/\.txt$/, '')).isForged)).toEqual([]);
});

test('no output is reported before its header is written', () => {
  expect(read('unknown-encoder').output(0).muxer).toBeUndefined();
  expect(read('hls').output(0).muxer).toBe('hls');
});

describe.each(NEWER_VERSIONS)('with the log of ffmpeg %s', (version) => {
  test('reads copied streams with their languages and dispositions', () => {
    expect(streams(`${version}/subtitles`)).toEqual([
      { ...h264, profile: 'High', disposition: ['default'] },
      { ...aac, disposition: ['default'] },
      { index: 2, type: 'subtitle', codec: 'mov_text', language: 'deu', disposition: ['default', 'forced'] },
      {
        ...{ index: 3, type: 'video', codec: 'png', width: 854, height: 480, pixelFormat: 'rgb24' },
        disposition: ['attached_pic'],
      },
    ]);
  });

  test.each([
    ['h264-aac', ['h264', 'aac']],
    ['copy', ['h264', 'aac']],
    ['gif', ['gif']],
    ['hls', ['h264', 'aac']],
    ['mp3', ['mp3']],
    ['jpg', ['mjpeg']],
  ])('%s: the codecs of the output are known', (name, codecs) => {
    expect(streams(`${version}/${name}`).map(({ codec }) => codec)).toEqual(codecs);
    expect(read(`${version}/${name}`).inputs[0]).toMatchObject({ durationSeconds: 30 });
  });
});
