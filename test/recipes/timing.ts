import { FRAME, lasts, streams } from './checks/container.ts';
import { frames } from './checks/packets.ts';
import { looksLike, sameFrames } from './checks/picture.ts';
import { louderBy } from './checks/sound.ts';
import type { Recipe } from './recipe.ts';

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast' } as const;
const LOSSLESS = { ...QUICK, qp: '0', an: '' } as const;

/** How fast it goes, in what direction, and in how many frames. */
export const TIMING: readonly Recipe[] = [
  {
    title: 'half the frames, by a filter',
    source: 'ffmpeg wiki, "ChangingFrameRate": fps filter',
    request: { input: 'small.mp4', output: 'timing/half.mp4', parameters: { vf: 'fps=12', ...LOSSLESS } },
    checks: [frames(24), lasts(2), streams({ avg_frame_rate: '12/1' })],
  },
  {
    title: 'another constant rate, by the option',
    source: 'ffmpeg wiki, "ChangingFrameRate": r as an output option',
    request: { input: 'small.mp4', output: 'timing/thirty.mp4', parameters: { r: '30000/1001', ...QUICK, an: '' } },
    checks: [streams({ avg_frame_rate: '30000/1001' }), lasts(2), frames(60)],
  },
  {
    title: 'the same frames read at another rate',
    source: 'question sites: "change framerate without dropping frames", r as an input option',
    request: {
      inputs: [{ input: 'small.mp4', parameters: { r: '48' } }],
      output: 'timing/reread.mkv',
      parameters: { ...LOSSLESS },
    },
    checks: [frames(48), lasts(1, 1 / 48), streams({ avg_frame_rate: '48/1' }), sameFrames('small.mp4')],
  },
  {
    title: 'slow motion, the sound too',
    source: 'ffmpeg wiki, "How to speed up / slow down a video"',
    request: {
      input: 'small.mp4',
      output: 'timing/slow.mp4',
      parameters: { vf: 'setpts=2.0*PTS', af: 'atempo=0.5', r: '24', ...QUICK, 'c:a': 'aac' },
    },
    checks: [
      lasts(4, 0.1),
      streams({ codec_name: 'h264', avg_frame_rate: '24/1' }, { codec_name: 'aac' }),
      looksLike('small.mp4', { result: "select='not(mod(n,2))'" }),
    ],
  },
  {
    title: 'twice as fast, the sound too',
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
    checks: [lasts(1, 0.1), streams({ codec_name: 'h264' }, { codec_name: 'aac', sample_rate: '48000' })],
  },
  {
    title: 'a time lapse of every fourth frame',
    source: 'question sites: "timelapse from video"',
    request: {
      input: 'small.mp4',
      output: 'timing/lapse.mp4',
      parameters: { vf: "select='not(mod(n,4))',setpts=N/(24*TB)", r: '24', ...LOSSLESS },
    },
    checks: [frames(12), lasts(0.5), sameFrames('small.mp4', "select='not(mod(n,4))'")],
  },
  {
    title: 'more frames, made up between those there are',
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
        least: 0.9,
      }),
    ],
  },
  {
    title: 'backwards, the sound too',
    source: 'ffmpeg documentation, filters reverse and areverse',
    request: {
      input: 'small.mp4',
      output: 'timing/backwards.mkv',
      parameters: { vf: 'reverse', af: 'areverse', 'c:v': 'ffv1', 'c:a': 'flac' },
    },
    checks: [frames(48), lasts(2, 0.1), sameFrames('small.mp4', 'reverse')],
  },
  {
    title: 'forth and back',
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
      frames(24),
      sameFrames(
        'small.mp4',
        'trim=end_frame=12,loop=loop=1:size=12,split[a][b];[b]trim=start_frame=12,reverse[r];[a]trim=end_frame=12[f];[f][r]concat',
      ),
    ],
  },
  {
    title: 'the last frame held for a second',
    source: 'question sites: "freeze the last frame", tpad',
    request: {
      input: 'small.mp4',
      output: 'timing/held.mp4',
      parameters: { vf: 'tpad=stop_mode=clone:stop_duration=1', ...LOSSLESS },
    },
    checks: [
      frames(72),
      lasts(3),
      sameFrames('small.mp4', 'split[a][b];[b]trim=start_frame=47,loop=loop=23:size=1[held];[a][held]concat'),
    ],
  },
  {
    title: 'frames that repeat left out',
    source: 'question sites: "remove duplicate frames", mpdecimate',
    request: {
      input: 'frames/img%03d.png',
      output: 'timing/once.mkv',
      parameters: { framerate: '5', vf: 'fps=20,mpdecimate,setpts=N/FRAME_RATE/TB', 'c:v': 'ffv1', r: '20' },
    },
    checks: [frames(10), lasts(0.5, 0.05)],
  },
  {
    title: 'speech faster, its pitch kept',
    source: 'ffmpeg documentation, filter atempo',
    request: { input: 'voice.wav', output: 'timing/quick.wav', parameters: { af: 'atempo=1.25' } },
    checks: [lasts(2.4, 0.06), streams({ codec_name: 'pcm_s16le', sample_rate: '44100' })],
  },
  {
    title: 'sound faster and higher, as a tape',
    source: 'question sites: "change pitch with asetrate"',
    request: {
      input: 'voice.wav',
      output: 'timing/tape.wav',
      parameters: { af: 'asetrate=44100*1.5,aresample=44100' },
    },
    checks: [lasts(2, 0.01), louderBy(0, 'voice.wav', 'lowpass=f=300', 'lowpass=f=200')],
  },
  {
    title: 'frame times made regular after a cut',
    source: 'ffmpeg documentation, filters fps and setpts',
    request: {
      input: 'scenes.mp4',
      output: 'timing/regular.mp4',
      parameters: { vf: 'setpts=PTS-STARTPTS,fps=fps=25:round=near', ...QUICK },
    },
    checks: [streams({ avg_frame_rate: '25/1', r_frame_rate: '25/1' }), lasts(2, FRAME), frames(50)],
  },
];
