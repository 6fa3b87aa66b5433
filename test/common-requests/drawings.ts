import { expect } from 'vitest';
import { duration, streams } from './checks/container.ts';
import { BLACK, colour, colourAt, coloursAt } from './checks/picture.ts';
import type { CommonRequest } from './common-request.ts';

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast', pix_fmt: 'yuv420p' } as const;

/** Waveforms and spectrums. */
export const DRAWINGS: readonly CommonRequest[] = [
  {
    title: 'draws a waveform as a picture',
    source: 'ffmpeg wiki, "Waveform"',
    request: {
      input: 'gaps.wav',
      output: 'drawings/wave.png',
      parameters: { filter_complex: 'showwavespic=s=400x100:colors=white', 'frames:v': '1' },
    },
    checks: [
      streams({ codec_name: 'png', width: 400, height: 100 }),
      // A second of silence, two of speech, one of silence.
      colour(BLACK, { region: '90:40:0:0' }, 2),
      colour(BLACK, { region: '90:40:310:0' }, 2),
      async ({ file }) => expect((await colourAt(file, { region: '180:40:110:30' }))[0]).toBeGreaterThan(20),
    ],
  },
  {
    title: 'draws a spectrum as a picture',
    source: 'ffmpeg documentation, filter showspectrumpic',
    request: {
      input: 'gaps.wav',
      output: 'drawings/spectrum.png',
      parameters: { lavfi: 'showspectrumpic=s=256x128:legend=disabled:mode=combined', 'frames:v': '1' },
    },
    checks: [
      streams({ codec_name: 'png', width: 256, height: 128 }),
      async ({ file }) => {
        const [silence, speech] = await coloursAt([file, { region: '50:128:4:0' }], [file, { region: '100:128:78:0' }]);
        expect(Math.max(...speech) - Math.max(...silence)).toBeGreaterThan(20);
      },
    ],
  },
  {
    title: 'draws a waveform as a video',
    source: 'ffmpeg documentation, filter showwaves',
    request: {
      input: 'voice.wav',
      output: 'drawings/waves.mp4',
      parameters: {
        filter_complex: '[0:a]showwaves=s=252x120:mode=cline:rate=25:colors=0x00ff00,format=yuv420p[v]',
        map: ['[v]', '0:a'],
        ...QUICK,
        'c:a': 'aac',
        shortest: '',
      },
    },
    checks: [
      streams({ width: 252, height: 120, avg_frame_rate: '25/1' }, { codec_name: 'aac' }),
      duration(3, 0.1),
      async ({ file }) => {
        const [red, green] = await colourAt(file, { time: 2 });
        expect(green).toBeGreaterThan(red + 5);
      },
    ],
  },
  {
    title: 'draws a waveform over an album cover',
    source: 'question sites: "audiogram", showwaves and overlay',
    request: {
      inputs: ['voice.wav', { input: 'cover.jpg', parameters: { loop: '1', framerate: '25' } }],
      output: 'drawings/audiogram.mp4',
      parameters: {
        filter_complex:
          '[0:a]showwaves=s=180x60:mode=line:colors=white:rate=25[w];[1:v]format=yuv420p[c];[c][w]overlay=0:120:shortest=1[v]',
        map: ['[v]', '0:a'],
        ...QUICK,
        'c:a': 'aac',
        t: '2',
      },
    },
    checks: [streams({ width: 180, height: 180 }, { codec_name: 'aac' }), duration(2, 0.06)],
  },
  {
    title: 'draws the musical tones as a video',
    source: 'ffmpeg documentation, filter showcqt',
    request: {
      input: 'voice.wav',
      output: 'drawings/tones.mp4',
      parameters: {
        filter_complex: '[0:a]showcqt=s=320x180:fps=12:axis=0,format=yuv420p[v]',
        map: ['[v]', '0:a'],
        ...QUICK,
        'c:a': 'copy',
        t: '1',
        f: 'mov',
      },
    },
    checks: [
      streams({ width: 320, height: 180, avg_frame_rate: '12/1' }, { codec_name: 'pcm_s16le' }),
      duration(1, 0.1),
    ],
  },
];
