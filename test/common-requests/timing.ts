import { duration, FRAME, streams } from './checks/container.ts';
import { frameCount } from './checks/packets.ts';
import { looksLike, sameFrames } from './checks/picture.ts';
import { levelChange } from './checks/sound.ts';
import type { CommonRequest } from './common-request.ts';

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast' } as const;
const LOSSLESS = { ...QUICK, qp: '0', an: '' } as const;

/** Speed, direction and frame rate. */
export const TIMING: readonly CommonRequest[] = [
  {
    title: 'halves the frame rate by a filter',
    source: 'ffmpeg wiki, "ChangingFrameRate": fps filter',
    request: { input: 'small.mp4', output: 'timing/half.mp4', parameters: { vf: 'fps=12', ...LOSSLESS } },
    checks: [frameCount(24), duration(2), streams({ avg_frame_rate: '12/1' })],
  },
  {
    title: 'changes the frame rate by an option',
    source: 'ffmpeg wiki, "ChangingFrameRate": r as an output option',
    request: { input: 'small.mp4', output: 'timing/thirty.mp4', parameters: { r: '30000/1001', ...QUICK, an: '' } },
    checks: [streams({ avg_frame_rate: '30000/1001' }), duration(2), frameCount(60)],
  },
  {
    title: 'reads the same frames at another rate',
    source: 'question sites: "change framerate without dropping frames", r as an input option',
    request: {
      inputs: [{ input: 'small.mp4', parameters: { r: '48' } }],
      output: 'timing/reread.mkv',
      parameters: { ...LOSSLESS },
    },
    checks: [frameCount(48), duration(1, 1 / 48), streams({ avg_frame_rate: '48/1' }), sameFrames('small.mp4')],
  },
  {
    title: 'slows down video and audio',
    source: 'ffmpeg wiki, "How to speed up / slow down a video"',
    request: {
      input: 'small.mp4',
      output: 'timing/slow.mp4',
      parameters: { vf: 'setpts=2.0*PTS', af: 'atempo=0.5', r: '24', ...QUICK, 'c:a': 'aac' },
    },
    checks: [
      duration(4, 0.1),
      streams({ codec_name: 'h264', avg_frame_rate: '24/1' }, { codec_name: 'aac' }),
      looksLike('small.mp4', { result: "select='not(mod(n,2))'" }),
    ],
  },
  {
    title: 'doubles the speed of video and audio',
    source: 'ffmpeg wiki, "How to speed up / slow down a video": filter_complex',
    request: {
      input: 'small.mp4',
      output: 'timing/fast.mp4',
      parameters: {
        filter_complex: '[0:v]setpts=0.5*PTS[v];[0:a]atempo=2.0[a]',
        map: ['[v]', '[a]'],
        ...QUICK,
        'c:a': 'aac',
        'b:a': '96k',
      },
    },
    checks: [duration(1, 0.1), streams({ codec_name: 'h264' }, { codec_name: 'aac', sample_rate: '48000' })],
    foreseen: ['UNKNOWN_FRAME_RATE'],
  },
  {
    title: 'makes a time lapse of every fourth frame',
    source: 'question sites: "timelapse from video"',
    request: {
      input: 'small.mp4',
      output: 'timing/lapse.mp4',
      parameters: { vf: "select='not(mod(n,4))',setpts=N/(24*TB)", r: '24', ...LOSSLESS },
    },
    checks: [frameCount(12), duration(0.5), sameFrames('small.mp4', "select='not(mod(n,4))'")],
  },
  {
    title: 'interpolates frames for a higher frame rate',
    source: 'ffmpeg wiki, "How to speed up / slow down a video": minterpolate',
    request: {
      input: 'small.mp4',
      output: 'timing/smooth.mp4',
      parameters: {
        t: '0.5',
        vf: "scale=160:90,minterpolate='mi_mode=mci:mc_mode=aobmc:me_mode=bidir:fps=48'",
        ...QUICK,
        an: '',
      },
    },
    checks: [
      streams({ avg_frame_rate: '48/1' }),
      looksLike('small.mp4', {
        result: "select='not(mod(n,2))'",
        source: 'trim=end_frame=11,scale=160:90',
        threshold: 0.9,
      }),
    ],
  },
  {
    title: 'reverses video and audio',
    source: 'ffmpeg documentation, filters reverse and areverse',
    request: {
      input: 'small.mp4',
      output: 'timing/backwards.mkv',
      parameters: { vf: 'reverse', af: 'areverse', 'c:v': 'ffv1', 'c:a': 'flac' },
    },
    checks: [frameCount(48), duration(2, 0.1), sameFrames('small.mp4', 'reverse')],
  },
  {
    title: 'plays a clip forwards and then backwards',
    source: 'question sites: "boomerang video effect"',
    request: {
      input: 'small.mp4',
      output: 'timing/boomerang.mp4',
      parameters: {
        filter_complex: '[0:v]trim=0:0.5,split[a][b];[b]reverse[r];[a][r]concat=n=2:v=1[v]',
        map: '[v]',
        ...LOSSLESS,
      },
    },
    checks: [
      frameCount(24),
      sameFrames(
        'small.mp4',
        'trim=end_frame=12,loop=loop=1:size=12,split[a][b];[b]trim=start_frame=12,reverse[r];[a]trim=end_frame=12[f];[f][r]concat',
      ),
    ],
  },
  {
    title: 'freezes the last frame for a second',
    source: 'question sites: "freeze the last frame", tpad',
    request: {
      input: 'small.mp4',
      output: 'timing/held.mp4',
      parameters: { vf: 'tpad=stop_mode=clone:stop_duration=1', ...LOSSLESS },
    },
    checks: [
      frameCount(72),
      duration(3),
      sameFrames('small.mp4', 'split[a][b];[b]trim=start_frame=47,loop=loop=23:size=1[held];[a][held]concat'),
    ],
  },
  {
    title: 'removes duplicate frames',
    source: 'question sites: "remove duplicate frames", mpdecimate',
    request: {
      input: 'frames/img%03d.png',
      output: 'timing/once.mkv',
      parameters: { framerate: '5', vf: 'fps=20,mpdecimate,setpts=N/FRAME_RATE/TB', 'c:v': 'ffv1', r: '20' },
    },
    checks: [frameCount(10), duration(0.5, 0.05)],
  },
  {
    title: 'speeds up speech without changing its pitch',
    source: 'ffmpeg documentation, filter atempo',
    request: { input: 'voice.wav', output: 'timing/quick.wav', parameters: { af: 'atempo=1.25' } },
    checks: [duration(2.4, 0.06), streams({ codec_name: 'pcm_s16le', sample_rate: '44100' })],
  },
  {
    title: 'speeds up audio and raises its pitch',
    source: 'question sites: "change pitch with asetrate"',
    request: {
      input: 'voice.wav',
      output: 'timing/tape.wav',
      parameters: { af: 'asetrate=44100*1.5,aresample=44100' },
    },
    checks: [duration(2, 0.01), levelChange(0, 'voice.wav', 'lowpass=f=300', 'lowpass=f=200')],
  },
  {
    title: 'makes frame times regular after a cut',
    source: 'ffmpeg documentation, filters fps and setpts',
    request: {
      input: 'scenes.mp4',
      output: 'timing/regular.mp4',
      parameters: { vf: 'setpts=PTS-STARTPTS,fps=fps=25:round=near', ...QUICK },
    },
    checks: [streams({ avg_frame_rate: '25/1', r_frame_rate: '25/1' }), duration(2, FRAME), frameCount(50)],
  },
];
