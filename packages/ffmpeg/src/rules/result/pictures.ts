import { addOption, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { asksForPixelFormat } from '../../allowlist/playable-codecs.ts';
import { wordSet } from '../../allowlist/words.ts';
import { type Build, isReleaseFrom } from '../../catalogue/build.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { RESIZING, TIMES } from '../../filtergraph/graph.ts';
import { ALPHA_DECODERS, isDeep, mayBeTransparent, toneMapping } from '../../filtergraph/video-colours.ts';
import { lastValue } from '../../plan/request/argv-option.ts';
import { filtersOfInputs, optionValue } from '../facts/media-facts.ts';
import { convertedStreams, encodedStreams, isCopied, isCover, ofKind } from '../facts/pass.ts';
import { type Found, loss, type RequestContext, type ResultContext, type Rules } from '../rule.ts';

/** Containers of the MP4 family, whose header has a matrix for each video. DASH segments are MP4. */
const WITH_MATRIX = wordSet('mov mp4 ipod 3gp 3g2 psp f4v ismv dash');
const MP4_FILES = wordSet('mp4 m4v mov');

/** The first release that writes the rotation of a video into Matroska. */
const MATROSKA_SINCE = [6, 1] as const;

/** True if the format of an output cannot store the rotation of a video. */
export function losesRotation(
  { muxer, path, options }: Pick<RequestContext, 'muxer' | 'path' | 'options'>,
  { release }: Pick<Build, 'release'>,
): boolean {
  if (muxer === 'matroska' || muxer === 'webm') return release !== undefined && !isReleaseFrom(release, MATROSKA_SINCE);
  if (muxer === 'hls') return lastValue('hls_segment_type', options) !== 'fmp4';
  return muxer === 'segment' ? !MP4_FILES.has(extension(path)) : !WITH_MATRIX.has(muxer);
}

/** Viewers do not see a smaller relative difference of aspect ratios. Most ratios differ a little, because sizes are whole numbers. */
const SHAPE_TOLERANCE = 0.02;
const isAlike = (a: number, b: number): boolean => Math.abs(a / b - 1) <= SHAPE_TOLERANCE;

/** Containers with a pixel aspect ratio. Images and animations have none. */
const WITH_PIXEL_ASPECT = wordSet(
  'mp4 mov ipod matroska webm avi mpegts mpeg flv hls dash nut 3gp 3g2 f4v segment asf ogg',
);

/** Frame sizes of DVDs, SVCDs and TV, whose pixels are never square. */
const TELEVISION = /^(?:720|704|544|480|352)x(?:480|576)$/;

/** Compares the pixel aspect ratio of a result with that of its source: players show a video with other pixels squeezed or stretched. */
function pixelShape({ facts, pass }: ResultContext): Found {
  const isAsked = facts.hasOption(/^-target(?::v)?$/) || !WITH_PIXEL_ASPECT.has(facts.plan.output.muxer);
  return encodedStreams(pass, 'video').flatMap(({ from, to }): Found => {
    const after = pass.outputTraits.get(to.index)?.pixelAspect;
    const before = from.pixelAspect ?? 1;
    const { width = 0, height = 0 } = to;
    // Rotated frames have rotated pixels, hence `1 / before`.
    const isSame = after === undefined || [1, before, 1 / before].some((shape) => isAlike(after, shape));
    if (isAsked || isSame || TELEVISION.test(`${width}x${height}`)) return [];
    const shown = `${Math.round(width * after)}x${height}`;
    return loss({
      lost: 'shape of the pixels',
      key: facts.firstOf('aspect', 's', 'filter:v') ?? 's',
      code: 'NON_SQUARE_PIXELS',
      expected: before.toFixed(3),
      actual: after.toFixed(3),
      message: `The video of ${width}x${height} has another shape than the input, so its pixels are not square: most players show it as ${shown}, others stretch it.`,
      fix: `Send "vf": "scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1,setsar=1" for borders, or one side of the size as -2.`,
    });
  });
}

/** The colours of a palette are mostly opaque. */
const hasAlpha = (pixelFormat: string): boolean => pixelFormat !== 'pal8' && mayBeTransparent(pixelFormat);

/** Filters that make a background transparent, by its colour or with a mask. */
const KEYS = wordSet('colorkey chromakey hsvkey lumakey backgroundkey alphamerge');

/** True if a filter makes parts of the picture transparent. */
const makesTransparent = (filter: GraphFilter): boolean =>
  KEYS.has(filter.name) || (filter.name === 'fade' && /^(?:1|true)$/.test(optionValue(filter, 'alpha') ?? ''));

/** Formats that store the transparency of VP8 and VP9, which is a second picture. */
const HOLDS_LAYER = /^(?:matroska|webm)$/;

/** Filters that put one video over another, or read its transparency. After such a filter, an opaque output may be intended. */
const BLENDING = /^(?:overlay|alphaextract|premultiply|unpremultiply|maskedmerge|blend|xstack)$/;

/** Still images usually have an alpha channel that is opaque, so only a video is compared. */
function alpha({ facts, pass }: ResultContext): Found {
  const format = facts.argumentOf('pix_fmt') ?? facts.argumentOf('pix_fmt:v');
  const isOpaque = format !== undefined && !hasAlpha(format);
  const { muxer } = facts.plan.output;
  const outputs = ofKind(pass.outputStreams, 'video').filter((one) => !isCopied(pass, one.index) && !isCover(one));
  const isKept = outputs.some(({ pixelFormat = 'yuva' }) => mayBeTransparent(pixelFormat));
  const key = facts.graphs.find(({ filters }) => filters.some(makesTransparent))?.key;
  // The service puts a source with transparency on white for an image that has none.
  const isOnWhite = muxer === 'image2' && key === undefined;
  if (facts.usesFilter(BLENDING) || isKept || isOnWhite) return [];
  const lost = convertedStreams(pass).find(({ input, from, to, copied }) => {
    if (from?.type !== 'video' || to === undefined || isCover(from)) return false;
    const hasLayer = from.hasAlphaLayer === true;
    if (copied) return hasLayer && !HOLDS_LAYER.test(muxer);
    const isIgnored = hasLayer && !facts.inputArgs(input).includes(ALPHA_DECODERS[from.codec] ?? '-');
    // Decoders of images always give an alpha channel, mostly an opaque one.
    const isImage = facts.isStill(input) || /^(?:gif|png|apng|webp)$/.test(from.codec);
    return isIgnored || (hasAlpha(from.pixelFormat ?? '') && (!isImage || pass.isTransparent === true));
  });
  const to = key === undefined ? lost?.to : outputs[0];
  if (to === undefined) return [];
  return loss({
    lost: 'transparency',
    ...(key === undefined ? { field: facts.plan.inputs[lost?.input ?? 0]?.field ?? '' } : { key }),
    code: 'PIXEL_FORMAT_CHANGED',
    ...(isOpaque && key === undefined && { askedBy: ['/parameters/pix_fmt', '/parameters/pix_fmt:v'] }),
    expected: 'transparent',
    actual: to.pixelFormat ?? to.codec,
    message: `The transparency of ${key === undefined ? facts.pathOf(lost?.input ?? 0) : 'the video that the filters make'} is lost: the output is ${to.codec} (${to.pixelFormat}).`,
    fix: 'To keep it, send an output that ends with .webm, with "c:v": "libvpx-vp9" and "pix_fmt": "yuva420p", or .mov with "c:v": "prores_ks" and "profile:v": "4444". If it is not needed, send "pix_fmt": "yuv420p".',
  });
}

/** Formats that store Dolby Vision only with `strict`. */
const IN_STRICT_MODE = wordSet('mp4 mov ipod');

/** What frames say about the light of HDR, by ffprobe's names. */
const OF_LIGHT = /^(?:Mastering display metadata|Content light level metadata|HDR Dynamic Metadata .{1,40})$/;

const TONES = /(?:^|[;,\]=])(?:tonemap|zscale|libplacebo|colorspace|lut3d|colorlevels)\b/;

