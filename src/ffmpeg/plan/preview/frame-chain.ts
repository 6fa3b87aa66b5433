import { type HdrTransfer, toneMapping } from '../../filtergraph/tone-mapping.ts';
import type { Size } from './layout.ts';
import type { Picture } from './picture.ts';

/** The ground behind transparent pictures, and around pictures that are smaller than their tile. */
const GREY = 0x80;
const GROUND = '0x808080';

/** What a build has. */
export interface ChainFacts {
  /** Whether it has `zscale` and `tonemap`. */
  readonly mapsTones: boolean;
}

/** The chains that lay a transparent picture on a ground of one grey. They follow others, and others may follow them. */
export const onGround = (grey = GREY): string =>
  `format=rgba,split[p][b];[b]lutrgb=r=${grey}:g=${grey}:b=${grey}:a=255[g];[g][p]overlay=format=rgb`;

/**
 * Returns the filters that turn a frame into a tile. ffmpeg has rotated the frame before. It is scaled first, so that all other
 * filters work on few pixels. `times`: where the time of each frame is printed.
 */
export function frameChain(
  { hasAlpha, hdrTransfer, isBt709BySize }: Picture,
  { frame, tile }: { readonly frame: Size; readonly tile: Size },
  times: string,
  { mapsTones }: ChainFacts,
): string {
  const scale = `scale=w=${frame.width}:h=${frame.height}:flags=area`;
  const toRgb = isBt709BySize ? `${scale}:in_color_matrix=bt709` : scale;
  const picture =
    hdrTransfer !== undefined && mapsTones
      ? [mapTones(frame, hdrTransfer), 'format=rgb24']
      : hasAlpha
        ? [toRgb, onGround(), 'format=rgb24']
        : [toRgb, 'format=rgb24'];
  const fills = frame.width === tile.width && frame.height === tile.height;
  return [
    // Decoders copy tags of the file into the metadata of frames.
    'metadata=mode=delete,metadata=mode=add:key=telecine:value=1',
    `metadata=mode=print:key=telecine:file=${times}:direct=1`,
    ...picture,
    ...(fills ? [] : [`pad=w=${tile.width}:h=${tile.height}:x=-1:y=-1:color=${GROUND}`]),
    'setsar=1',
  ].join(',');
}

/** What shows an HDR picture on an ordinary screen. */
const mapTones = ({ width, height }: Size, transfer: HdrTransfer): string =>
  `${toneMapping({ input: `w=${width}:h=${height}:tin=${transfer}:min=bt2020nc:pin=bt2020:` })},scale=in_color_matrix=bt709`;
