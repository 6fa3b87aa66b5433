import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { describeFile, duration, format, streams } from './checks/container.ts';
import { outputs } from './checks/outputs.ts';
import { frameCount } from './checks/packets.ts';
import { frameHashes, looksLike, sameColour, sameFrames } from './checks/picture.ts';
import type { CommonRequest } from './common-request.ts';

/** Still and animated pictures from videos. */
export const PICTURES: readonly CommonRequest[] = [
  {
    title: 'makes a GIF with its own palette',
    source: 'question sites: "high quality GIF", palettegen and paletteuse',
    request: {
      input: 'small.mp4',
      output: 'pictures/palette.gif',
      parameters: {
        vf: 'fps=10,scale=160:-1:flags=lanczos,split[s0][s1];[s0]palettegen[p];[s1][p]paletteuse',
        loop: '0',
      },
    },
    checks: [
      streams({ codec_name: 'gif', width: 160, height: 90, avg_frame_rate: '10/1' }),
      frameCount(20),
      duration(2),
      // The application block of an endless loop.
      async ({ file }) => expect((await readFile(file)).includes('NETSCAPE2.0\u0003\u0001\u0000\u0000')).toBe(true),
      looksLike('small.mp4', { source: 'fps=10,scale=160:90', threshold: 0.85 }),
    ],
  },
  {
    title: 'makes an animated WebP',
    source: 'question sites: "video to animated webp"',
    request: {
      input: 'small.mp4',
      output: 'pictures/moving.webp',
      parameters: { 'c:v': 'libwebp', vf: 'fps=10,scale=160:-1', 'q:v': '60', loop: '0', an: '' },
    },
    checks: [
      async ({ file }) => {
        const bytes = await readFile(file);
        const text = bytes.toString('latin1');
        expect(text).toMatch(/^RIFF[\s\S]{4}WEBPVP8X/);
        // The loop count follows the background colour. 0 means endless.
        expect(bytes.readUInt16LE(text.indexOf('ANIM') + 12)).toBe(0);
        expect(text.match(/ANMF/g)).toHaveLength(20);
      },
    ],
  },
  {
    title: 'makes an animated PNG',
    source: 'ffmpeg documentation, muxer apng',
    request: {
      input: 'small.mp4',
      output: 'pictures/moving.apng',
      parameters: { vf: 'fps=5,scale=96:-1', plays: '0' },
    },
    checks: [format('apng'), streams({ codec_name: 'apng', width: 96, height: 54 }), frameCount(10)],
  },
  {
    title: 'extracts the frame at a given time',
    source: 'question sites: "extract a frame at a specific time"',
    request: {
      inputs: [{ input: 'small.mp4', parameters: { ss: '00:00:01' } }],
      output: 'pictures/at-one.jpg',
      parameters: { 'frames:v': '1', 'q:v': '2' },
    },
    checks: [
      streams({ codec_name: 'mjpeg', width: 320 }),
      looksLike('small.mp4', { source: 'trim=start_frame=24:end_frame=25', threshold: 0.97 }),
    ],
  },
  {
    title: 'extracts a frame every half second',
    source: 'ffmpeg wiki, "Create a thumbnail image every X seconds of the video"',
    request: {
      input: 'small.mp4',
      output: 'pictures/every/%03d.jpg',
      parameters: { vf: 'fps=2,scale=160:-1', 'q:v': '3' },
    },
    checks: [
      outputs(...['001', '002', '003', '004'].map((n) => `pictures/every/${n}.jpg`)),
      async ({ at }) =>
        expect((await describeFile(at('pictures/every/004.jpg'))).streams).toMatchObject([{ width: 160, height: 90 }]),
    ],
  },
  {
    title: 'makes a contact sheet',
    source: 'ffmpeg documentation, filter tile',
    request: {
      input: 'small.mp4',
      output: 'pictures/sheet.png',
      parameters: { vf: "select='not(mod(n,12))',scale=80:-1,tile=2x2", 'frames:v': '1' },
    },
    checks: [
      streams({ codec_name: 'png', width: 160, height: 90 }),
      sameColour({ region: '80:45:0:0' }, 'small.mp4', { time: 0 }),
      sameColour({ region: '80:45:80:45' }, 'small.mp4', { time: 1.5 }),
    ],
  },
  {
    title: 'extracts the first frame after a scene change',
    source: 'question sites: "extract frames at scene changes"',
    request: {
      input: 'scenes.mp4',
      output: 'pictures/scene.png',
      parameters: { vf: "select='gt(scene,0.3)'", 'frames:v': '1', fps_mode: 'vfr' },
    },
    checks: [sameFrames('scenes.mp4', 'trim=start_frame=24:end_frame=25,format=rgb24')],
  },
  {
    title: 'extracts only the key frames',
    source: 'question sites: "extract only i-frames"',
    request: {
      input: 'small.mp4',
      output: 'pictures/keys/k%d.png',
      parameters: { vf: "select='eq(pict_type,I)'", vsync: 'vfr' },
    },
    checks: [
      outputs(...[1, 2, 3, 4].map((n) => `pictures/keys/k${n}.png`)),
      async ({ at }) =>
        expect(await frameHashes(at('pictures/keys/k3.png'))).toEqual(
          await frameHashes(at('small.mp4'), 'trim=start_frame=24:end_frame=25,format=rgb24'),
        ),
    ],
  },
  {
    title: 'picks a representative thumbnail',
    source: 'ffmpeg documentation, filter thumbnail',
    request: {
      input: 'small.mp4',
      output: 'pictures/best.webp',
      parameters: { vf: 'thumbnail=24,scale=160:-1', 'frames:v': '1' },
    },
    checks: [streams({ codec_name: 'webp', width: 160, height: 90 }), sameColour({}, 'small.mp4', { time: 0.5 }, 25)],
  },
  {
    title: 'numbers extracted frames from a given number',
    source: 'question sites: "video to image sequence"',
    request: {
      input: 'small.mp4',
      output: 'pictures/all/f%04d.png',
      parameters: { start_number: '100', 'frames:v': '3' },
    },
    checks: [
      outputs(...['0100', '0101', '0102'].map((n) => `pictures/all/f${n}.png`)),
      async ({ at }) =>
        expect(await frameHashes(at('pictures/all/f0102.png'))).toEqual(
          await frameHashes(at('small.mp4'), 'trim=start_frame=2:end_frame=3,format=rgb24'),
        ),
    ],
  },
  {
    title: 'converts PNG to JPEG',
    source: 'question sites: "convert png to jpg with ffmpeg"',
    request: {
      input: 'frames/img001.png',
      output: 'pictures/frame.jpg',
      parameters: { 'qscale:v': '2', pix_fmt: 'yuvj420p' },
    },
    checks: [
      streams({ codec_name: 'mjpeg', pix_fmt: 'yuvj420p' }),
      looksLike('frames/img001.png', { threshold: 0.97 }),
    ],
  },
];
