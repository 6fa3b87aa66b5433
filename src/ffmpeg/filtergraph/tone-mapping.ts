/** The transfer functions of HDR, as ffmpeg names them: PQ (HDR10) and HLG. */
export const HDR_TRANSFERS = ['smpte2084', 'arib-std-b67'] as const;
export type HdrTransfer = (typeof HDR_TRANSFERS)[number];

export const isHdrTransfer = (name: string | undefined): name is HdrTransfer =>
  HDR_TRANSFERS.some((transfer) => transfer === name);

/** What a graph of `toneMapping` depends on. */
export interface ToneMapping {
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
