import { join } from 'node:path';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';
import { decodesWithoutErrors } from '../support/probe.ts';
import { sampled } from '../support/sampled.ts';
import { putTracks, type Tracks, tracksOf } from '../support/tracks.ts';

const start = commonServer();
let media: Promise<void> | undefined;

interface StreamsCase extends ConversionRequest {
  readonly title: string;
  readonly output: string;
  /** The tracks of the output. */
  readonly tracks: Partial<Tracks>;
}

const input = 'tracks.mkv';
const ALL_STREAMS = ['h264', 'aac eng', 'ac3 deu', 'subrip eng', 'subrip deu'];
const BOTH_CHAPTERS = ['First', 'Second'];

const ROWS: readonly StreamsCase[] = [
  {
    title: 'copies every stream, chapter and tag',
    input,
    output: 'all.mkv',
    parameters: { map: '0', c: 'copy' },
    tracks: { streams: ALL_STREAMS, chapters: BOTH_CHAPTERS, tags: { title: 'All tracks', ARTIST: 'Nobody' } },
  },
  {
    title: 'encodes one audio stream by its number and copies the others',
    input,
    output: 'nth.mkv',
    parameters: { map: '0', c: 'copy', 'c:a:1': 'flac' },
    tracks: { streams: ['h264', 'aac eng', 'flac deu', 'subrip eng', 'subrip deu'] },
  },
  {
    title: 'encodes one stream by its index and copies the others',
    input,
    output: 'index.mkv',
    parameters: { map: '0', c: 'copy', 'c:2': 'mp2', 'b:2': '96k' },
    tracks: { streams: ['h264', 'aac eng', 'mp2 deu', 'subrip eng', 'subrip deu'] },
  },
  {
    title: 'maps streams by language',
    input,
    output: 'language.mkv',
    parameters: { map: ['0:v', '0:a:m:language:deu', '0:m:language:eng', '0:s:m:language:deu'], c: 'copy' },
    tracks: { streams: ['h264', 'ac3 deu', 'aac eng', 'subrip eng', 'subrip deu'] },
  },
  {
    title: 'maps streams by id in both notations, one with its own decoder',
    inputs: [{ input: 'tracks.ts', parameters: { 'c:#0x102': 'ac3_fixed' } }],
    output: 'id.mkv',
    parameters: { map: ['0:#0x102', '0:i:256'], 'c:a': 'flac', 'c:v': 'copy' },
    tracks: { streams: ['flac deu', 'h264'] },
  },
  {
    title: 'maps the audio of a program, and video that is not a cover',
    input: 'tracks.ts',
    output: 'program.mkv',
    parameters: { map: ['0:p:1:a', '0:V'], c: 'copy' },
    tracks: { streams: ['aac eng', 'ac3 deu', 'h264'] },
  },
  {
    title: 'maps an optional language, and all streams except the subtitles',
    input,
    output: 'optional.mkv',
    parameters: { map: ['0', '-0:s', '0:m:language:fra?', '-0:a:0'], c: 'copy' },
    tracks: { streams: ['h264', 'ac3 deu'] },
  },
  {
    title: 'sets, adds and clears dispositions',
    input,
    output: 'disposition.mkv',
    parameters: {
      ...{ map: '0', c: 'copy', 'disposition:a:0': '0', 'disposition:a:1': 'default' },
      ...{ 'disposition:s:0': 'default+forced', 'disposition:s:1': '+hearing_impaired' },
    },
    tracks: { dispositions: ['default', '', 'default', 'default+forced', 'hearing_impaired'] },
  },
  {
    title: 'sets tags of the file, a stream and a chapter',
    input,
    output: 'tags.mkv',
    parameters: {
      ...{ map: '0', c: 'copy', 'metadata:g': ['title=New', 'artist='] },
      ...{ 'metadata:s:a:0': 'language=fra', 'metadata:c:1': 'title=Last' },
    },
    tracks: {
      streams: ['h264', 'aac fra', 'ac3 deu', 'subrip eng', 'subrip deu'],
      chapters: ['First', 'Last'],
      tags: { title: 'New' },
    },
  },
  {
    title: 'copies the tags of a chapter to the file and drops the chapters',
    input,
    output: 'moved-tags.mkv',
    parameters: { c: 'copy', map_metadata: '0:c:1', map_chapters: '-1' },
    tracks: { chapters: [], tags: { title: 'Second' } },
  },
  {
    title: 'copies the tags of one stream to another',
    input,
    output: 'stream-tags.mkv',
    parameters: { map: ['0:a:0', '0:s:1'], c: 'copy', 'map_metadata:s:a:0': '0:s:s:1' },
    tracks: { streams: ['aac deu', 'subrip'] },
  },
  {
    title: 'takes chapters and tags of another input',
    inputs: ['tracks.ts', input],
    output: 'other-tags.mkv',
    parameters: { map: '0:v', c: 'copy', map_chapters: '1', map_metadata: '1' },
    tracks: { streams: ['h264'], chapters: BOTH_CHAPTERS, tags: { ARTIST: 'Nobody' } },
  },
  {
    title: 'writes subtitle streams with languages to MP4',
    input,
    output: 'soft.mp4',
    parameters: { map: ['0:v', '0:a:m:language:deu', '0:s?'], c: 'copy', 'c:s': 'mov_text' },
    tracks: { streams: ['h264', 'ac3 deu', 'mov_text eng', 'mov_text deu', 'bin_data eng'] },
  },
  {
    title: 'writes subtitle streams to WebM',
    inputs: [input, 'deu.srt'],
    output: 'soft.webm',
    parameters: {
      ...{ map: ['0:v', '1:s'], 'c:v': 'libvpx', 'cpu-used': '8', deadline: 'realtime', t: '1' },
      ...{ 'c:s': 'webvtt', 'metadata:s:s:0': 'language=ger' },
    },
    tracks: { streams: ['vp8', 'webvtt ger'] },
  },
  {
    title: 'extracts subtitles in another text format',
    input,
    output: 'taken.ass',
    parameters: { map: '0:s:m:language:deu' },
    tracks: { streams: ['ass'] },
  },
];

