/** What the numbers of YUV pixels mean, in the names of the filter `setparams`. */
export interface PictureColours {
  readonly matrix: ColourMatrix;
  readonly primaries: string;
  readonly transfer: string;
}

/** The matrices for conversions, with their names in `scale`. */
const SCALE_NAMES = { bt709: 'bt709', smpte170m: 'smpte170m', bt470bg: 'bt470', bt2020nc: 'bt2020' } as const;

export type ColourMatrix = keyof typeof SCALE_NAMES;

export const isColourMatrix = (name: string | undefined): name is ColourMatrix =>
  name !== undefined && Object.hasOwn(SCALE_NAMES, name);

/** The colours of HD. */
export const BT709 = { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' } as const satisfies PictureColours;

/** Players assume BT.709 for an untagged video from this height on, and BT.601 below. */
export const BT709_HEIGHT = 720;

/** Whether a pixel format has a matrix and a limited range. RGB and the formats of JPEG (`yuvj420p`) do not. */
export const hasColours = (pixelFormat: string): boolean => /^yuva?4|^nv|^p\d/.test(pixelFormat);

/** The options with which `scale` converts to these colours. Without them, it converts RGB to BT.601. */
export const scaledTo = ({ matrix }: PictureColours): string => `out_color_matrix=${SCALE_NAMES[matrix]}:out_range=tv`;

/** The filter that tags each frame with these colours. Players guess the colours of an untagged video by its size. */
export const taggedAs = ({ matrix, primaries, transfer }: PictureColours): string =>
  `setparams=range=tv:colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}`;

/** The transfer functions of HDR, as ffmpeg names them: PQ (HDR10) and HLG. */
const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67'] as const;
export type HdrTransfer = (typeof HDR_TRANSFERS)[number];

export const isHdrTransfer = (name: string | undefined): name is HdrTransfer =>
  HDR_TRANSFERS.some((transfer) => transfer === name);

interface ToneMapping {
  /** Options of `zscale` for the input, each with a colon after it: `tin=smpte2084:`. Default: the tags of the frames. */
  readonly input?: string;
  /** The brightness of white in the result, in nits. */
  readonly white?: string;
  /** A curve of the filter `tonemap`. */
  readonly curve?: string;
  /** The matrix of the result. */
  readonly matrix?: string;
  readonly pixelFormat?: string;
}

/**
 * The filters that convert HDR for ordinary screens: linear light, the colours of BT.709, then compressed bright parts.
 * They also remove the metadata of HDR: since release 7.1, encoders write it, and televisions would take the video for HDR.
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