function hdr({ facts, pass }: ResultContext): Found {
  if (facts.hasOption(TONES)) return [];
  const shallow = ofKind(pass.outputStreams, 'video').filter(
    ({ pixelFormat }) => pixelFormat !== undefined && !isDeep(pixelFormat),
  );
  for (const { input, stream, output, copied } of pass.used) {
    const transfer = facts.inputStream(input, stream)?.transfer;
    // What a complex graph reads may reach any output.
    const isShallow = shallow.some(({ index }) => output === undefined || index === output);
    if (transfer === undefined || copied || !isShallow) continue;
    return loss({
      lost: 'HDR',
      field: facts.plan.inputs[input]?.field ?? '',
      code: 'HDR_LOST',
      expected: transfer,
      actual: '8 bits',
      message: `${facts.pathOf(input)} is HDR (${transfer}), and the output has 8 bits without tone mapping, so its colours look pale.`,
      fix:
        output === undefined || facts.filtersVideo
          ? `Send the filters ${JSON.stringify(toneMapping())} before the others.`
          : sendOption('vf', toneMapping()),
    });
  }
  return [];
}

/** The pixel formats that nearly all players show, by codec. */
const USUAL_FORMATS: Readonly<Record<string, RegExp>> = {
  h264: /^(?:yuvj?420p|nv12|nv21)$/,
  hevc: /^(?:yuvj?420p|nv12|yuv420p10le|p010le)$/,
};

