import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { boxes } from './checks/boxes.ts';
import { duration, streams } from './checks/container.ts';
import { frameCount } from './checks/packets.ts';
import { sameFrames } from './checks/picture.ts';
import { containsText } from './checks/text.ts';
import type { CommonRequest } from './common-request.ts';

/** File layout, raw frames, colour tags and timecode. */
export const CONTAINERS: readonly CommonRequest[] = [
  {
    title: 'makes an MP4 that plays while it downloads',
    source: 'ffmpeg wiki, "Encode/H.264": faststart',
    request: {
      input: 'small.mp4',
      output: 'containers/faststart.mp4',
      parameters: { c: 'copy', movflags: '+faststart' },
    },
    checks: [boxes('ftyp', 'moov', 'free', 'mdat'), duration(2, 0.05)],
  },
  {
    title: 'makes a fragmented MP4',
    source: 'question sites: "fragmented mp4 for Media Source Extensions"',
    request: {
      input: 'small.mp4',
      output: 'containers/fragments.mp4',
      parameters: { c: 'copy', an: '', movflags: 'frag_keyframe+empty_moov+default_base_moof' },
    },
    checks: [
      boxes('ftyp', 'moov', 'moof', 'mdat', 'moof', 'mdat', 'moof', 'mdat', 'moof', 'mdat', 'mfra'),
      frameCount(48),
    ],
  },
  {
    title: 'writes raw pixels',
    source: 'ffmpeg documentation, muxer rawvideo',
    request: {
      input: 'small.mp4',
      output: 'containers/pixels.yuv',
      format: 'rawvideo',
      parameters: { pix_fmt: 'yuv420p', 'frames:v': '6' },
    },
    checks: [
      async ({ file, at }) => {
        const [found, wanted] = await Promise.all([readFile(file), readFile(at('small.yuv'))]);
        expect(found.equals(wanted.subarray(0, 6 * 320 * 180 * 1.5))).toBe(true);
      },
    ],
  },
  {
    title: 'makes a video from raw pixels',
    source: 'question sites: "convert yuv to mp4"',
    request: {
      inputs: [
        {
          input: 'small.yuv',
          parameters: { f: 'rawvideo', pixel_format: 'yuv420p', video_size: '320x180', framerate: '24' },
        },
      ],
      output: 'containers/from-pixels.mp4',
      parameters: { 'c:v': 'libx264', preset: 'ultrafast', qp: '0' },
    },
    checks: [frameCount(48), duration(2), sameFrames('small.mp4')],
  },
  {
    title: 'writes YUV4MPEG for another program',
    source: 'question sites: "y4m for encoders and metrics"',
    request: {
      input: 'small.mp4',
      output: 'containers/frames.y4m',
      parameters: { pix_fmt: 'yuv420p', 'frames:v': '6' },
    },
    checks: [
      streams({ codec_name: 'rawvideo', width: 320, avg_frame_rate: '24/1' }),
      sameFrames('small.mp4', 'trim=end_frame=6'),
    ],
  },
  {
    title: 'tags the colours as BT.709',
    source: 'question sites: "tag bt709 colors"',
    // From 7.1 on ffmpeg takes the primaries and the transfer from the frames, which a filter can tag.
    removedIn: 7,
    request: {
      input: 'small.mp4',
      output: 'containers/bt709.mp4',
      parameters: {
        'c:v': 'libx264',
        preset: 'ultrafast',
        colorspace: 'bt709',
        color_primaries: 'bt709',
        color_trc: 'bt709',
        color_range: 'tv',
        an: '',
      },
    },
    checks: [streams({ color_space: 'bt709', color_primaries: 'bt709', color_transfer: 'bt709', color_range: 'tv' })],
  },
  {
    title: 'tags the colours as BT.709 by a filter',
    source: 'ffmpeg documentation, filter setparams',
    request: {
      input: 'small.mp4',
      output: 'containers/setparams.mp4',
      parameters: {
        ...{ 'c:v': 'libx264', preset: 'ultrafast', an: '' },
        vf: 'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
      },
    },
    checks: [streams({ color_space: 'bt709', color_primaries: 'bt709', color_transfer: 'bt709', color_range: 'tv' })],
  },
  {
    title: 'writes a timecode',
    source: 'ffmpeg documentation, "timecode"',
    request: {
      input: 'small.mp4',
      output: 'containers/timecode.mov',
      parameters: { c: 'copy', timecode: '01:00:00:00' },
    },
    checks: [
      streams(
        { codec_name: 'h264', tags: { timecode: '01:00:00:00' } },
        { codec_name: 'aac' },
        { codec_tag_string: 'tmcd' },
      ),
    ],
  },
  {
    title: 'writes two qualities and two sizes into one file',
    source: 'ffmpeg wiki, "Creating multiple outputs": split',
    request: {
      input: 'small.mp4',
      output: 'containers/ladder.mkv',
      parameters: {
        filter_complex: '[0:v]split=2[a][b];[b]scale=160:-2[small]',
        map: ['[a]', '[small]'],
        'c:v': 'libx264',
        preset: 'ultrafast',
        'crf:v:0': '20',
        'crf:v:1': '30',
      },
    },
    warnings: ['SOUND_LEFT_OUT'],
    checks: [streams({ width: 320 }, { width: 160 }), containsText('crf=20.0', 'crf=30.0')],
  },
];
