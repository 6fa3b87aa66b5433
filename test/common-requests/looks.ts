import { expect } from 'vitest';
import { duration, streams } from './checks/container.ts';
import { frameCount } from './checks/packets.ts';
import {
  BLACK,
  colour,
  colourAt,
  coloursAt,
  countInterlaced,
  edgeStrength,
  expectNear,
  looksLike,
  sameColour,
  sameFrames,
  ssim,
} from './checks/picture.ts';
import { levelChangeBelow } from './checks/sound.ts';
import type { Check, CommonRequest } from './common-request.ts';

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast', crf: '12', pix_fmt: 'yuv420p', an: '' } as const;

/** The edge strength of the result, as a share of that of `source`, an input. */
const edgesOf =
  (source: string, least: number, most: number): Check =>
  async ({ file, at }) => {
    const share = (await edgeStrength(file)) / (await edgeStrength(at(source)));
    expect(share).toBeGreaterThan(least);
    expect(share).toBeLessThan(most);
  };

/** Brightness, colour, sharpness, fades, deinterlacing and noise. */
export const LOOKS: readonly CommonRequest[] = [
  {
    title: 'converts to black and white',
    source: 'question sites: "convert video to grayscale"',
    request: { input: 'small.mp4', output: 'looks/gray.mp4', parameters: { vf: 'hue=s=0', ...QUICK } },
    checks: [
      looksLike('small.mp4', { result: 'format=gray', source: 'format=gray' }),
      async ({ file }) => {
        const [red, green, blue] = await colourAt(file, { time: 1 });
        expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(4);
      },
    ],
  },
  {
    title: 'raises brightness, contrast and saturation',
    source: 'ffmpeg documentation, filter eq',
    request: {
      input: 'small.mp4',
      output: 'looks/bright.mp4',
      parameters: { vf: 'eq=brightness=0.1:contrast=1.2:saturation=1.5', ...QUICK },
    },
    checks: [
      async ({ file, at }) => {
        const [after, before] = await coloursAt([file], [at('small.mp4')]);
        expect(after[1] - before[1]).toBeGreaterThan(10);
      },
    ],
  },
  {
    title: 'gives the video vintage colours',
    source: 'ffmpeg documentation, filter curves',
    request: { input: 'small.mp4', output: 'looks/vintage.mp4', parameters: { vf: 'curves=preset=vintage', ...QUICK } },
    checks: [
      looksLike('small.mp4', { source: 'curves=preset=vintage,format=yuv420p', threshold: 0.97 }),
      async ({ file, at }) => {
        const [after, before] = await coloursAt([file], [at('small.mp4')]);
        // The filter reduces blue more than red.
        expect(before[2] - after[2]).toBeGreaterThan(before[0] - after[0] + 10);
      },
    ],
  },
  {
    title: 'inverts the colours',
    source: 'ffmpeg documentation, filter negate',
    request: { input: 'small.mp4', output: 'looks/negative.mp4', parameters: { vf: 'negate', ...QUICK } },
    checks: [
      async ({ file, at }) => {
        const [[red, green, blue], found] = await coloursAt([at('small.mp4')], [file]);
        expectNear(found, [255 - red, 255 - green, 255 - blue], 20);
      },
    ],
  },
  {
    title: 'makes the video sepia',
    source: 'ffmpeg documentation, filter colorchannelmixer',
    request: {
      input: 'small.mp4',
      output: 'looks/sepia.mp4',
      parameters: { vf: 'colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131', ...QUICK },
    },
    checks: [
      async ({ file }) => {
        const [red, green, blue] = await colourAt(file);
        expect(red).toBeGreaterThan(green);
        expect(green).toBeGreaterThan(blue);
      },
    ],
  },
  {
    title: 'fades video and audio in and out',
    source: 'question sites: "fade in and fade out video and audio"',
    request: {
      input: 'other.mp4',
      output: 'looks/faded.mp4',
      parameters: {
        vf: 'fade=t=in:st=0:d=0.5,fade=t=out:st=1.5:d=0.5',
        af: 'afade=t=in:d=0.5,afade=t=out:st=1.5:d=0.5',
        'c:v': 'libx264',
        preset: 'ultrafast',
        'c:a': 'aac',
      },
    },
    checks: [
      colour(BLACK, { time: 0 }),
      sameColour({ time: 1 }, 'other.mp4'),
      colour(BLACK, { time: 1.95 }, 30),
      levelChangeBelow(-9, 'other.mp4', 'atrim=1.9:2'),
    ],
  },
  {
    title: 'blurs the video',
    source: 'ffmpeg documentation, filter gblur',
    request: { input: 'small.mp4', output: 'looks/soft.mp4', parameters: { vf: 'gblur=sigma=4', ...QUICK } },
    checks: [edgesOf('small.mp4', 0, 0.7), sameColour({ time: 1 }, 'small.mp4')],
  },
  {
    title: 'sharpens the video',
    source: 'ffmpeg documentation, filter unsharp',
    request: { input: 'small.mp4', output: 'looks/sharp.mp4', parameters: { vf: 'unsharp=5:5:1.5:5:5:0.0', ...QUICK } },
    checks: [edgesOf('small.mp4', 1.15, 4), sameColour({ time: 1 }, 'small.mp4')],
  },
  {
    title: 'removes noise from video',
    source: 'question sites: "denoise video", hqdn3d',
    request: { input: 'noisy.mp4', output: 'looks/clean.mp4', parameters: { vf: 'hqdn3d=8:6:12:9', ...QUICK } },
    checks: [
      async ({ file, at }) => {
        const [after, before] = await Promise.all([file, at('noisy.mp4')].map((one) => ssim(one, at('small.mp4'))));
        expect(after).toBeGreaterThan((before ?? 1) + 0.05);
      },
    ],
  },
  {
    title: 'deinterlaces to one frame per two fields',
    source: 'question sites: "deinterlace", yadif',
    request: {
      input: 'interlaced.mkv',
      output: 'looks/yadif.mp4',
      parameters: { vf: 'yadif=mode=send_frame', ...QUICK },
    },
    checks: [
      streams({ field_order: 'progressive', avg_frame_rate: '30/1' }),
      async ({ file, at }) => {
        expect((await countInterlaced(at('interlaced.mkv'))).interlaced).toBeGreaterThan(20);
        expect((await countInterlaced(file)).interlaced).toBeLessThan(6);
      },
    ],
  },
  {
    title: 'deinterlaces to one frame per field',
    source: 'ffmpeg documentation, filter bwdif',
    request: {
      input: 'interlaced.mkv',
      output: 'looks/bwdif.mp4',
      parameters: { vf: 'bwdif=mode=send_field', ...QUICK },
    },
    checks: [
      streams({ avg_frame_rate: '60/1' }),
      duration(1),
      async ({ file }) => expect((await countInterlaced(file)).interlaced).toBeLessThan(10),
    ],
  },
  {
    title: 'reverses a 2:3 pulldown',
    source: 'ffmpeg documentation, filters fieldmatch and decimate',
    request: {
      input: 'telecined.mkv',
      output: 'looks/film.mkv',
      parameters: { vf: 'fieldmatch,yadif=deint=interlaced,decimate', ...QUICK },
    },
    checks: [
      streams({ avg_frame_rate: '24/1' }),
      async ({ file, at }) =>
        expect(
          await ssim(file, at('small.mp4'), 'trim=start_frame=4:end_frame=20', 'trim=start_frame=4:end_frame=20'),
        ).toBeGreaterThan(0.93),
    ],
  },
  {
    title: 'stabilizes a shaky video',
    source: 'ffmpeg documentation, filter deshake',
    request: { input: 'small.mp4', output: 'looks/steady.mp4', parameters: { vf: 'deshake', ...QUICK } },
    checks: [frameCount(48), streams({ width: 320, height: 180 }), sameColour({ time: 1 }, 'small.mp4')],
  },
  {
    title: 'darkens the edges',
    source: 'ffmpeg documentation, filter vignette',
    request: { input: 'green.mp4', output: 'looks/vignette.mp4', parameters: { vf: 'vignette=PI/4', ...QUICK } },
    checks: [
      async ({ file }) => {
        const [corner, side] = await coloursAt([file, { region: '16:16:0:0' }], [file, { region: '16:16:60:82' }]);
        expect(side[1] - corner[1]).toBeGreaterThan(60);
      },
    ],
  },
  {
    title: 'brightens the video by a lookup table',
    source: 'ffmpeg documentation, filter lutyuv',
    request: {
      input: 'small.mp4',
      output: 'looks/table.mkv',
      parameters: { vf: "lutyuv=y='gammaval(0.6)'", 'c:v': 'ffv1', an: '' },
    },
    checks: [
      sameFrames('small.mp4', "lutyuv=y='gammaval(0.6)'"),
      async ({ file, at }) => {
        const [after, before] = await coloursAt([file], [at('small.mp4')]);
        expect(after[1] - before[1]).toBeGreaterThan(10);
      },
    ],
  },
  {
    title: 'converts full range to limited range and tags it',
    source: 'question sites: "convert full range to limited", scale',
    request: {
      input: 'frames/img001.png',
      output: 'looks/limited.mp4',
      parameters: {
        vf: 'scale=out_range=tv:out_color_matrix=bt709',
        color_range: 'tv',
        colorspace: 'bt709',
        ...QUICK,
      },
    },
    // One picture is a film of one frame, which is enough for the check.
    warnings: ['SHORT_OUTPUT'],
    checks: [streams({ color_range: 'tv', color_space: 'bt709' }), sameColour({}, 'frames/img001.png', {}, 6)],
  },
  {
    title: 'applies a .cube LUT',
    source: 'question sites: "apply a .cube LUT", lut3d',
    request: {
      inputs: ['small.mp4', 'swap.cube'],
      output: 'looks/lut.mp4',
      parameters: { vf: 'lut3d=swap.cube', ...QUICK },
    },
    checks: [
      async ({ file, at }) => {
        const [after, [red, green, blue]] = await coloursAt([file], [at('small.mp4')]);
        expectNear(after, [blue, green, red]);
      },
    ],
  },
  {
    title: 'converts HDR to SDR',
    source: 'question sites: "HDR to SDR", zscale and tonemap',
    request: {
      input: 'hdr.mkv',
      output: 'looks/sdr.mp4',
      parameters: {
        vf:
          'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=hable:desat=0,' +
          'zscale=t=bt709:m=bt709:r=tv,format=yuv420p',
        'c:v': 'libx264',
        preset: 'ultrafast',
      },
    },
    checks: [
      streams({ pix_fmt: 'yuv420p', color_transfer: 'bt709', color_primaries: 'bt709', color_space: 'bt709' }),
      async ({ file, at }) => {
        const [after, before] = await coloursAt([file], [at('hdr.mkv')]);
        // Without tone mapping, HDR looks dull on an SDR screen.
        expect(after[0] - before[0]).toBeGreaterThan(15);
      },
    ],
  },
];
