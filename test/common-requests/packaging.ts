import { expect } from 'vitest';
import { describeFile, duration, format, streams, tags } from './checks/container.ts';
import { ffprobe } from './checks/ffmpeg.ts';
import { outputs, streamsOf } from './checks/outputs.ts';
import { keyFrameTimes } from './checks/packets.ts';
import { lines, readResultText } from './checks/text.ts';
import type { CommonRequest } from './common-request.ts';

const h264 = { codec_name: 'h264', width: 320, height: 180 };
const aac = { codec_name: 'aac' };

/** Outputs of several files, and containers for broadcasting. */
export const PACKAGING: readonly CommonRequest[] = [
  {
    title: 'packages HLS without re-encoding',
    source: 'ffmpeg documentation, muxer hls',
    request: {
      input: 'small.mp4',
      output: 'packaging/vod/index.m3u8',
      parameters: {
        c: 'copy',
        hls_time: '1',
        hls_playlist_type: 'vod',
        hls_list_size: '0',
        hls_segment_filename: 'part_%03d.ts',
      },
    },
    checks: [
      outputs('packaging/vod/index.m3u8', 'packaging/vod/part_000.ts', 'packaging/vod/part_001.ts'),
      lines(
        '#EXT-X-TARGETDURATION:1',
        '#EXT-X-PLAYLIST-TYPE:VOD',
        '#EXTINF:1.000000,',
        'part_000.ts',
        'part_001.ts',
        '#EXT-X-ENDLIST',
      ),
      streamsOf('packaging/vod/part_001.ts', h264, aac),
      async ({ at }) => expect(await keyFrameTimes(at('packaging/vod/part_001.ts'))).toHaveLength(2),
    ],
  },
  {
    title: 'packages HLS with fragmented MP4 segments',
    source: 'ffmpeg documentation, muxer hls: hls_segment_type fmp4',
    request: {
      input: 'small.mp4',
      output: 'packaging/fmp4/index.m3u8',
      parameters: {
        c: 'copy',
        hls_time: '1',
        hls_segment_type: 'fmp4',
        hls_fmp4_init_filename: 'start.mp4',
        hls_playlist_type: 'vod',
      },
    },
    checks: [
      outputs(...['index.m3u8', 'index0.m4s', 'index1.m4s', 'start.mp4'].map((name) => `packaging/fmp4/${name}`)),
      lines('#EXT-X-VERSION:7', '#EXT-X-MAP:URI="start.mp4"', 'index0.m4s', 'index1.m4s', '#EXT-X-ENDLIST'),
      duration(2, 0.1),
    ],
  },
  {
    title: 'packages HLS as byte ranges of one file',
    source: 'ffmpeg documentation, muxer hls: hls_flags single_file',
    request: {
      input: 'small.mp4',
      output: 'packaging/ranges/index.m3u8',
      parameters: { c: 'copy', hls_time: '1', hls_list_size: '0', hls_flags: 'single_file' },
    },
    checks: [
      outputs('packaging/ranges/index.m3u8', 'packaging/ranges/index.ts'),
      lines(/^#EXT-X-BYTERANGE:\d+@0$/, 'index.ts', /^#EXT-X-BYTERANGE:\d+@[1-9]\d+$/, 'index.ts', '#EXT-X-ENDLIST'),
    ],
  },
  {
    title: 'packages HLS in two variants with a master playlist',
    source: 'ffmpeg documentation, muxer hls: var_stream_map',
    request: {
      input: 'small.mp4',
      output: 'packaging/abr/stream_%v.m3u8',
      parameters: {
        filter_complex: '[0:v]split=2[a][b];[b]scale=160:-2[small]',
        map: ['[a]', '0:a', '[small]', '0:a'],
        'c:v': 'libx264',
        preset: 'ultrafast',
        g: '24',
        'b:v:0': '500k',
        'b:v:1': '150k',
        'c:a': 'aac',
        'b:a': '64k',
        hls_time: '1',
        hls_playlist_type: 'vod',
        master_pl_name: 'master.m3u8',
        var_stream_map: 'v:0,a:0 v:1,a:1',
        hls_segment_filename: 'stream_%v_%03d.ts',
      },
    },
    checks: [
      async (result) =>
        expect(result.job.outputs?.map(({ path }) => path.slice('packaging/abr/'.length)).sort()).toEqual([
          'master.m3u8',
          'stream_0.m3u8',
          'stream_0_000.ts',
          'stream_0_001.ts',
          'stream_1.m3u8',
          'stream_1_000.ts',
          'stream_1_001.ts',
        ]),
      async (result) => {
        const master = await readResultText(result, 'packaging/abr/master.m3u8');
        expect(master).toMatch(
          /RESOLUTION=320x180[^\n]*\nstream_0.m3u8\n[\s\S]*RESOLUTION=160x90[^\n]*\nstream_1.m3u8/,
        );
      },
      streamsOf('packaging/abr/stream_1.m3u8', { codec_name: 'h264', width: 160, height: 90 }, aac),
    ],
  },
  {
    title: 'packages DASH without re-encoding',
    source: 'ffmpeg documentation, muxer dash',
    request: {
      input: 'small.mp4',
      output: 'packaging/dash/manifest.mpd',
      parameters: { c: 'copy', seg_duration: '1', use_template: '1', use_timeline: '0' },
    },
    checks: [
      lines(/<MPD /, /contentType="video"/, /duration="1000000"/, /contentType="audio"/),
      async ({ job, at }) => {
        const paths = job.outputs?.map(({ path }) => path) ?? [];
        for (const stream of [0, 1])
          expect(paths.filter((path) => path.includes(`-stream${stream}`)).length).toBeGreaterThanOrEqual(3);
        expect((await describeFile(at('packaging/dash/manifest.mpd'))).streams).toMatchObject([h264, aac]);
      },
    ],
  },
  {
    title: 'packages DASH in two representations',
    source: 'ffmpeg documentation, muxer dash: adaptation_sets',
    request: {
      input: 'small.mp4',
      output: 'packaging/dash2/manifest.mpd',
      parameters: {
        map: ['0:v', '0:v', '0:a'],
        'c:v': 'libx264',
        preset: 'ultrafast',
        'b:v:0': '400k',
        'b:v:1': '120k',
        's:v:1': '160x90',
        g: '24',
        sc_threshold: '0',
        'c:a': 'aac',
        adaptation_sets: 'id=0,streams=v id=1,streams=a',
        init_seg_name: 'init-$RepresentationID$.m4s',
        media_seg_name: 'part-$RepresentationID$-$Number$.m4s',
        seg_duration: '1',
      },
    },
    checks: [
      lines(/<AdaptationSet id="0"/, /width="320" height="180"/, /width="160" height="90"/, /<AdaptationSet id="1"/),
      async (result) => expect(result.job.outputs?.some(({ path }) => path.endsWith('dash2/part-1-2.m4s'))).toBe(true),
    ],
  },
  {
    title: 'splits a video into segments of one second',
    source: 'question sites: "split video into equal parts", segment',
    request: {
      input: 'small.mp4',
      output: 'packaging/pieces/p%02d.mp4',
      parameters: { f: 'segment', c: 'copy', map: '0', segment_time: '1', reset_timestamps: '1' },
    },
    checks: [
      outputs('packaging/pieces/p00.mp4', 'packaging/pieces/p01.mp4'),
      streams(h264, aac),
      // A segment ends at a key frame: in ffmpeg 7.1 at the next one after the one at 1 s.
      async ({ at }) => {
        const files = ['packaging/pieces/p00.mp4', 'packaging/pieces/p01.mp4'];
        const seconds = await Promise.all(
          files.map(async (file) => Number((await describeFile(at(file))).format.duration)),
        );
        expect(seconds[0]).toBeGreaterThan(0.9);
        expect(Math.abs(seconds.reduce((a, b) => a + b) - 2)).toBeLessThan(0.1);
      },
    ],
  },
  {
    title: 'splits a video at given times and lists the segments',
    source: 'ffmpeg documentation, muxer segment: segment_times',
    request: {
      input: 'small.mp4',
      output: 'packaging/times/p%d.mkv',
      format: 'segment',
      parameters: { c: 'copy', segment_times: '0.5,1.5', segment_list: 'parts.csv', reset_timestamps: '1' },
    },
    checks: [
      async (result) => {
        expect(result.job.outputs?.map(({ path }) => path.slice('packaging/times/'.length)).sort()).toEqual([
          'p0.mkv',
          'p1.mkv',
          'p2.mkv',
          'parts.csv',
        ]);
        expect(await readResultText(result, 'packaging/times/parts.csv')).toMatch(
          /^p0.mkv,0.0\d*,0.5\d*\r?\np1.mkv,0.5\d*,1.5\d*\r?\np2.mkv,/,
        );
      },
    ],
  },
  {
    title: 'makes MPEG-TS with a service name',
    source: 'ffmpeg documentation, muxer mpegts',
    request: {
      input: 'small.mp4',
      output: 'packaging/service.ts',
      parameters: {
        c: 'copy',
        mpegts_service_id: '42',
        metadata: ['service_name=Telecine One', 'service_provider=Telecine'],
        streamid: ['0:256', '1:257'],
      },
    },
    checks: [
      format('mpegts'),
      streams({ ...h264, id: '0x100' }, { ...aac, id: '0x101' }),
      async ({ file }) => {
        const { programs } = await ffprobe<{ readonly programs: readonly unknown[] }>(['-show_programs', file]);
        expect(programs).toMatchObject([{ program_id: 42, tags: { service_name: 'Telecine One' } }]);
      },
    ],
  },
  {
    title: 'makes FLV for a streaming server',
    source: 'question sites: "rtmp: what the server takes"',
    request: {
      input: 'small.mp4',
      output: 'packaging/stream.flv',
      parameters: { c: 'copy', flvflags: 'no_duration_filesize' },
    },
    checks: [format('flv'), streams(h264, aac)],
  },
  {
    title: 'makes MXF for a broadcaster',
    source: 'question sites: "XDCAM HD 422"',
    request: {
      input: 'small.mp4',
      output: 'packaging/broadcast.mxf',
      parameters: {
        'c:v': 'mpeg2video',
        pix_fmt: 'yuv422p',
        'b:v': '20M',
        maxrate: '20M',
        bufsize: '8M',
        g: '12',
        r: '25',
        'c:a': 'pcm_s16le',
        t: '0.5',
      },
    },
    checks: [format('mxf'), streams({ codec_name: 'mpeg2video', pix_fmt: 'yuv422p' }, { codec_name: 'pcm_s16le' })],
  },
  {
    title: 'makes 3GP for an old phone',
    source: 'question sites: "convert to 3gp"',
    request: {
      input: 'small.mp4',
      output: 'packaging/phone.3gp',
      parameters: { 'c:v': 'h263', s: 'cif', r: '15', 'b:v': '200k', 'c:a': 'aac', ac: '1', ar: '22050', 'b:a': '32k' },
    },
    // CIF is the only size near it that H.263 has, and not 16:9.
    warnings: ['NON_SQUARE_PIXELS'],
    checks: [
      streams({ codec_name: 'h263', width: 352, height: 288 }, { codec_name: 'aac', channels: 1 }),
      tags({ major_brand: '3gp4' }),
    ],
  },
];
