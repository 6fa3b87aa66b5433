import { type GraphFilter, isGraphError } from '../filtergraph/graph.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import { type CropRectangle, cropFile } from '../filtergraph/picture-passes.ts';
import { RESIZING } from './filter-effects.ts';
import type { RunWarning } from './finished-pass.ts';
import { type MediaFacts, optionValue, pictureSize, sourceOf } from './media-facts.ts';

/** A `crop` that gets what the first pass measures. */
interface MeasuredCrop {
  /** Where the client sent it. */
  readonly field: string;
  /** undefined: all pictures are black, or there are too few. */
  readonly rectangle: CropRectangle | undefined;
}

/**
 * Warns about each `crop` that cuts nothing off. Those of pictures whose size is not known are left out.
 *
 * @param facts undefined if the media may have forged them.
 * @param first The argv of the first pass.
 */
export function uncroppedPictures(
  crops: readonly MeasuredCrop[],
  facts: MediaFacts | undefined,
  first: readonly string[],
): readonly RunWarning[] {
  const sources = facts === undefined ? [] : sourcesOf(facts);
  return crops.flatMap(({ field, rectangle }, index): RunWarning[] => {
    if (rectangle === undefined) return [{ field, ...NOTHING_FOUND }];
    const source = sources.length === crops.length ? sources[index] : undefined;
    if (source === undefined || rectangle.w < source.width || rectangle.h < source.height) return [];
    const limit = limitOf(first, index);
    const fix =
      limit >= 1 && DEEP.test(source.pixelFormat)
        ? `Send "limit=${Number((limit / 255).toFixed(4))}": a "limit" from 1 on counts in steps of 8 bits, and this picture has more.`
        : 'Leave "cropdetect" and "crop" out, or send a higher "limit" for borders that are not quite black.';
    return [
      {
        field,
        code: 'NO_EFFECT',
        message: `The first pass found no borders: all of the picture (${source.width}x${source.height}) is content, and nothing was cut off.`,
        fix,
      },
    ];
  });
}

const NOTHING_FOUND: Omit<RunWarning, 'field'> = {
  code: 'NO_EFFECT',
  message: 'The first pass found nothing to crop to: all pictures are black, or there are only a few.',
  fix: 'Send "cropdetect" with a lower "limit", or "crop" with a size.',
};

/** Pixel formats of more than 8 bits. */
const DEEP = /(?:9|1\d)(?:le|be)$|^p01\d/;

/** The picture that each measured `crop` gets. */
const sourcesOf = (facts: MediaFacts) =>
  facts.graphs.flatMap((one) =>
    one.filters.filter(isMeasured).map((filter) => {
      const source = sourceOf(facts, one, filter, 0, RESIZING);
      const size = source && pictureSize(facts, source);
      return size && { ...size, pixelFormat: source.stream.pixelFormat ?? '' };
    }),
  );

/** Facts show the graph as the client sent it, with a `crop` that has no size. */
const isMeasured = ({ name, options }: GraphFilter): boolean => name === 'crop' && options.length === 0;

/** The `limit` of the `cropdetect` that measures for a `crop`. 0 if it has none. */
function limitOf(argv: readonly string[], index: number): number {
  for (const word of argv) {
    const graph = word.includes('cropdetect') ? parseGraph(word) : undefined;
    if (graph === undefined || isGraphError(graph)) continue;
    for (const chain of graph.chains)
      for (const [at, filter] of chain.entries()) {
        const next = chain[at + 1];
        if (filter.name === 'cropdetect' && next !== undefined && optionValue(next, 'file') === cropFile(index, 'w'))
          return Number(optionValue(filter, 'limit') ?? 0);
      }
  }
  return 0;
}
