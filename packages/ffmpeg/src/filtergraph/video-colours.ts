import type { MediaStream } from '@telecine/contract/domain/media-info.ts';
import { OF_SERVICE } from './graph.ts';

/** How the values of YUV pixels become colours, by the names of the filter `setparams`. */
export interface VideoColours {
  readonly matrix: ColourMatrix;
  readonly primaries: string;
  readonly transfer: string;
}

/** The colour matrices that conversions use, with their names in `scale`. */
const SCALE_NAMES = { bt709: 'bt709', smpte170m: 'smpte170m', bt470bg: 'bt470', bt2020nc: 'bt2020' } as const;

export type ColourMatrix = keyof typeof SCALE_NAMES;

export const isColourMatrix = (name: string | undefined): name is ColourMatrix =>
  name !== undefined && Object.hasOwn(SCALE_NAMES, name);

export const BT709 = { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' } as const satisfies VideoColours;

/** In pixels. Players assume BT.709 for a video without colour tags from this height on, and BT.601 below. */
export const BT709_HEIGHT = 720;

/** True if a pixel format has a colour matrix and a limited range. RGB has no matrix, and JPEG formats (`yuvj420p`) have the full range. */
export const hasColours = (pixelFormat: string): boolean => /^yuva?4|^nv|^p\d/.test(pixelFormat);

/** True if a pixel format has more than 8 bits for each colour. */
export const isDeep = (pixelFormat = ''): boolean =>
  /(?:p|gray|ya|rgb|xyz)(?:9|1[0-6]|f16|f32)(?:le|be)?$|(?:48|64)(?:le|be)$|^(?:p[024]1\d|nv20)/.test(pixelFormat);

/** True if a pixel format has an alpha channel, or a palette that may have transparent colours. */
export const mayBeTransparent = (pixelFormat = ''): boolean =>
  /^(?:yuva|rgba|bgra|argb|abgr|gbrap|ya\d|pal8|ayuv|vuya)/.test(pixelFormat);

/** True if a VP8 or VP9 video has a second picture for its transparency. ffprobe shows an opaque pixel format for it. */
export const hasAlphaLayer = ({ tags }: Pick<MediaStream, 'tags'>): boolean =>
  (tags['alpha_mode'] ?? tags['ALPHA_MODE']) === '1';

/** Decoders that read transparency. ffmpeg's own decoders of VP8 and VP9 ignore it. */
export const ALPHA_DECODERS: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' };

/** The chains that put a transparent image on a grey ground (0: black, 255: white). Other filters may come before and after them. */
export const onGround = (grey: number): string =>
  `format=rgba,split[p][b];[b]lutrgb=r=${grey}:g=${grey}:b=${grey}:a=255[g];[g][p]overlay=format=rgb`;

export const WHITE = 255;

/** The file in the scratch folder that lists the frames with transparent parts. */
export const TRANSPARENT_FRAMES = 'pass/transparent-frames.txt';

/**
 * Filters that put an animated image on white, and list its frames with transparent parts: only its pixels tell whether it has some. Their
 * labels differ from those that clients send.
 */
export const ON_NOTED_WHITE = [
  'split[i][t]',
  `[t]alphaextract,signalstats,metadata=mode=print:key=lavfi.signalstats.YMIN:value=230:function=less:file=${TRANSPARENT_FRAMES},nullsink`,
  `[i]${onGround(WHITE)}`,
]
  .join(';')
  .replaceAll(/\[(\w)\]/g, `[${OF_SERVICE}_$1]`);

/** The options with which `scale` converts RGB to these colours. By default it converts to BT.601. */
export const scaledTo = ({ matrix }: VideoColours): string => `out_color_matrix=${SCALE_NAMES[matrix]}:out_range=tv`;

/** The filter that tags each frame with these colours. Without tags, players guess the colours from the frame size. */
export const taggedAs = ({ matrix, primaries, transfer }: VideoColours): string =>
  `setparams=range=tv:colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}`;

/** The transfer functions of HDR by their names in ffmpeg: PQ (HDR10) and HLG. */
const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67'] as const;
export type HdrTransfer = (typeof HDR_TRANSFERS)[number];

export const isHdrTransfer = (name: string | undefined): name is HdrTransfer =>
  HDR_TRANSFERS.some((transfer) => transfer === name);

/**
 * The filters that convert RGB to YUV with the matrix of HD video, and tag it. By default, ffmpeg converts by BT.601 without a tag, and
 * players read an HD video without tags as BT.709: red becomes orange.
 */
export const RGB_TO_BT709 = `scale=${scaledTo(BT709)},${taggedAs(BT709)}`;

interface ToneMapping {
  /** Options of `zscale` for the input, each with a colon after it: `tin=smpte2084:`. Default: `zscale` reads the tags of the frames. */
  readonly input?: string;
  /** The brightness of white in the result, in nits. */
  readonly white?: string;
  /** A curve of the filter `tonemap`. */
  readonly curve?: string;
  readonly matrix?: string;
  readonly pixelFormat?: string;
}

/**
 * Filters that convert HDR video for ordinary screens: to linear light, to the colours of BT.709, then with compressed highlights. They
 * also delete the HDR metadata: encoders write it since ffmpeg 7.1, and TVs would show the video as HDR.
 */
export const toneMapping = ({
  input = '',
  white = '100',
  curve = 'hable',
  matrix = 'bt709',
  pixelFormat = 'yuv420p',
}: ToneMapping = {}): string =>
  [
    `zscale=${input}t=linear:npl=${white}`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    `tonemap=tonemap=${curve}:desat=0`,
    `zscale=t=bt709:m=${matrix}:r=tv`,
    `format=${pixelFormat}`,
    'sidedata=mode=delete:type=MASTERING_DISPLAY_METADATA',
    'sidedata=mode=delete:type=CONTENT_LIGHT_LEVEL',
  ].join(',');