/** Cases with filters, or bitstream filters with arguments. They need a service with a sandbox. */
const WITH_FILTERS: readonly StreamsCase[] = [
  {
    title: 'applies a bitstream filter with arguments',
    input,
    output: 'bsf.mp4',
    parameters: { c: 'copy', sn: '', 'bsf:v': 'h264_metadata=level=4.1:sample_aspect_ratio=4/3' },
    tracks: { streams: ['h264', 'aac eng', 'bin_data eng'], level: 41 },
  },
  {
    title: 'applies two bitstream filters to one stream',
    input: 'tracks.ts',
    output: 'bsfs.mkv',
    parameters: { map: '0', c: 'copy', 'bsf:v:0': 'dump_extra=freq=keyframe,h264_metadata=level=5' },
    tracks: { streams: ['h264', 'aac eng', 'ac3 deu'], level: 50 },
  },
  {
    title: 'encodes each output of a filtergraph with its own encoder',
    input,
    output: 'labels.mkv',
    parameters: {
      filter_complex: '[0:v]split=2[a][b];[b]scale=160:-2[small]',
      map: ['[a]', '[small]', '0:a:0'],
      ...{ 'c:v:0': 'libx264', 'preset:v:0': 'ultrafast', 'c:v:1': 'mpeg4', 'b:v:1': '200k', 'c:a': 'copy' },
    },
    tracks: { streams: ['h264', 'mpeg4', 'aac eng'] },
  },
];

for (const [test, rows] of [
  [needs('ffmpeg').concurrent, sampled(ROWS, 12)],
  [needs('sandbox').concurrent, sampled(WITH_FILTERS, 3)],
] as const)
  test.for(rows)('$title', async ({ title: _, tracks, output, ...rest }, { expect }) => {
    const { server, own } = await start();
    media ??= putTracks(server.mediaRoot);
    await media;
    const request = { ...rest, output: `streams/${output}` };
    const job = await own.run(request);
    expect(job.error).toBeUndefined();
    const file = join(server.mediaRoot, request.output);
    expect(await tracksOf(file)).toMatchObject(tracks);
    if (!output.endsWith('.ass')) expect(await decodesWithoutErrors(file)).toBe(true);
  });
