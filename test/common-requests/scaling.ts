import { streams } from './checks/container.ts';
import { frameCount } from './checks/packets.ts';
import { BLACK, colour, looksLike, sameColour, sameFrames } from './checks/picture.ts';
import type { CommonRequest } from './common-request.ts';

const QUICK = { 'c:v': 'libx264', preset: 'ultrafast', an: '' } as const;
const LOSSLESS = { ...QUICK, qp: '0' } as const;
const sized = (width: number, height: number) => ({ codec_name: 'h264', width, height });

/** Size, aspect ratio and rotation. */
export const SCALING: readonly CommonRequest[] = [
  {
    title: 'scales to a height, with an even width that keeps the aspect ratio',
    source: 'ffmpeg wiki, "Scaling"',
    request: { input: 'movie.mp4', output: 'scaling/even.mp4', parameters: { vf: 'scale=-2:120', t: '1', ...QUICK } },
    checks: [streams(sized(214, 120)), looksLike('movie.mp4', { source: 'trim=end_frame=24,scale=214:120' })],
  },
  {
    title: 'scales to half the size by Lanczos',
    source: 'ffmpeg wiki, "Scaling": flags=lanczos',
    request: {
      input: 'small.mp4',
      output: 'scaling/half.mp4',
      parameters: { vf: 'scale=iw/2:-1:flags=lanczos', ...LOSSLESS },
    },
    checks: [streams(sized(160, 90)), sameFrames('small.mp4', 'scale=160:90:flags=lanczos')],
  },
  {
    title: 'scales to a named size, with a scaler for all filters',
    source: 'ffmpeg documentation, "s" and sws_flags',
    request: {
      input: 'movie.mp4',
      output: 'scaling/named.mp4',
      parameters: { s: 'qvga', sws_flags: 'bicubic', t: '0.5', ...QUICK },
    },
    // The film is 16:9, and this size is 4:3.
    warnings: ['NON_SQUARE_PIXELS'],
    checks: [streams(sized(320, 240)), frameCount(12)],
  },
  {
    title: 'scales to a size given as one value, without keeping the aspect ratio',
    source: 'ffmpeg documentation, filter scale: a size as one value',
    request: { input: 'small.mp4', output: 'scaling/numbers.mp4', parameters: { vf: 'scale=160x120', ...LOSSLESS } },
    // As its title says: another shape, so the pixels are not square.
    warnings: ['NON_SQUARE_PIXELS'],
    checks: [streams({ ...sized(160, 120), display_aspect_ratio: '16:9' }), sameFrames('small.mp4', 'scale=160:120')],
  },
  {
    title: 'scales down only if the input is larger',
    source: 'question sites: "downscale only if larger", min()',
    request: {
      input: 'small.mp4',
      output: 'scaling/least.mp4',
      parameters: { vf: "scale='min(1280,iw)':-2", ...LOSSLESS },
    },
    checks: [streams(sized(320, 180)), sameFrames('small.mp4')],
  },
  {
    title: 'fits the picture into a square with letterbox bars',
    source: 'question sites: "resize with letterbox", force_original_aspect_ratio and pad',
    request: {
      input: 'small.mp4',
      output: 'scaling/letterbox.mp4',
      parameters: {
        vf: 'scale=240:240:force_original_aspect_ratio=decrease,pad=240:240:(ow-iw)/2:(oh-ih)/2,setsar=1',
        ...QUICK,
      },
    },
    checks: [
      streams({ ...sized(240, 240), sample_aspect_ratio: '1:1' }),
      colour(BLACK, { region: '240:48:0:0' }),
      colour(BLACK, { region: '240:48:0:192' }),
      looksLike('small.mp4', { result: 'crop=240:134:0:53', source: 'scale=240:134' }),
    ],
  },
  {
    title: 'fills a square and crops the rest',
    source: 'question sites: "resize and crop to fill", force_original_aspect_ratio=increase',
    request: {
      input: 'small.mp4',
      output: 'scaling/filled.mp4',
      parameters: { vf: 'scale=120:120:force_original_aspect_ratio=increase,crop=120:120', ...QUICK },
    },
    checks: [streams(sized(120, 120)), looksLike('small.mp4', { source: 'crop=180:180,scale=120:120' })],
  },
  {
    title: 'crops the middle without changing a pixel',
    source: 'ffmpeg documentation, filter crop',
    request: { input: 'small.mp4', output: 'scaling/crop.mp4', parameters: { vf: 'crop=160:90', ...LOSSLESS } },
    checks: [streams(sized(160, 90)), sameFrames('small.mp4', 'crop=160:90:80:45')],
  },
  {
    title: 'makes a vertical video over a blurred background',
    source: 'question sites: "vertical video with blurred background"',
    request: {
      input: 'small.mp4',
      output: 'scaling/upright.mp4',
      parameters: {
        filter_complex:
          '[0:v]split[a][b];[a]scale=180:320:force_original_aspect_ratio=increase,crop=180:320,boxblur=10:2[back];' +
          '[b]scale=180:-2[front];[back][front]overlay=(W-w)/2:(H-h)/2',
        ...QUICK,
      },
    },
    checks: [
      streams(sized(180, 320)),
      looksLike('small.mp4', { result: 'crop=180:102:0:108', source: 'scale=180:102' }),
      sameColour({ region: '160:80:10:10' }, 'small.mp4', { region: '90:45:115:6' }, 30),
    ],
  },
  {
    title: 'converts an anamorphic video to square pixels',
    source: 'question sites: "convert anamorphic video to square pixels"',
    request: {
      input: 'small.mp4',
      output: 'scaling/square-pixels.mp4',
      parameters: { vf: 'setsar=4/3,scale=trunc(iw*sar/2)*2:ih,setsar=1', ...QUICK },
    },
    checks: [streams({ ...sized(426, 180), sample_aspect_ratio: '1:1' })],
  },
  {
    title: 'rotates a video by 90 degrees clockwise',
    source: 'question sites: "rotate a video", transpose',
    request: { input: 'small.mp4', output: 'scaling/clockwise.mp4', parameters: { vf: 'transpose=1', ...LOSSLESS } },
    checks: [streams(sized(180, 320)), sameFrames('small.mp4', 'transpose=2,transpose=2,transpose=2')],
  },
  {
    title: 'rotates a video by 180 degrees',
    source: 'question sites: "rotate a video 180 degrees", hflip and vflip',
    request: { input: 'small.mp4', output: 'scaling/head.mp4', parameters: { vf: 'hflip,vflip', ...LOSSLESS } },
    checks: [sameFrames('small.mp4', 'transpose=1,transpose=1')],
  },
  {
    title: 'mirrors a video horizontally',
    source: 'ffmpeg documentation, filter hflip',
    request: { input: 'small.mp4', output: 'scaling/mirrored.mp4', parameters: { vf: 'hflip', ...LOSSLESS } },
    checks: [sameFrames('small.mp4', 'vflip,transpose=1,transpose=1')],
  },
  {
    title: 'rotates a video by 30 degrees on a black background',
    source: 'ffmpeg documentation, filter rotate',
    request: {
      input: 'small.mp4',
      output: 'scaling/tilted.mp4',
      parameters: {
        vf: "rotate=30*PI/180:ow='rotw(30*PI/180)':oh='roth(30*PI/180)':c=black,scale=trunc(iw/2)*2:trunc(ih/2)*2",
        ...QUICK,
      },
    },
    checks: [streams(sized(366, 316)), colour(BLACK, { region: '30:30:0:0' })],
  },
  {
    title: 'rotates a phone video upright automatically',
    source: 'ffmpeg documentation, "autorotate"',
    request: { input: 'sideways.mp4', output: 'scaling/phone.mp4', parameters: { ...QUICK } },
    checks: [streams(sized(180, 320)), looksLike('small.mp4', { source: 'transpose=1' })],
  },
  {
    title: 'leaves a phone video unrotated with noautorotate',
    source: 'ffmpeg documentation, "noautorotate"',
    request: { input: 'sideways.mp4', output: 'scaling/lying.mp4', parameters: { noautorotate: '', ...QUICK } },
    checks: [
      streams({ ...sized(320, 180), side_data_list: [{ rotation: -90 }] }),
      looksLike('small.mp4', { source: 'transpose=1' }),
    ],
  },
];
