import type { PreviewFormat, PreviewSpec } from '@telecine/contract/domain/preview.ts';
import { onGround, WHITE } from '../../filtergraph/video-colours.ts';
import { GAP, type Layout } from './layout.ts';
import type { Candidate } from './preview-argv.ts';

/** A way to encode a preview. The lower the `loss`, the better the image. */
interface RankedCandidate extends Candidate {
  readonly format: PreviewFormat;
  readonly loss: number;
}

/** Quality steps from best to worst: `q` of the JPEG encoder, and the quality of WebP. */
const JPEG = [3, 6, 10, 16, 24, 31];
const WEBP = [85, 70, 55, 40, 25, 10];

/** The ways to encode an image. If no format is requested: JPEG and PNG, which every program can show. */
export function candidatesOf({ format }: PreviewSpec, isTransparent: boolean): readonly RankedCandidate[] {
  if (format === 'png' || (format === undefined && isTransparent)) return isTransparent ? [PNG] : [PNG, PALETTE_PNG];
  if (format === 'webp') return [...(isTransparent ? [LOSSLESS_WEBP] : []), ...WEBP.map(webp)];
  return [...(format === 'jpeg' ? [] : [PNG]), ...JPEG.map((q, loss) => jpeg(q, loss, isTransparent))];
}

const PNG: RankedCandidate = {
  format: 'png',
  loss: 0,
  encoder: 'png',
  options: [['pred', 'mixed']],
  logical: 'out/p.png',
  chain: 'null',
};

/** With 256 colours, the image has a third of the bytes. */
const PALETTE_PNG: RankedCandidate = {
  ...PNG,
  loss: 1,
  logical: 'out/p256.png',
  chain: 'split[u][v];[u]palettegen=stats_mode=single[w];[v][w]paletteuse',
};

const LOSSLESS_WEBP: RankedCandidate = {
  format: 'webp',
  loss: 0,
  encoder: 'libwebp',
  options: [['lossless', '1']],
  logical: 'out/l.webp',
  chain: 'format=bgra',
};

const webp = (quality: number, loss: number): RankedCandidate => ({
  format: 'webp',
  loss,
  encoder: 'libwebp',
  options: [
    ['quality', String(quality)],
    ['compression_level', '3'],
  ],
  logical: `out/w${loss}.webp`,
  chain: 'null',
});

const jpeg = (q: number, loss: number, isTransparent: boolean): RankedCandidate => ({
  format: 'jpeg',
  loss,
  encoder: 'mjpeg',
  options: [['q:v', String(q)]],
  logical: `out/j${loss}.jpg`,
  chain: isTransparent ? `${onGround(WHITE)},${FULL_RANGE}` : FULL_RANGE,
});

const FULL_RANGE = 'format=yuvj420p';

/** The best image that fits. Of several equally good images, the smallest. undefined: no image fits. */
export function chooseImage<T extends Pick<RankedCandidate, 'loss'> & { readonly sizeBytes: number }>(
  images: readonly T[],
  maxBytes: number,
): T | undefined {
  const [best] = images
    .filter(({ sizeBytes }) => sizeBytes <= maxBytes)
    .toSorted((a, b) => a.loss - b.loss || a.sizeBytes - b.sizeBytes);
  return best;
}

/** The filters that put the tiles together. `scale` is 1, or less if the image does not fit at the lowest quality. */
export function composeChain(
  { columns, rows, size }: Pick<Layout, 'columns' | 'rows' | 'size'>,
  scale: number,
): string {
  const sheet = columns * rows === 1 ? 'null' : `tile=layout=${columns}x${rows}:padding=${GAP}:color=0x202020`;
  if (scale === 1) return sheet;
  const { width, height } = scaled(size, scale);
  return `${sheet},scale=w=${width}:h=${height}:flags=area`;
}

export const scaled = ({ width, height }: Layout['size'], scale: number): Layout['size'] => ({
  width: Math.max(2, Math.round(width * scale)),
  height: Math.max(2, Math.round(height * scale)),
});