function fewPlayers({ facts, pass }: ResultContext): Found {
  const sent = facts.argv.flatMap((word, at) =>
    word.startsWith('-') ? [[word.slice(1), facts.argv[at + 1] ?? ''] as const] : [],
  );
  const filters = facts.graphs.flatMap((graph) => graph.filters.map(({ name }) => name));
  if (asksForPixelFormat(facts.plan.output.muxer, sent, filters)) return [];
  return ofKind(pass.outputStreams, 'video')
    .filter(({ index }) => !isCopied(pass, index))
    .filter(({ codec, pixelFormat }) => pixelFormat !== undefined && USUAL_FORMATS[codec]?.test(pixelFormat) === false)
    .slice(0, 1)
    .map(({ codec, pixelFormat = '', width = 0, height = 0 }) => {
      const isOdd = (width | height) % 2 === 1;
      return loss({
        lost: 'usual pixel format',
        code: 'FEW_PLAYERS',
        expected: 'yuv420p',
        actual: pixelFormat,
        message: `The output is ${codec === 'h264' ? 'H.264' : 'H.265'} with the pixel format ${pixelFormat}, which most players cannot show.`,
        fix: isOdd
          ? `Send "pix_fmt": "yuv420p", and the filter "scale=trunc(iw/2)*2:trunc(ih/2)*2" after the others of the video: this format needs an even size, and the video is ${width}x${height}.`
          : sendOption('pix_fmt', 'yuv420p'),
      });
    });
}

/** True if so many frames are repeated or dropped that the video visibly stops or jumps. A few are usual at its start and end. */
const isMany = (count: number, all: number): boolean => count >= 10 && count >= 0.1 * all;

/** Compares the frame rate and the frames of a result with those of its source. */
function frameRate({ facts, pass, isPredicted }: ResultContext): Found {
  const { frame = 0, repeatedFrames = 0, droppedFrames = 0 } = pass.lastBlock ?? {};
  const isFilled =
    facts.usesFilter(/^(?:select|thumbnail|mpdecimate|trim)$/) || facts.hasOption(/^-(?:skip_frame|discard)$/);
  const isAsked = facts.hasOption(/^-(?:fps_mode|vsync|r|framerate|target|loop)(?::|$)/);
  const isSet = isAsked || facts.usesFilter(/^(?:fps|framerate|setpts|minterpolate)$/);
  if ((facts.filtersVideo && !isFilled) || isPredicted || isSet) return [];
  const all = frame + droppedFrames;
  const fix = orElse(addOption('fps_mode', 'vfr'), '"r" for a constant frame rate');
  if (isMany(repeatedFrames, all) || isMany(droppedFrames, all)) {
    const isRepeated = isMany(repeatedFrames, all);
    return loss({
      lost: 'times of the frames',
      code: isRepeated ? 'FRAMES_REPEATED' : 'FRAMES_DROPPED',
      expected: isRepeated ? frame - repeatedFrames : all,
      actual: frame,
      message: isRepeated
        ? `${repeatedFrames} of the ${frame} frames of the output repeat the one before, for a constant frame rate.`
        : `ffmpeg dropped ${droppedFrames} frames for a constant frame rate, and the output has ${frame}.`,
      fix,
    });
  }
  // ffmpeg writes a video of variable frame rate at a nominal rate. Without repeated or dropped frames, nothing really changed.
  if (repeatedFrames + droppedFrames === 0) return [];
  return encodedStreams(pass, 'video').flatMap(({ from: { fps }, to }): Found => {
    // Phones record at a rate that varies a little, and ffmpeg writes the nominal rate.
    if (fps === undefined || to.fps === undefined || Math.abs(to.fps / fps - 1) <= 0.05) return [];
    return loss({
      lost: 'frame rate',
      code: 'FRAME_RATE_CHANGED',
      expected: fps,
      actual: to.fps,
      message: `The frame rate changed from ${fps} to ${to.fps} frames per second, although no option asks for it.`,
      fix: 'Send "r" if this frame rate is meant, or an encoder that supports every frame rate, such as "c:v": "libx264".',
    });
  });
}

