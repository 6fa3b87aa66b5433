/** What the numbers of a YUV picture mean, in the names of the filter `setparams`. */
export interface PictureColours {
  readonly matrix: ColourMatrix;
  readonly primaries: string;
  readonly transfer: string;
}

/** The matrices that pictures are converted to, with the names that `scale` has for them. */
const SCALE_NAMES = { bt709: 'bt709', smpte170m: 'smpte170m', bt470bg: 'bt470', bt2020nc: 'bt2020' } as const;

export type ColourMatrix = keyof typeof SCALE_NAMES;

export const isColourMatrix = (name: string | undefined): name is ColourMatrix =>
  name !== undefined && Object.hasOwn(SCALE_NAMES, name);

/** The colours of HD. */
export const BT709 = { matrix: 'bt709', primaries: 'bt709', transfer: 'bt709' } as const satisfies PictureColours;

/** From this height on, players take a picture that does not name its matrix for BT.709, and lower ones for BT.601. */
export const BT709_HEIGHT = 720;

/** Whether the pictures of a pixel format have a matrix and a limited range: those of RGB and of JPEG (`yuvj420p`) do not. */
export const hasColours = (pixelFormat: string): boolean => /^yuva?4|^nv|^p\d/.test(pixelFormat);

/** The options with which `scale` converts pictures to these colours. Without them, it uses BT.601 for what was RGB. */
export const scaledTo = ({ matrix }: PictureColours): string => `out_color_matrix=${SCALE_NAMES[matrix]}:out_range=tv`;

/** The filter that writes these colours on each picture. Players guess those of a film that does not name them by its size. */
export const taggedAs = ({ matrix, primaries, transfer }: PictureColours): string =>
  `setparams=range=tv:colorspace=${matrix}:color_primaries=${primaries}:color_trc=${transfer}`;

/** The transfer functions of HDR, as ffmpeg names them: PQ (HDR10) and HLG. */
const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67'] as const;
export type HdrTransfer = (typeof HDR_TRANSFERS)[number];

export const isHdrTransfer = (name: string | undefined): name is HdrTransfer =>
  HDR_TRANSFERS.some((transfer) => transfer === name);

/** What a graph of `toneMapping` depends on. */
interface ToneMapping {
  /** Options of `zscale` for the pictures that come in, each with a colon after it: `tin=smpte2084:`. Default: as they are tagged. */
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
 * The filters that turn HDR into pictures for ordinary screens: light in linear numbers, the colours of BT.709, then the bright
 * parts compressed. The metadata of HDR goes too: since release 7.1, encoders write it beside the new colours, and televisions
 * take the film for HDR.
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
