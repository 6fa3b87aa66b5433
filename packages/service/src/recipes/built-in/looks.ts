import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import { toneMapping } from '@telecine/ffmpeg/filtergraph/video-colours.ts';
import {
  AAC,
  choice,
  ENCODED,
  EVEN,
  FAST_START,
  filteredVideo,
  H264,
  H264_FILES,
  H264_QUALITY,
  number,
  phrases,
  VIDEO,
  WITH_SUBTITLES,
  wholeNumber,
} from './parts.ts';

/** Recipes that change or repair the look of a video. */
export const LOOKS: readonly Recipe[] = [
  filteredVideo({
    name: 'deinterlace',
    version: 3,
    title: 'Deinterlace',
    description:
      'Turns interlaced video of television, tapes and DVDs into whole frames, without combs at moving edges.',
    result: { ...ENCODED, changes: ['frame-rate'] },
    words: phrases`
      interlaced, combing, tv recording, vhs, dvd, 1080i, 50i, horizontal lines, bwdif, yadif, tape, camcorder, stripes,
      comb lines, stripy, horizontal stripes, broadcast capture, progressive, interlaced to progressive, old camcorder,
      dv tape, lines when things move, jagged edges, hi8, television capture, field order, stripes when somebody moves,
      digitised tape, vhs capture, old tapes, digital8, video tape, comb artefacts, combing artefacts, striped, lines on
      movement, stripes in an old recording, lines in the picture`,
    arguments: {
      frames: choice(
        { each: 'send_field', pair: 'send_frame' },
        'each',
        'One frame of each field (smooth, 50 or 60 a second), or of each pair of fields.',
      ),
    },
    parameters: { vf: `bwdif=mode={{frames}},${EVEN}` },
  }),
  {
    name: 'stabilise',
    version: 4,
    title: 'Stabilise shaky video',
    description:
      'Smooths the motion of a camera that was held by hand. The first of two passes detects the motion; the edges are zoomed out of the image. Needs an ffmpeg with libvidstab.',
    result: { ...ENCODED, changes: ['shape'] },
    words: phrases`
      stabilise, stabilize, stabilization, shaky, shakes, wobbly, jumpy, steady, smooth it out, smooth motion of the
      camera, handheld, hand held, walking, jumps around, filmed while walking, action camera, earthquake, gopro, drone,
      warp stabilizer, vidstab, deshake, jitter, trembling, unsteady, bumpy ride, tripod, camera shake, gimbal, run and
      gun, jumps, jumping picture, skiing, bike ride, running, helmet camera, calm, calm down, less shaky, camera moves
      too much, jerky, held by hand, no tripod, walking with the camera, everything shakes, picture trembles, trembling
      picture, unsteady picture`,
    inputs: [VIDEO],
    outputs: H264_FILES,
    arguments: {
      smoothing: wholeNumber(
        1,
        1000,
        15,
        'The number of frames before and after each frame over which the motion is averaged. More is smoother.',
      ),
      shakiness: wholeNumber(1, 10, 6, 'How shaky the video is, from 1 to 10.'),
      ...H264_QUALITY,
    },
    request: {
      parameters: {
        // vidstab crashes on RGB.
        vf: `format=yuv420p,vidstabdetect=shakiness={{shakiness}},vidstabtransform=smoothing={{smoothing}},${EVEN}`,
        ...H264,
        pass: '2',
        ...AAC,
        ...WITH_SUBTITLES,
        ...FAST_START,
      },
    },
  },
  filteredVideo({
    name: 'hdr-to-sdr',
    version: 4,
    title: 'HDR to SDR',
    description:
      'Maps a video with high dynamic range (HDR10, HLG, iPhone) to ordinary screens, so that it does not look pale or dark there. Needs an ffmpeg with libzimg.',
    result: { ...ENCODED, changes: ['colours'] },
    words: phrases`
      hdr, sdr, hdr10, hlg, dolby vision, pq, rec 2020, rec 709, bt.2020, bt.709, tone mapping, tonemap, washed out hdr,
      looks washed out, pale colours, colours too pale, grey colours, dull on my monitor, iphone hdr, phone video looks
      pale, high dynamic range, standard dynamic range, 10 bit to 8 bit, wrong colours on a normal screen, 4k blu-ray,
      uhd blu-ray, looks grey, too pale, colours look wrong, washed out colours, hdr looks wrong, colours are dull,
      normal colours, recorded in hdr, exported in hdr, dull colours of an iphone`,
    arguments: {
      source: choice(
        {
          tagged: '',
          hdr10: 'tin=smpte2084:min=2020_ncl:pin=2020:',
          hlg: 'tin=arib-std-b67:min=2020_ncl:pin=2020:',
        },
        'tagged',
        'The kind of the input. Send hdr10 or hlg only for a file whose tags do not state it.',
      ),
      curve: choice(
        { hable: 'hable', mobius: 'mobius', reinhard: 'reinhard' },
        'hable',
        'How bright parts are mapped: hable keeps their detail, mobius keeps the colours of the other parts.',
      ),
      white: number(50, 1000, 100, 'The brightness of white in the result, in nits. Less makes the image brighter.'),
    },
    parameters: { vf: `${toneMapping({ input: '{{source}}', white: '{{white}}', curve: '{{curve}}' })},${EVEN}` },
  }),
  filteredVideo({
    name: 'denoise-video',
    version: 3,
    title: 'Reduce noise in a video',
    description: 'Smooths grain and noise of dark or old recordings, which also makes the file smaller.',
    words: phrases`
      grain, noise, grainy, dark video, low light, denoise, old film, clean picture, hqdn3d, grain removal, less grain,
      noisy picture, pixels flicker in the dark, concert clip, night video, high iso, film grain, speckles, dirt, dots,
      noisy night, full of grain, dark recording, noise at night, sensor noise`,
    arguments: {
      strength: choice(
        { light: '2:1.5:3:2.25', normal: '4:3:6:4.5', strong: '8:6:12:9' },
        'normal',
        'How much is smoothed.',
      ),
    },
    parameters: { vf: `hqdn3d={{strength}},${EVEN}` },
  }),
  filteredVideo({
    name: 'black-and-white',
    version: 3,
    title: 'Black and white',
    description: 'Removes the colours of a video.',
    result: { ...ENCODED, changes: ['colours'] },
    words: phrases`
      grayscale, greyscale, monochrome, no colour, desaturate, black and white, noir, bw, remove colour, old movie look,
      without colour, grey video, silent movie look, no colours, colourless, charlie chaplin, take the colours away,
      without colours, like an old movie, only grey, silent film look`,
    parameters: { vf: `hue=s=0,${EVEN}` },
  }),
  filteredVideo({
    name: 'adjust-colours',
    version: 3,
    title: 'Brightness, contrast and saturation',
    description: 'Makes a video brighter or darker, and its contrast and colours stronger or weaker.',
    result: { ...ENCODED, changes: ['colours'] },
    words: phrases`
      brighten, darken, brightness, contrast, saturation, gamma, too dark, too bright, washed out, colour correction,
      vivid, exposure, make it brighter, make it darker, backlit, underexposed, overexposed, dull colours, pale, more
      colour, faded colours, tint, lighting, brighten a video, more vivid, stronger contrast, light, gloomy, picture too
      dark, picture is too dark, more contrast, correct the colours, better light, more light, lighten up, dark video
      lighter, lighter, make a dark video lighter, brighter picture, hard to see, too little light`,
    arguments: {
      brightness: number(-1, 1, 0, 'From -1 to 1; 0 changes nothing.'),
      contrast: number(0, 4, 1, '1 changes nothing.'),
      saturation: number(0, 3, 1, '1 changes nothing, 0 removes all colours.'),
      gamma: number(0.1, 10, 1, 'Above 1, dark parts get brighter.'),
    },
    parameters: {
      vf: `eq=brightness={{brightness}}:contrast={{contrast}}:saturation={{saturation}}:gamma={{gamma}},${EVEN}`,
    },
  }),
  filteredVideo({
    name: 'blur-region',
    version: 3,
    title: 'Blur a region',
    description: 'Blurs a rectangle of the image, such as a number plate, a face or a logo that stays in its place.',
    result: { ...ENCODED, changes: ['shape'] },
    words: phrases`
      blur, censor, pixelate, hide, face, number plate, license plate, anonymise, privacy, cover up, redact, blur out,
      hide a face, hide something, child, faces, mosaic, black out, credit card, secret, sensitive, obscure,
      unrecognisable, address, unreadable, nobody can read, cover a face, make unrecognisable, screen content,
      unrecognizable person, make a sign unreadable, protect a person, hide a logo, blurring a logo, hide a name, name
      badge, should not be recognised, not recognisable, not recognizable, unrecognised`,
    arguments: {
      x: wholeNumber(0, 8192, 'required', 'The left edge in pixels.', 'px'),
      y: wholeNumber(0, 8192, 'required', 'The upper edge.', 'px'),
      width: wholeNumber(16, 8192, 'required', 'The width of the region.', 'px'),
      height: wholeNumber(16, 8192, 'required', 'Its height.', 'px'),
    },
    parameters: {
      vf: `split[film][part];[part]crop={{width}}:{{height}}:{{x}}:{{y}},gblur=sigma=20[blurred];[film][blurred]overlay={{x}}:{{y}},${EVEN}`,
    },
  }),
];
