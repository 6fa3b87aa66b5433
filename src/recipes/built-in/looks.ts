import type { Recipe } from '../../domain/recipe.ts';
import { AAC, EVEN, FAST_START, FILM, H264, H264_FILES, H264_QUALITY, phrases } from './parts.ts';

/** How the picture looks, and repairs of it. */
export const LOOKS: readonly Recipe[] = [
  {
    name: 'deinterlace',
    version: 1,
    title: 'Deinterlace',
    description:
      'Turns interlaced video of television, tapes and DVDs into whole frames, without combs at moving edges.',
    words: phrases`
      interlaced, combing, tv recording, vhs, dvd, 1080i, 50i, horizontal lines, bwdif, yadif, tape, camcorder,
      stripes, comb lines, stripy, horizontal stripes, broadcast capture, progressive, interlaced to progressive, old
      camcorder, dv tape, lines when things move, jagged edges, hi8, television capture, field order`,
    inputs: [FILM],
    outputs: H264_FILES,
    arguments: {
      frames: {
        type: 'choice',
        choices: { each: 'send_field', pair: 'send_frame' },
        default: 'each',
        description: 'One frame of each field (smooth, 50 or 60 a second), or of each pair of fields.',
      },
      ...H264_QUALITY,
    },
    request: { parameters: { vf: `bwdif=mode={{frames}},${EVEN}`, ...H264, ...AAC, ...FAST_START } },
  },
  {
    name: 'denoise-video',
    version: 1,
    title: 'Reduce noise in the picture',
    description: 'Smooths grain and noise of dark or old recordings, which also makes the file smaller.',
    words: phrases`
      grain, noise, grainy, dark video, low light, denoise, old film, clean picture, hqdn3d, grain removal, less
      grain, noisy picture, pixels flicker in the dark, concert clip, night video, high iso, film grain, speckles`,
    inputs: [FILM],
    outputs: H264_FILES,
    arguments: {
      strength: {
        type: 'choice',
        choices: { light: '2:1.5:3:2.25', normal: '4:3:6:4.5', strong: '8:6:12:9' },
        default: 'normal',
        description: 'How much is smoothed.',
      },
      ...H264_QUALITY,
    },
    request: { parameters: { vf: `hqdn3d={{strength}},${EVEN}`, ...H264, ...AAC, ...FAST_START } },
  },
  {
    name: 'black-and-white',
    version: 1,
    title: 'Black and white',
    description: 'Removes the colours of a video.',
    words: phrases`
      grayscale, greyscale, monochrome, no colour, desaturate, black and white, noir, bw, remove colour, old movie
      look, without colour, grey video, silent movie look`,
    inputs: [FILM],
    outputs: H264_FILES,
    arguments: H264_QUALITY,
    request: { parameters: { vf: `hue=s=0,${EVEN}`, ...H264, ...AAC, ...FAST_START } },
  },
  {
    name: 'adjust-colours',
    version: 1,
    title: 'Brightness, contrast and saturation',
    description: 'Makes a picture brighter or darker, and its contrast and colours stronger or weaker.',
    words: phrases`
      brighten, darken, brightness, contrast, saturation, gamma, too dark, too bright, washed out, colour correction,
      vivid, exposure, make it brighter, make it darker, backlit, underexposed, overexposed, dull colours, pale, more
      colour, faded colours, tint, lighting, brighten a video`,
    inputs: [FILM],
    outputs: H264_FILES,
    arguments: {
      brightness: { type: 'number', min: -1, max: 1, default: 0, description: 'From -1 to 1; 0 changes nothing.' },
      contrast: { type: 'number', min: 0, max: 4, default: 1, description: '1 changes nothing.' },
      saturation: {
        type: 'number',
        min: 0,
        max: 3,
        default: 1,
        description: '1 changes nothing, 0 removes all colours.',
      },
      gamma: { type: 'number', min: 0.1, max: 10, default: 1, description: 'Above 1, dark parts get brighter.' },
      ...H264_QUALITY,
    },
    request: {
      parameters: {
        vf: `eq=brightness={{brightness}}:contrast={{contrast}}:saturation={{saturation}}:gamma={{gamma}},${EVEN}`,
        ...H264,
        ...AAC,
        ...FAST_START,
      },
    },
  },
  {
    name: 'blur-region',
    version: 1,
    title: 'Blur a region',
    description: 'Blurs a rectangle of the picture, such as a number plate, a face or a logo that stays in its place.',
    words: phrases`
      blur, censor, pixelate, hide, face, number plate, license plate, anonymise, privacy, cover up, redact, blur out,
      hide a face, hide something, child, faces, mosaic, black out, credit card, secret, sensitive, obscure,
      unrecognisable, address`,
    inputs: [FILM],
    outputs: H264_FILES,
    arguments: {
      x: { type: 'number', min: 0, max: 8192, integer: true, required: true, description: 'The left edge in pixels.' },
      y: { type: 'number', min: 0, max: 8192, integer: true, required: true, description: 'The upper edge.' },
      width: {
        type: 'number',
        min: 16,
        max: 8192,
        integer: true,
        required: true,
        description: 'The width of the region.',
      },
      height: { type: 'number', min: 16, max: 8192, integer: true, required: true, description: 'Its height.' },
      ...H264_QUALITY,
    },
    request: {
      parameters: {
        vf: `split[film][part];[part]crop={{width}}:{{height}}:{{x}}:{{y}},gblur=sigma=20[blurred];[film][blurred]overlay={{x}}:{{y}},${EVEN}`,
        ...H264,
        ...AAC,
        ...FAST_START,
      },
    },
  },
];
