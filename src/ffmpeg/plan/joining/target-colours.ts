import {
  BT709,
  BT709_HEIGHT,
  type ColourMatrix,
  hasColours,
  isColourMatrix,
  type PictureColours,
} from '../../filtergraph/picture-colours.ts';
import type { Clip, ClipPicture } from './clip.ts';

/** The primaries and the transfer function that usually go with a matrix. */
const USUAL: Readonly<Record<ColourMatrix, PictureColours>> = {
  bt709: BT709,
  smpte170m: { matrix: 'smpte170m', primaries: 'smpte170m', transfer: 'smpte170m' },
  bt470bg: { matrix: 'bt470bg', primaries: 'bt470bg', transfer: 'smpte170m' },
  bt2020nc: { matrix: 'bt2020nc', primaries: 'bt2020', transfer: 'bt2020-10' },
};

/** What the colours of a joined film may keep of those of its clips. */
const KNOWN_PRIMARIES: ReadonlySet<string> = new Set(['bt709', 'smpte170m', 'bt470bg', 'bt2020', 'smpte432']);
const KNOWN_TRANSFERS: ReadonlySet<string> = new Set(['bt709', 'smpte170m', 'bt470bg', 'iec61966-2-1', 'bt2020-10']);

const DEEP = /(?:1[0-6]|48|64)(?:le|be)$|^p01\d/;

/** Whether a pixel format has more than 8 bits. */
export const isDeep = (pixelFormat: string | undefined): boolean => DEEP.test(pixelFormat ?? '');

/**
 * Chooses the colours of a joined film: those of its films if they agree, else BT.709 for HD and BT.601 for less. HDR stays if all
 * that is shown is HDR of one kind, and the pixel format has the bits for it. undefined for pixel formats without such colours.
 *
 * @param height That of the joined film.
 */
export function chooseColours(
  clips: readonly Clip[],
  { height, pixelFormat }: { readonly height: number; readonly pixelFormat: string },
): PictureColours | undefined {
  if (!hasColours(pixelFormat)) return undefined;
  const pictures = clips.flatMap(({ picture }) => picture ?? []);
  const hdr = isDeep(pixelFormat) ? commonHdr(pictures) : undefined;
  if (hdr !== undefined) return hdr;
  const films = pictures.filter(({ hdrTransfer, rate }) => hdrTransfer === undefined && rate !== undefined);
  const matrix = common(films, (film) => film.colours?.matrix);
  if (!isColourMatrix(matrix)) return films.length === 0 || height >= BT709_HEIGHT ? BT709 : USUAL.smpte170m;
  const primaries = common(films, (film) => film.colours?.primaries);
  const transfer = common(films, (film) => film.colours?.transfer);
  return {
    matrix,
    primaries: known(primaries, KNOWN_PRIMARIES) ?? USUAL[matrix].primaries,
    transfer: known(transfer, KNOWN_TRANSFERS) ?? USUAL[matrix].transfer,
  };
}

/** The colours of HDR if all pictures have them. */
function commonHdr(pictures: readonly ClipPicture[]): PictureColours | undefined {
  const transfer = common(pictures, ({ hdrTransfer }) => hdrTransfer);
  const isBt2020 = pictures.every(({ colours }) => colours?.matrix === 'bt2020nc');
  return transfer !== undefined && isBt2020 ? { ...USUAL.bt2020nc, transfer } : undefined;
}

/** What all pictures have. undefined if they differ, or if there are none. */
function common<T>(pictures: readonly ClipPicture[], read: (picture: ClipPicture) => T): T | undefined {
  const values = new Set(pictures.map(read));
  const [value] = values;
  return values.size === 1 ? value : undefined;
}

const known = (value: string | undefined, values: ReadonlySet<string>): string | undefined =>
  value !== undefined && values.has(value) ? value : undefined;
