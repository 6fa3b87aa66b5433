import { expect } from 'vitest';
import { duration, streams } from './checks/container.ts';
import { frameCount } from './checks/packets.ts';
import { colour, colourAt, looksLike, looksUnlike, RED, sameColour } from './checks/picture.ts';
import { levelChangeBetween } from './checks/sound.ts';
import type { CommonRequest } from './common-request.ts';

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast', crf: '15', pix_fmt: 'yuv420p' } as const;
const sized = (width: number, height: number) => ({ codec_name: 'h264', width, height });
/** The region of a 64×36 logo, ten pixels from the lower right corner. */
const CORNER = '64:36:246:134';

/** Logos, text, several pictures in one, and crossfades. */
export const OVERLAYS: readonly CommonRequest[] = [
  {
    title: 'puts a logo into the lower right corner and copies the audio',
    source: 'question sites: "add a watermark", overlay',
    request: {
      inputs: ['small.mp4', 'logo.png'],
      output: 'overlays/logo.mp4',
      parameters: { filter_complex: 'overlay=W-w-10:H-h-10', ...QUICK, 'c:a': 'copy' },
    },
    checks: [
      streams(sized(320, 180), { codec_name: 'aac' }),
      colour(RED, { region: '60:32:248:136' }),
      looksLike('small.mp4', { result: 'crop=320:120:0:0', source: 'crop=320:120:0:0' }),
      duration(2, 0.05),
    ],
  },
  {
    title: 'overlays a half-transparent logo',
    source: 'question sites: "watermark with opacity", colorchannelmixer',
    request: {
      inputs: ['green.mp4', 'logo.png'],
      output: 'overlays/half.mp4',
      parameters: {
        filter_complex: '[1:v]format=rgba,colorchannelmixer=aa=0.5[logo];[0:v][logo]overlay=8:8[v]',
        map: '[v]',
        ...QUICK,
      },
    },
    checks: [colour([127, 127, 0], { region: '56:28:12:12' }, 20)],
  },
  {
    title: 'shows a logo for a part of the time',
    source: 'ffmpeg documentation, "Timeline editing": enable',
    request: {
      inputs: ['small.mp4', 'logo.png'],
      output: 'overlays/while.mp4',
      parameters: { filter_complex: "[0:v][1:v]overlay=246:134:enable='between(t,0.5,1.4)'", ...QUICK, an: '' },
    },
    checks: [
      sameColour({ time: 0.25, region: CORNER }, 'small.mp4'),
      colour(RED, { time: 1, region: '60:32:248:136' }),
      sameColour({ time: 1.75, region: CORNER }, 'small.mp4'),
    ],
  },
  {
    title: 'puts a picture in the picture and mixes the audio',
    source: 'question sites: "picture in picture"',
    request: {
      inputs: ['small.mp4', 'other.mp4'],
      output: 'overlays/pip.mp4',
      parameters: {
        filter_complex:
          '[1:v]scale=iw/4:-1[small];[0:v][small]overlay=main_w-overlay_w-8:8[v];[0:a][1:a]amix=inputs=2[a]',
        map: ['[v]', '[a]'],
        ...QUICK,
        'c:a': 'aac',
      },
    },
    checks: [
      streams(sized(320, 180), { codec_name: 'aac', channels: 2 }),
      looksLike('small.mp4', { result: 'crop=200:180:0:0', source: 'crop=200:180:0:0' }),
      sameColour({ time: 1, region: '80:44:232:8' }, 'other.mp4', { time: 1 }),
      levelChangeBetween(-8, 0, 'other.mp4'),
    ],
  },
  {
    title: 'shows two videos side by side',
    source: 'question sites: "two videos side by side", hstack',
    request: {
      inputs: ['small.mp4', 'other.mp4'],
      output: 'overlays/beside.mp4',
      parameters: { filter_complex: 'hstack=inputs=2', ...QUICK, an: '' },
    },
    checks: [
      streams(sized(640, 180)),
      looksLike('small.mp4', { result: 'crop=320:180:0:0' }),
      looksLike('other.mp4', { result: 'crop=320:180:320:0' }),
    ],
  },
  {
    title: 'stacks two videos of different widths',
    source: 'question sites: "stack videos vertically", scale and vstack',
    request: {
      inputs: ['movie.mp4', 'small.mp4'],
      output: 'overlays/above.mp4',
      parameters: {
        filter_complex: '[0:v]scale=320:-2[a];[a][1:v]vstack=inputs=2:shortest=1[v]',
        map: '[v]',
        ...QUICK,
      },
    },
    warnings: ['SOUND_LEFT_OUT'],
    checks: [streams(sized(320, 360)), frameCount(48), looksLike('small.mp4', { result: 'crop=320:180:0:180' })],
  },
  {
    title: 'arranges four videos in a grid',
    source: 'ffmpeg documentation, filter xstack',
    request: {
      inputs: ['small.mp4', 'other.mp4', 'noisy.mp4', 'green.mp4'],
      output: 'overlays/four.mp4',
      parameters: {
        filter_complex: '[0:v][1:v][2:v][3:v]xstack=inputs=4:layout=0_0|w0_0|0_h0|w0_h0,scale=320:180[v]',
        map: '[v]',
        ...QUICK,
      },
    },
    warnings: ['SOUND_LEFT_OUT'],
    checks: [
      streams(sized(320, 180)),
      sameColour({ region: '160:90:160:0' }, 'other.mp4'),
      colour([0, 254, 0], { region: '32:80:164:95' }, 20),
    ],
  },
  {
    title: 'draws text on the video',
    source: 'question sites: "add text overlay", drawtext',
    request: {
      input: 'green.mp4',
      output: 'overlays/words.mp4',
      parameters: {
        vf: "drawtext=text='Hello, World':fontcolor=white:fontsize=24:box=1:boxcolor=blue:boxborderw=6:x=(w-text_w)/2:y=h-th-20",
        ...QUICK,
      },
    },
    checks: [
      looksLike('green.mp4', { result: 'crop=320:100:0:0', source: 'crop=320:100:0:0' }),
      looksUnlike('green.mp4', { result: 'crop=320:60:0:120', source: 'crop=320:60:0:120' }),
      // The text covers the green bars at both sides of the window; its box is blue.
      async ({ file }) => {
        const [, green, blue] = await colourAt(file, { region: '140:30:90:135' });
        expect(blue).toBeGreaterThan(green + 30);
      },
    ],
  },
  {
    title: 'draws the timestamp on the video',
    source: 'ffmpeg documentation, filter drawtext: text expansion',
    request: {
      input: 'green.mp4',
      output: 'overlays/clock.mp4',
      parameters: { vf: "drawtext=text='%{pts\\:hms}':fontcolor=white:fontsize=16:x=4:y=4", ...QUICK },
    },
    checks: [
      looksUnlike('green.mp4', { result: 'crop=80:24:0:0', source: 'crop=80:24:0:0' }),
      looksLike('green.mp4', { result: 'crop=320:140:0:40', source: 'crop=320:140:0:40' }),
    ],
  },
  {
    title: 'blurs a region of the video',
    source: 'question sites: "blur a region of a video"',
    request: {
      input: 'small.mp4',
      output: 'overlays/blurred.mp4',
      parameters: {
        filter_complex: '[0:v]crop=120:80:100:50,boxblur=12:2[hidden];[0:v][hidden]overlay=100:50[v]',
        map: ['[v]', '0:a'],
        ...QUICK,
        'c:a': 'copy',
      },
    },
    checks: [
      looksLike('small.mp4', { result: 'crop=96:180:0:0', source: 'crop=96:180:0:0' }),
      looksUnlike('small.mp4', { result: 'crop=112:72:104:54', source: 'crop=112:72:104:54', threshold: 0.9 }),
      sameColour({ region: '112:72:104:54' }, 'small.mp4'),
    ],
  },
  {
    title: 'removes a channel logo',
    source: 'ffmpeg documentation, filter delogo',
    request: {
      input: 'small.mp4',
      output: 'overlays/delogo.mp4',
      parameters: { vf: 'delogo=x=240:y=10:w=60:h=40', ...QUICK, an: '' },
    },
    checks: [
      looksLike('small.mp4', { result: 'crop=230:180:0:0', source: 'crop=230:180:0:0' }),
      looksUnlike('small.mp4', { result: 'crop=60:40:240:10', source: 'crop=60:40:240:10', threshold: 0.99 }),
    ],
  },
  {
    title: 'draws a border around the picture',
    source: 'ffmpeg documentation, filter drawbox',
    request: {
      input: 'small.mp4',
      output: 'overlays/frame.mp4',
      parameters: { vf: 'drawbox=x=0:y=0:w=iw:h=ih:color=red:t=12', ...QUICK, an: '' },
    },
    checks: [
      colour(RED, { region: '300:8:2:2' }),
      looksLike('small.mp4', { result: 'crop=280:140', source: 'crop=280:140' }),
    ],
  },
  {
    title: 'replaces a green background',
    source: 'question sites: "green screen", chromakey',
    request: {
      inputs: ['other.mp4', 'green.mp4'],
      output: 'overlays/keyed.mp4',
      parameters: {
        filter_complex: '[1:v]chromakey=0x00ff00:0.15:0.05[front];[0:v][front]overlay=shortest=1[v]',
        map: '[v]',
        ...QUICK,
      },
    },
    warnings: ['SOUND_LEFT_OUT'],
    checks: [
      looksLike('other.mp4', { result: 'crop=70:180:0:0', source: 'crop=70:180:0:0' }),
      sameColour({ region: '140:160:90:10' }, 'small.mp4', undefined, 25),
    ],
  },
  {
    title: 'crossfades two videos with their audio',
    source: 'ffmpeg documentation, filters xfade and acrossfade',
    request: {
      inputs: ['small.mp4', 'other.mp4'],
      output: 'overlays/crossed.mp4',
      parameters: {
        filter_complex: '[0:v][1:v]xfade=transition=wipeleft:duration=1:offset=1[v];[0:a][1:a]acrossfade=d=1[a]',
        map: ['[v]', '[a]'],
        ...QUICK,
        'c:a': 'aac',
      },
    },
    checks: [
      duration(3, 0.1),
      looksLike('small.mp4', { result: 'trim=end_frame=24' }),
      looksLike('other.mp4', { result: 'trim=start_frame=49', source: 'trim=start_frame=25' }),
    ],
  },
];
