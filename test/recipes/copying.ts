import { FRAME, format, lasts, startsAt, streams } from './checks/container.ts';
import { frames, keyFrames, samePackets } from './checks/packets.ts';
import { sameFrames } from './checks/picture.ts';
import type { Recipe } from './recipe.ts';

const h264 = { codec_name: 'h264', width: 320, height: 180 };
const aac = { codec_name: 'aac', sample_rate: '48000', channels: 2 };

/** Streams that are taken, left and put elsewhere without being encoded again. */
export const COPYING: readonly Recipe[] = [
  {
    title: 'MP4 into Matroska, not a byte of the streams changed',
    source: 'ffmpeg documentation, "Stream copy"',
    request: { input: 'small.mp4', output: 'copying/remux.mkv', parameters: { c: 'copy' } },
    checks: [
      format('matroska'),
      streams(h264, aac),
      samePackets('small.mp4', 'v:0'),
      samePackets('small.mp4', 'a:0'),
      lasts(2, 0.05),
    ],
  },
  {
    title: 'MP4 into a transport stream, with start codes',
    source: 'ffmpeg documentation, bitstream filter h264_mp4toannexb',
    request: {
      input: 'small.mp4',
      output: 'copying/annexb.ts',
      parameters: { c: 'copy', 'bsf:v': 'h264_mp4toannexb', f: 'mpegts' },
    },
    checks: [format('mpegts'), streams(h264, aac), sameFrames('small.mp4')],
  },
  {
    title: 'a transport stream into MP4, its ADTS headers taken off',
    source: 'question sites: "ts to mp4 without re-encoding"',
    request: {
      input: 'small.ts',
      output: 'copying/from-ts.mp4',
      parameters: { c: 'copy', 'bsf:a': 'aac_adtstoasc', movflags: '+faststart' },
    },
    checks: [
      format('mp4'),
      streams({ ...h264, codec_tag_string: 'avc1' }, { ...aac, codec_tag_string: 'mp4a' }),
      sameFrames('small.ts'),
    ],
  },
  {
    title: 'the bare H.264 stream',
    source: 'question sites: "extract raw h264 from mp4"',
    request: {
      input: 'small.mp4',
      output: 'copying/bare.h264',
      parameters: { map: '0:v:0', 'c:v': 'copy', 'bsf:v': 'h264_mp4toannexb' },
    },
    checks: [format('h264'), streams(h264), sameFrames('small.mp4')],
  },
  {
    title: 'the video without its sound',
    source: 'question sites: "remove audio from video"',
    request: { input: 'small.mp4', output: 'copying/mute.mp4', parameters: { c: 'copy', an: '' } },
    checks: [streams(h264), samePackets('small.mp4', 'v:0')],
  },
  {
    title: 'every stream of the input, with its tags',
    source: 'ffmpeg wiki, "Map"',
    request: { input: 'multi.mkv', output: 'copying/all.mkv', parameters: { map: '0', c: 'copy' } },
    checks: [
      streams(
        h264,
        { ...aac, tags: { language: 'eng' } },
        { codec_name: 'opus', tags: { language: 'deu' } },
        { codec_name: 'subrip', tags: { language: 'eng' } },
        { codec_name: 'subrip', tags: { language: 'deu' } },
      ),
    ],
  },
  {
    title: 'all but the subtitles',
    source: 'ffmpeg wiki, "Map": negative mapping',
    request: { input: 'multi.mkv', output: 'copying/no-words.mkv', parameters: { map: ['0', '-0:s'], c: 'copy' } },
    checks: [streams(h264, aac, { codec_name: 'opus' })],
  },
  {
    title: 'the video with the sound of one language',
    source: 'ffmpeg documentation, stream specifiers by metadata',
    request: {
      input: 'multi.mkv',
      output: 'copying/deutsch.mkv',
      parameters: { map: ['0:v', '0:a:m:language:deu'], c: 'copy' },
    },
    checks: [streams(h264, { codec_name: 'opus', tags: { language: 'deu' } }), samePackets('multi.mkv', 'a:0', 'a:1')],
  },
  {
    title: 'a stream that may be missing',
    source: 'ffmpeg documentation, "map": the trailing question mark',
    request: { input: 'noisy.mp4', output: 'copying/maybe.mp4', parameters: { map: ['0:v:0', '0:a?'], c: 'copy' } },
    checks: [streams(h264)],
  },
  {
    title: 'the second sound becomes the default',
    source: 'ffmpeg documentation, "disposition"',
    request: {
      input: 'multi.mkv',
      output: 'copying/default.mkv',
      parameters: {
        map: ['0:v', '0:a'],
        c: 'copy',
        'disposition:a:0': '0',
        'disposition:a:1': 'default',
      },
    },
    checks: [
      streams(
        h264,
        { codec_name: 'aac', disposition: { default: 0 } },
        { codec_name: 'opus', disposition: { default: 1 } },
      ),
    ],
  },
  {
    title: 'another sound under the same pictures',
    source: 'question sites: "replace audio track of a video"',
    request: {
      inputs: ['small.mp4', 'voice.wav'],
      output: 'copying/dubbed.mp4',
      parameters: { map: ['0:v:0', '1:a:0'], 'c:v': 'copy', 'c:a': 'aac', 'b:a': '96k', shortest: '' },
    },
    checks: [
      streams(h264, { codec_name: 'aac', channels: 1, sample_rate: '44100' }),
      samePackets('small.mp4', 'v:0'),
      lasts(2, 0.06),
    ],
  },
  {
    title: 'another shape of the picture, by a flag alone',
    source: 'question sites: "change aspect ratio without re-encoding"',
    request: { input: 'small.mp4', output: 'copying/aspect.mp4', parameters: { c: 'copy', aspect: '4:3' } },
    checks: [
      streams({ ...h264, display_aspect_ratio: '4:3', sample_aspect_ratio: '3:4' }, aac),
      samePackets('small.mp4', 'v:0'),
    ],
  },
  {
    title: 'turned by a flag alone',
    source: 'question sites: "rotate video without re-encoding"',
    goneSince: 6,
    request: {
      input: 'small.mp4',
      output: 'copying/turned.mp4',
      parameters: { c: 'copy', 'metadata:s:v:0': 'rotate=90' },
    },
    checks: [streams({ ...h264, side_data_list: [{ rotation: 90 }] }, aac), samePackets('small.mp4', 'v:0')],
  },
  {
    title: 'the level in the headers of the stream changed',
    source: 'ffmpeg documentation, bitstream filter h264_metadata',
    request: {
      input: 'small.mp4',
      output: 'copying/level.mp4',
      parameters: { c: 'copy', 'bsf:v': 'h264_metadata=level=4.1' },
    },
    checks: [streams({ ...h264, level: 41 }, aac), sameFrames('small.mp4')],
  },
  {
    title: 'only the key frames kept',
    source: 'question sites: "extract keyframes into a video without decoding"',
    request: {
      input: 'small.mp4',
      output: 'copying/keys.mkv',
      parameters: { an: '', 'c:v': 'copy', 'bsf:v': 'noise=drop=not(key)' },
    },
    checks: [frames(4), keyFrames(0, 0.5, 1, 1.5)],
  },
  {
    title: 'from the key frame before a time, at once',
    source: 'ffmpeg wiki, "Seeking": seeking while copying',
    request: {
      inputs: [{ input: 'small.mp4', parameters: { ss: '1' } }],
      output: 'copying/from-one.mp4',
      parameters: { t: '0.5', c: 'copy', avoid_negative_ts: 'make_zero' },
    },
    checks: [frames(12), startsAt(0), lasts(0.5, 0.05), sameFrames('small.mp4', 'trim=start_frame=24:end_frame=36')],
  },
  {
    title: 'three times over, without encoding',
    source: 'question sites: "loop a video n times", stream_loop',
    request: {
      input: 'small.mp4',
      output: 'copying/thrice.mkv',
      parameters: { stream_loop: '2', c: 'copy', an: '' },
    },
    checks: [frames(144), lasts(6, 2 * FRAME)],
  },
];
