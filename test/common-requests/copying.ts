import { duration, FRAME, format, startsAt, streams } from './checks/container.ts';
import { frameCount, keyFrames, samePackets } from './checks/packets.ts';
import { sameFrames } from './checks/picture.ts';
import type { CommonRequest } from './common-request.ts';

const h264 = { codec_name: 'h264', width: 320, height: 180 };
const aac = { codec_name: 'aac', sample_rate: '48000', channels: 2 };

/** Stream copy: streams selected, dropped and moved without re-encoding. */
export const COPYING: readonly CommonRequest[] = [
  {
    title: 'copies the streams of an MP4 into Matroska unchanged',
    source: 'ffmpeg documentation, "Stream copy"',
    request: { input: 'small.mp4', output: 'copying/remux.mkv', parameters: { c: 'copy' } },
    checks: [
      format('matroska'),
      streams(h264, aac),
      samePackets('small.mp4', 'v:0'),
      samePackets('small.mp4', 'a:0'),
      duration(2, 0.05),
    ],
  },
  {
    title: 'copies an MP4 into MPEG-TS with Annex B start codes',
    source: 'ffmpeg documentation, bitstream filter h264_mp4toannexb',
    request: {
      input: 'small.mp4',
      output: 'copying/annexb.ts',
      parameters: { c: 'copy', 'bsf:v': 'h264_mp4toannexb', f: 'mpegts' },
    },
    checks: [format('mpegts'), streams(h264, aac), sameFrames('small.mp4')],
  },
  {
    title: 'copies MPEG-TS into MP4 and removes the ADTS headers',
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
    title: 'extracts the raw H.264 stream',
    source: 'question sites: "extract raw h264 from mp4"',
    request: {
      input: 'small.mp4',
      output: 'copying/bare.h264',
      parameters: { map: '0:v:0', 'c:v': 'copy', 'bsf:v': 'h264_mp4toannexb' },
    },
    checks: [format('h264'), streams(h264), sameFrames('small.mp4')],
  },
  {
    title: 'removes the audio from a video',
    source: 'question sites: "remove audio from video"',
    request: { input: 'small.mp4', output: 'copying/mute.mp4', parameters: { c: 'copy', an: '' } },
    checks: [streams(h264), samePackets('small.mp4', 'v:0')],
  },
  {
    title: 'copies every stream with its tags',
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
    title: 'copies every stream except the subtitles',
    source: 'ffmpeg wiki, "Map": negative mapping',
    request: { input: 'multi.mkv', output: 'copying/no-words.mkv', parameters: { map: ['0', '-0:s'], c: 'copy' } },
    checks: [streams(h264, aac, { codec_name: 'opus' })],
  },
  {
    title: 'copies the video and the audio of one language',
    source: 'ffmpeg documentation, stream specifiers by metadata',
    request: {
      input: 'multi.mkv',
      output: 'copying/deutsch.mkv',
      parameters: { map: ['0:v', '0:a:m:language:deu'], c: 'copy' },
    },
    checks: [streams(h264, { codec_name: 'opus', tags: { language: 'deu' } }), samePackets('multi.mkv', 'a:0', 'a:1')],
  },
  {
    title: 'maps an optional stream that the input lacks',
    source: 'ffmpeg documentation, "map": the trailing question mark',
    request: { input: 'noisy.mp4', output: 'copying/maybe.mp4', parameters: { map: ['0:v:0', '0:a?'], c: 'copy' } },
    checks: [streams(h264)],
  },
  {
    title: 'makes the second audio stream the default',
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
    title: 'replaces the audio of a video',
    source: 'question sites: "replace audio track of a video"',
    request: {
      inputs: ['small.mp4', 'voice.wav'],
      output: 'copying/dubbed.mp4',
      parameters: { map: ['0:v:0', '1:a:0'], 'c:v': 'copy', 'c:a': 'aac', 'b:a': '96k', shortest: '' },
    },
    checks: [
      streams(h264, { codec_name: 'aac', channels: 1, sample_rate: '44100' }),
      samePackets('small.mp4', 'v:0'),
      duration(2, 0.06),
    ],
  },
  {
    title: 'changes the display aspect ratio without re-encoding',
    source: 'question sites: "change aspect ratio without re-encoding"',
    request: { input: 'small.mp4', output: 'copying/aspect.mp4', parameters: { c: 'copy', aspect: '4:3' } },
    checks: [
      streams({ ...h264, display_aspect_ratio: '4:3', sample_aspect_ratio: '3:4' }, aac),
      samePackets('small.mp4', 'v:0'),
    ],
  },
  {
    title: 'rotates a video by metadata without re-encoding',
    source: 'question sites: "rotate video without re-encoding"',
    removedIn: 6,
    request: {
      input: 'small.mp4',
      output: 'copying/turned.mp4',
      parameters: { c: 'copy', 'metadata:s:v:0': 'rotate=90' },
    },
    checks: [streams({ ...h264, side_data_list: [{ rotation: 90 }] }, aac), samePackets('small.mp4', 'v:0')],
  },
  {
    title: 'changes the H.264 level in the stream headers',
    source: 'ffmpeg documentation, bitstream filter h264_metadata',
    request: {
      input: 'small.mp4',
      output: 'copying/level.mp4',
      parameters: { c: 'copy', 'bsf:v': 'h264_metadata=level=4.1' },
    },
    checks: [streams({ ...h264, level: 41 }, aac), sameFrames('small.mp4')],
  },
  {
    title: 'copies only the key frames',
    source: 'question sites: "extract keyframes into a video without decoding"',
    request: {
      input: 'small.mp4',
      output: 'copying/keys.mkv',
      parameters: { an: '', 'c:v': 'copy', 'bsf:v': 'noise=drop=not(key)' },
    },
    checks: [frameCount(4), keyFrames(0, 0.5, 1, 1.5)],
  },
  {
    title: 'copies from a key frame by input seeking',
    source: 'ffmpeg wiki, "Seeking": seeking while copying',
    request: {
      inputs: [{ input: 'small.mp4', parameters: { ss: '1' } }],
      output: 'copying/from-one.mp4',
      parameters: { t: '0.5', c: 'copy', avoid_negative_ts: 'make_zero' },
    },
    checks: [
      frameCount(12),
      startsAt(0),
      duration(0.5, 0.05),
      sameFrames('small.mp4', 'trim=start_frame=24:end_frame=36'),
    ],
  },
  {
    title: 'plays a video three times in one file without re-encoding',
    source: 'question sites: "loop a video n times", stream_loop',
    request: {
      input: 'small.mp4',
      output: 'copying/thrice.mkv',
      parameters: { stream_loop: '2', c: 'copy', an: '' },
    },
    checks: [frameCount(144), duration(6, 2 * FRAME)],
  },
];
