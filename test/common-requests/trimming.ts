import { duration, streams } from './checks/container.ts';
import { frameCount } from './checks/packets.ts';
import { looksLike, sameFrames } from './checks/picture.ts';
import { sizeBetween } from './checks/size.ts';
import { levelChange, sameSamples } from './checks/sound.ts';
import type { CommonRequest } from './common-request.ts';

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast' } as const;
const LOSSLESS = { 'c:v': 'libx264', preset: 'ultrafast', qp: '0' } as const;

/** Cutting and joining. */
export const TRIMMING: readonly CommonRequest[] = [
  {
    title: 'cuts a part, frame-accurate, by output seeking',
    source: 'ffmpeg wiki, "Seeking": output seeking',
    request: {
      input: 'small.mp4',
      output: 'trimming/exact.mp4',
      parameters: { ss: '0.75', t: '1', ...LOSSLESS, 'c:a': 'aac' },
    },
    checks: [frameCount(24), duration(1), sameFrames('small.mp4', 'trim=start_frame=18:end_frame=42')],
  },
  {
    title: 'cuts a part, frame-accurate, by input seeking',
    source: 'ffmpeg wiki, "Seeking": input seeking',
    request: {
      inputs: [{ input: 'small.mp4', parameters: { ss: '00:00:00.750', to: '00:00:01.750' } }],
      output: 'trimming/fast.mp4',
      parameters: { ...LOSSLESS, an: '' },
    },
    checks: [frameCount(24), duration(1), sameFrames('small.mp4', 'trim=start_frame=18:end_frame=42')],
  },
  {
    title: 'keeps the last second',
    source: 'ffmpeg documentation, "sseof"',
    request: { input: 'lena.flac', output: 'trimming/end.wav', parameters: { sseof: '-1' } },
    checks: [duration(1, 0.03), streams({ codec_name: 'pcm_s16le', channels: 1 })],
  },
  {
    title: 'keeps the first ten frames',
    source: 'ffmpeg documentation, "frames"',
    request: {
      input: 'small.mp4',
      output: 'trimming/ten.mkv',
      parameters: { 'frames:v': '10', 'c:v': 'ffv1', an: '' },
    },
    checks: [frameCount(10), sameFrames('small.mp4', 'trim=end_frame=10')],
  },
  {
    title: 'cuts the middle out of video and audio',
    source: 'question sites: "cut a section out of a video", select and aselect',
    request: {
      input: 'small.mp4',
      output: 'trimming/gap.mp4',
      parameters: {
        vf: "select='not(between(t,0.5,1.49))',setpts=N/FRAME_RATE/TB",
        af: "aselect='not(between(t,0.5,1.49))',asetpts=N/SR/TB",
        ...LOSSLESS,
        'c:a': 'aac',
      },
    },
    checks: [frameCount(24), duration(1, 0.06), sameFrames('small.mp4', "select='lt(n,12)+gte(n,36)'")],
    foreseen: ['UNKNOWN_FRAME_RATE'],
  },
  {
    title: 'joins two parts of one file by trim and concat',
    source: 'question sites: "cut multiple parts and join them with filter_complex"',
    request: {
      input: 'small.mp4',
      output: 'trimming/parts.mkv',
      parameters: {
        filter_complex:
          '[0:v]trim=0:0.5,setpts=PTS-STARTPTS[v0];[0:a]atrim=0:0.5,asetpts=PTS-STARTPTS[a0];' +
          '[0:v]trim=1:1.5,setpts=PTS-STARTPTS[v1];[0:a]atrim=1:1.5,asetpts=PTS-STARTPTS[a1];' +
          '[v0][a0][v1][a1]concat=n=2:v=1:a=1[v][a]',
        map: ['[v]', '[a]'],
        'c:v': 'ffv1',
        'c:a': 'flac',
      },
    },
    checks: [
      frameCount(24),
      duration(1),
      streams({ codec_name: 'ffv1' }, { codec_name: 'flac', channels: 2 }),
      sameFrames('small.mp4', "select='lt(n,12)+between(n,24,35)'"),
    ],
  },
  {
    title: 'joins two video files',
    source: 'ffmpeg wiki, "Concatenate": concat filter',
    request: {
      inputs: ['small.mp4', 'other.mp4'],
      output: 'trimming/joined.mp4',
      parameters: {
        filter_complex: '[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]',
        map: ['[v]', '[a]'],
        ...QUICK,
        'c:a': 'aac',
      },
    },
    checks: [
      frameCount(96),
      duration(4, 0.06),
      looksLike('small.mp4'),
      looksLike('other.mp4', { result: 'trim=start_frame=48' }),
    ],
  },
  {
    title: 'joins two videos of different sizes and frame rates',
    source: 'question sites: "concat videos with different resolution"',
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'trimming/unlike.mp4',
      parameters: {
        filter_complex:
          '[0:v]trim=0:1,scale=320:180:force_original_aspect_ratio=decrease,pad=320:180:-1:-1,setsar=1,fps=24[a];' +
          '[1:v]scale=320:180,setsar=1,fps=24[b];[a][b]concat=n=2:v=1:a=0[v]',
        map: '[v]',
        ...QUICK,
      },
    },
    checks: [
      streams({ width: 320, height: 180 }),
      frameCount(72),
      looksLike('small.mp4', { result: 'trim=start_frame=24' }),
    ],
  },
  {
    title: 'joins two audio files',
    source: 'ffmpeg documentation, filter concat',
    request: {
      inputs: ['voice.wav', 'lena.mp3'],
      output: 'trimming/sounds.flac',
      parameters: { filter_complex: '[0:a][1:a]concat=n=2:v=0:a=1[out]', map: '[out]' },
    },
    checks: [
      duration(3 + 12.27, 0.06),
      streams({ codec_name: 'flac', sample_rate: '44100' }),
      levelChange(0, 'voice.wav', 'atrim=0:3', 'anull'),
    ],
  },
  {
    title: 'cuts a part of the audio, sample-accurate',
    source: 'ffmpeg documentation, filter atrim',
    request: {
      input: 'lena.flac',
      output: 'trimming/samples.wav',
      parameters: { af: 'atrim=start_sample=44100:end_sample=88200' },
    },
    checks: [duration(1, 0), sameSamples('lena.flac', 'atrim=start_sample=44100:end_sample=88200')],
  },
  {
    title: 'limits the size of the output file',
    source: 'question sites: "limit output file size", fs',
    request: {
      input: 'movie.mp4',
      output: 'trimming/bytes.ts',
      parameters: { fs: '100k', ...QUICK, s: '320x180', an: '' },
    },
    // At the size limit, ffmpeg still writes the packets that it has buffered.
    checks: [sizeBetween(80_000, 130_000), streams({ codec_name: 'h264' })],
  },
];