/** Codecs for players, which seldom deinterlace them. Other codecs are for editing. */
const PLAYED: ReadonlySet<string> = new Set(['h264', 'hevc', 'vp8', 'vp9', 'av1', 'mpeg4', 'theora', 'gif']);
/** Options with which the client asks for interlaced output. */
const FIELD_OPTIONS = /^-(?:flags|(?:field_order|top|x264-params|x264opts|x265-params|target)(?::|$))/;
const FIELD_WORDS = /\b(?:interlaced|interlace|tff|bff|ild?ct|ilme|tt|bb|tb|bt|(?:pal|ntsc|film)-)/;

/** Filters for interlaced fields. After some of them, frames are still marked as interlaced. */
const FIELD_FILTERS =
  /^(?:yadif|bwdif|w3fdif|estdif|nnedi|kerndeint|mcdeint|pp|pullup|fieldmatch|separatefields|field|fieldhint|detelecine|telecine|repeatfields|dejudder|idet|il|tinterlace|weave|doubleweave|phase)$/;

export const PICTURE_RESULT_RULES: Rules = {
  rotation: {
    finds: 'a copied video that its file rotates, in a container that does not store the rotation',
    result({ facts, pass }) {
      const { losesRotation: isLost, muxer } = facts.plan.output;
      return convertedStreams(pass)
        .filter(({ copied, from }) => isLost === true && copied && from?.type === 'video')
        .flatMap(({ input, from }): Found => {
          const degrees = Math.abs(from?.rotation ?? 0);
          if (degrees === 0) return [];
          return loss({
            lost: 'rotation',
            key: facts.firstOf('c:v', 'c') ?? 'c',
            code: 'ROTATION_LOST',
            expected: degrees,
            actual: 0,
            message: `${facts.pathOf(input)} asks players to rotate its video by ${degrees} degrees. The format ${muxer} does not store that, so the copy ${degrees % 180 === 90 ? 'is shown sideways' : 'is shown upside down'}.`,
            fix: 'Send an "output" that ends with .mp4 or .mov, which stores it, or encode the video ("c:v": "libx264"), which turns its frames.',
          });
        })
        .slice(0, 1);
    },
  },

  /** ffmpeg already rotates the frames as the file asks, and the filter turns them again. */
  'rotated-twice': {
    finds: '`transpose` on a video that ffmpeg has rotated already, as its file asks',
    result: ({ facts }) =>
      filtersOfInputs(facts, /^transpose$/, RESIZING)
        .filter(({ source }) => facts.frameSize(source)?.isRotated === true)
        .map(({ key, source }) => ({
          key,
          code: 'ROTATED_TWICE',
          message: `${facts.pathOf(source.input)} asks players to rotate it, and ffmpeg did that before the filter transpose, which turned it again.`,
          fix: 'Leave "transpose" out.',
        })),
  },

  /** Times of subtitles count from the start of their video. With `ss` of the input, the frames count from 0 after this position. */
  'shifted-subtitles': {
    finds: 'subtitles drawn into an input with `ss`, which are out of sync',
    result: ({ facts }) =>
      filtersOfInputs(facts, /^(?:subtitles|ass)$/, TIMES).flatMap(({ key, filter, source: { input } }): Found => {
        const start = facts.plan.span.inputs[input]?.start ?? 0;
        if (start <= 0 || facts.has('copyts')) return [];
        return loss({
          lost: 'times of the subtitles',
          key,
          code: 'OUT_OF_SYNC',
          expected: start,
          actual: 0,
          message: `The subtitles are drawn from their start, although "ss" starts ${facts.pathOf(input)} at ${start} s: after "ss", the times of the video count from 0.`,
          fix: `Put "setpts=PTS+${start}/TB" before the filter ${filter.name}, and "setpts=PTS-${start}/TB" after it.`,
        });
      }),
  },

  'frame-size': {
    finds: 'a frame size that changed, although no option asks for it, or that changes during the input',
    result({ facts, pass }) {
      const setsSize = facts.filtersVideo || facts.hasOption(/^-(?:s|target|lowres)(?::|$)/);
      const changed = encodedStreams(pass, 'video').flatMap(({ from: { width, height }, to }): Found => {
        const isRotated = width === to.height && height === to.width;
        const isSame = width === to.width && height === to.height;
        if (width === undefined || to.width === undefined || setsSize || isRotated || isSame) return [];
        return loss({
          lost: 'frame size',
          code: 'SIZE_CHANGED',
          expected: `${width}x${height}`,
          actual: `${to.width}x${to.height}`,
          message: `The frame size changed from ${width}x${height} to ${to.width}x${to.height}, although no option asks for it.`,
          fix: orElse(addOption('s', `${width}x${height}`), 'the other size if it is meant'),
        });
      });
      const isFitted = facts.graphs.some(({ filters }) =>
        filters.some(
          (filter) =>
            /^(?:pad|crop)$/.test(filter.name) || optionValue(filter, 'force_original_aspect_ratio') !== undefined,
        ),
      );
      const varying = (pass.complaints?.frameSizes ?? []).flatMap(({ input, sizes }): Found => {
        const planned = facts.plan.inputs[input];
        const [first] = sizes;
        const isPart = facts.complexGraphs.length > 0 && planned?.sequence === undefined;
        // Then frames before the start are decoded too, which the output does not have.
        const isReadEarlier = facts.inputArgs(input).includes('-noaccurate_seek');
        if (planned === undefined || first === undefined || isFitted || isPart || isReadEarlier) return [];
        const isStretched = sizes.some((size) => !isAlike(size.width / size.height, first.width / first.height));
        // If the request sets a size, different sizes matter only if frames are stretched.
        if (setsSize && !isStretched) return [];
        const texts = sizes.slice(0, 4).map((size) => `${size.width}x${size.height}`);
        return loss({
          lost: 'frame sizes',
          field: planned.field,
          code: 'SIZE_CHANGED',
          expected: texts.join(', '),
          actual: `${first.width}x${first.height}`,
          message: `${planned.sequence === undefined ? `The frame size of "${planned.path}" changes during the video` : `The images of "${planned.path}" have different sizes`} (${texts.join(', ')}): ffmpeg scaled them to one size${isStretched ? ', and stretched frames of another shape' : ''}.`,
          fix: `Send "vf": "scale=${first.width}:${first.height}:force_original_aspect_ratio=decrease,pad=${first.width}:${first.height}:-1:-1,setsar=1" to fit all into one size with borders.`,
        });
      });
      return [...changed, ...varying];
    },
  },

  'pixel-shape': {
    finds: 'a size of another aspect ratio than the input, so that the pixels are not square',
    result: pixelShape,
  },

  'frame-rate': {
    finds: 'a frame rate that changed, or many frames that were repeated or dropped, although no option asks for it',
    result: frameRate,
  },

  interlacing: {
    finds: 'an interlaced input that was encoded without deinterlacing',
    result({ facts, pass }) {
      const hasFields = facts.argumentsOf(FIELD_OPTIONS).some((value) => FIELD_WORDS.test(value));
      const input = facts.inputs.findIndex(({ streams }) => streams.some(({ isInterlaced }) => isInterlaced === true));
      if (hasFields || facts.usesFilter(FIELD_FILTERS) || input < 0) return [];
      const isPlayed = pass.outputStreams.some(
        ({ index, codec }) =>
          PLAYED.has(codec) && pass.outputTraits.get(index)?.isInterlaced === true && !isCopied(pass, index),
      );
      if (!isPlayed) return [];
      return loss({
        lost: 'whole frames',
        field: facts.plan.inputs[input]?.field ?? '',
        code: 'INTERLACED',
        expected: 'progressive frames for players',
        actual: 'interlaced',
        message: `${facts.pathOf(input)} is marked as interlaced, but the output is not deinterlaced: moving edges look like combs.`,
        fix: 'Send the filter "bwdif=mode=send_frame" before the others of the video ("vf").',
      });
    },
  },

  alpha: {
    finds: 'transparency of a video that the output does not store',
    result: alpha,
  },

  hdr: {
    finds: 'HDR that became 8 bits without tone mapping',
    result: hdr,
  },

  'hdr-data': {
    finds: 'what an HDR video says about its light, for screens to adapt to, that a new video does not have',
    result({ facts, pass: { frameData } }) {
      const lost = frameData?.before.filter((name) => OF_LIGHT.test(name) && !frameData.after.includes(name)) ?? [];
      if (frameData === undefined || lost.length === 0 || facts.hasOption(TONES)) return [];
      return loss({
        lost: 'HDR10 metadata',
        field: facts.plan.inputs[frameData.input]?.field ?? '',
        code: 'HDR_LOST',
        expected: lost.join(', '),
        actual: 'none',
        message: `${facts.pathOf(frameData.input)} says how bright its picture is (${lost.join(', ')}), and the output does not, so some screens show it too dark or too bright.`,
        fix: 'To keep it, send "c:v": "copy", or the values of the source in "x265-params" ("master-display" and "max-cll"). From release 7.1 on, ffmpeg keeps it with "c:v": "libx265".',
      });
    },
  },

  'dolby-vision': {
    finds: 'Dolby Vision that a new HDR video or the format does not have',
    result({ facts, pass }) {
      const lost = convertedStreams(pass).find(({ from, to, copied }) => {
        const isLost = copied
          ? IN_STRICT_MODE.has(facts.plan.output.muxer) && !facts.has('strict')
          : isDeep(to?.pixelFormat ?? '') || from?.transfer === undefined;
        return from?.dolbyVision !== undefined && isLost;
      });
      if (lost === undefined) return [];
      const profile = lost.from?.dolbyVision;
      return loss({
        lost: 'Dolby Vision',
        field: facts.plan.inputs[lost.input]?.field ?? '',
        code: 'HDR_LOST',
        expected: `profile ${profile}`,
        actual: 'none',
        message: `${facts.pathOf(lost.input)} is Dolby Vision (profile ${profile}), and the output is not.`,
        fix: 'To keep it, send an output that ends with .mkv, or "strict": "unofficial" for .mp4, with "c:v": "copy".',
      });
    },
  },

  captions: {
    finds: 'captions inside of the video (EIA-608 or 708) that a new video does not have',
    result({ facts, pass }) {
      const lost = encodedStreams(pass, 'video').find(
        ({ from, to }) => from.hasCaptions === true && !/^(?:h264|hevc|mpeg2video|libx26[45])/.test(to.codec),
      );
      if (lost === undefined) return [];
      return loss({
        lost: 'captions',
        field: facts.plan.inputs[lost.input]?.field ?? '',
        code: 'UNUSED_STREAM',
        expected: 'captions in the video',
        actual: 'none',
        message: `The video of ${facts.pathOf(lost.input)} contains captions (EIA-608 or 708), and the output in ${lost.to.codec} has none.`,
        fix: 'Send "c:v": "libx264", which keeps them, or "c:v": "copy".',
      });
    },
  },

  'pixel-format': {
    finds: 'H.264 or H.265 with a pixel format that few players show, although no option asks for it',
    result: fewPlayers,
  },
};
