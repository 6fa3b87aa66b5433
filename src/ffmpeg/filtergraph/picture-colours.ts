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
