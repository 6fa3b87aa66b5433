import { bitRate, duration, streams } from './checks/container.ts';
import { keyFrames } from './checks/packets.ts';
import { looksLike, sameFrames } from './checks/picture.ts';
import { containsText } from './checks/text.ts';
import type { CommonRequest } from './common-request.ts';

/** Settings of H.264 and its key frames. */
export const H264: readonly CommonRequest[] = [
  {
    title: 'encodes H.264 by CRF, with a tune',
    source: 'ffmpeg wiki, "Encode/H.264": CRF',
    request: {
      input: 'small.mp4',
      output: 'h264/crf.mp4',
      parameters: { 'c:v': 'libx264', preset: 'veryfast', crf: '22', tune: 'film', 'c:a': 'copy' },
    },
    checks: [
      streams({ codec_name: 'h264', has_b_frames: 2 }, { codec_name: 'aac' }),
      containsText('crf=22.0', 'psy_rd=1.00:0.15'),
      looksLike('small.mp4'),
    ],
  },
  {
    title: 'encodes H.264 to a bit rate in two passes',
    source: 'ffmpeg wiki, "Encode/H.264": two-pass',
    request: {
      input: 'movie.mp4',
      output: 'h264/two.mp4',
      parameters: { 'c:v': 'libx264', preset: 'veryfast', 'b:v': '300k', pass: '2', s: '320x180', an: '' },
    },
    checks: [
      streams({ codec_name: 'h264' }),
      containsText('rc=2pass', 'bitrate=300'),
      bitRate(240, 360),
      duration(3, 0.15),
    ],
  },
  {
    title: 'encodes H.264 by CRF with a maximum bit rate',
    source: 'ffmpeg wiki, "Limiting the output bitrate"',
    request: {
      input: 'movie.mp4',
      output: 'h264/capped.mp4',
      parameters: {
        'c:v': 'libx264',
        preset: 'veryfast',
        crf: '18',
        maxrate: '250k',
        bufsize: '250k',
        s: '320x180',
        an: '',
      },
    },
    checks: [containsText('crf=18.0', 'vbv_maxrate=250', 'vbv_bufsize=250'), bitRate(100, 340)],
  },
  {
    title: 'encodes H.264 for old devices',
    source: 'ffmpeg wiki, "Encode/H.264": compatibility',
    request: {
      input: 'small.mp4',
      output: 'h264/baseline.mp4',
      parameters: {
        'c:v': 'libx264',
        'profile:v': 'baseline',
        level: '3.0',
        pix_fmt: 'yuv420p',
        'c:a': 'aac',
        ac: '2',
      },
    },
    checks: [
      streams({ profile: 'Constrained Baseline', level: 30, pix_fmt: 'yuv420p' }, { codec_name: 'aac', channels: 2 }),
    ],
  },
  {
    title: 'encodes lossless H.264',
    source: 'ffmpeg wiki, "Encode/H.264": lossless',
    request: {
      input: 'small.mp4',
      output: 'h264/lossless.mkv',
      parameters: { 'c:v': 'libx264', preset: 'ultrafast', qp: '0', 'c:a': 'flac' },
    },
    checks: [streams({ profile: 'High 4:4:4 Predictive' }, { codec_name: 'flac' }), sameFrames('small.mp4')],
  },
  {
    title: 'encodes H.264 without chroma subsampling',
    source: 'question sites: "screen recording, yuv444p"',
    request: {
      input: 'small.mp4',
      output: 'h264/444.mp4',
      parameters: { 'c:v': 'libx264', crf: '20', preset: 'ultrafast', pix_fmt: 'yuv444p', an: '' },
    },
    checks: [streams({ pix_fmt: 'yuv444p', profile: 'High 4:4:4 Predictive' })],
  },
  {
    title: 'forces a key frame every second',
    source: 'ffmpeg documentation, "force_key_frames" by an expression',
    request: {
      input: 'movie.mp4',
      output: 'h264/every-second.mp4',
      parameters: {
        'c:v': 'libx264',
        preset: 'veryfast',
        s: '320x180',
        t: '2.5',
        force_key_frames: 'expr:gte(t,n_forced*1)',
        an: '',
      },
    },
    checks: [keyFrames(0, 1, 2)],
  },
  {
    title: 'forces key frames at given times',
    source: 'ffmpeg documentation, "force_key_frames" by a list',
    request: {
      input: 'small.mp4',
      output: 'h264/at-times.mp4',
      parameters: { 'c:v': 'libx264', preset: 'ultrafast', force_key_frames: '0:00:00.5,1.25', an: '' },
    },
    checks: [keyFrames(0, 0.5, 1.25)],
  },
  {
    title: 'encodes fixed GOPs for streaming',
    source: 'question sites: "fixed GOP for adaptive streaming", g, keyint_min and sc_threshold',
    request: {
      input: 'scenes.mp4',
      output: 'h264/gop.mp4',
      parameters: { 'c:v': 'libx264', preset: 'veryfast', g: '16', keyint_min: '16', sc_threshold: '0' },
    },
    checks: [keyFrames(0, 0.67, 1.33), containsText('keyint=16', 'keyint_min=9', 'scenecut=0')],
  },
  {
    title: 'takes settings of x264 in x264-params',
    source: 'question sites: "x264-params"',
    request: {
      input: 'small.mp4',
      output: 'h264/x264-params.mp4',
      parameters: {
        'c:v': 'libx264',
        preset: 'veryfast',
        'x264-params': 'keyint=24:min-keyint=24:no-scenecut=1:bframes=0',
        an: '',
      },
    },
    checks: [keyFrames(0, 1), streams({ has_b_frames: 0 }), containsText('bframes=0', 'scenecut=0')],
  },
  {
    title: 'makes every frame a key frame',
    source: 'question sites: "all intra H.264 for editing"',
    request: {
      input: 'small.mp4',
      output: 'h264/intra.mov',
      parameters: { 'c:v': 'libx264', preset: 'ultrafast', crf: '20', g: '1', t: '0.25', 'c:a': 'pcm_s16le' },
    },
    checks: [
      keyFrames(0, 0.04, 0.08, 0.13, 0.17, 0.21),
      streams({ codec_name: 'h264' }, { codec_name: 'pcm_s16le', sample_rate: '48000' }),
    ],
  },
];
