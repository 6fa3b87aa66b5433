import type { Failure } from '../../../domain/failure.ts';
import { type GraphFilter, printFilter, printLabel } from '../../filtergraph/graph.ts';
import { evenBelow } from '../../values/size.ts';
import { printChanged, withChoice, withFilter } from '../facts/graph-fixes.ts';
import { type MediaFacts, optionValue, RESIZING, type Source, sourceOf } from '../facts/media-facts.ts';
import { filtersIn } from '../facts/placed-filter.ts';
import { failed } from './media-failure.ts';

/** The picture that reaches the first filter of this name, and the filter. */
function pictureAt(facts: MediaFacts, name: string) {
  for (const graph of facts.graphs) {
    const found = graph.filters.filter((filter) => filter.name === name);
    const [filter, ...others] = found;
    if (filter === undefined || others.length > 0) continue;
    const source = sourceOf(facts, graph, filter, 0, RESIZING);
    const size = source && facts.pictureSize(source);
    if (source !== undefined && size !== undefined) return { graph, filter, source, size };
  }
  return undefined;
}

const sizeText = (
  facts: MediaFacts,
  source: Source,
  size: { width: number; height: number; isRotated: boolean },
): string =>
  `${size.width}x${size.height}${
    size.isRotated
      ? ` (${facts.pathOf(source.input)} holds ${size.height}x${size.width} and asks players to rotate it)`
      : ''
  }`;

export function cropTooLarge(facts: MediaFacts, width: number, height: number): Failure | undefined {
  const at = pictureAt(facts, 'crop');
  if (at === undefined) return undefined;
  const { graph, filter, source, size } = at;
  const [x, y] = [optionValue(filter, 'x'), optionValue(filter, 'y')];
  const inOrder = sizeBeforePlace(width, height, [x, y], size);
  const turned = size.isRotated && width <= size.height && height <= size.width && width > 0 && height > 0;
  const [w, h] = turned ? [height, width] : largestInside({ width, height }, size, filter);
  // The size of the output, such as 1080x1920 of a film that is 1920x1080.
  const isWhole = width >= size.width && height >= size.height;
  const isOutput =
    (isWhole || width > size.width !== height > size.height) && width > 0 && height > 0 && !size.isRotated;
  const [a = '', b = ''] = sidesOf(filter);
  const areSides = (digits: RegExp): boolean => x === undefined && y === undefined && digits.test(a) && digits.test(b);
  // x and y then count in the scaled picture, so only expressions of its size still fit.
  const place = [x, y].filter((one) => one !== undefined);
  const isOpen =
    /^\d+$/.test(a) && /^\d+$/.test(b) && place.every((one) => /^(?:0|[^,]*(?:i[wh]|in_[wh])[^,]*)$/.test(one));
  const filled =
    isOutput && isOpen
      ? `scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${[width, height, ...place].join(':')}`
      : undefined;
  // A ratio, of which the encoder or the filter leaves no pixel: `crop=1:1`.
  const ratio = areSides(/^[1-9]\d?$/) ? `crop=min(iw\\,ih*${a}/${b}):min(ih\\,iw*${b}/${a})` : undefined;
  const [left, top] = turned ? [y, x] : [x, y];
  const fits = (offset: string | undefined, room: number): string | undefined =>
    offset !== undefined && /^\d+$/.test(offset) && Number(offset) <= room ? offset : undefined;
  const [keptX, keptY] = [fits(left, size.width - w), fits(top, size.height - h)];
  const options = [
    ...(w > 0 && h > 0 ? [String(w), String(h)] : ['iw', 'ih']),
    ...(keptX === undefined ? [] : [keptX, ...(keptY === undefined ? [] : [keptY])]),
  ];
  return failed(
    'FFMPEG_FAILED',
    `The filter crop cannot cut ${width}x${height} out of the picture, which is ${sizeText(facts, source, size)}.${inOrder === undefined ? '' : ' Its values are width, height, x and y, in this order.'}`,
    withFilter(facts, graph, filter, inOrder ?? ratio ?? filled ?? `crop=${options.join(':')}`),
  );
}

const sidesOf = (crop: GraphFilter): readonly string[] =>
  [optionValue(crop, 'out_w', 'w'), optionValue(crop, 'out_h', 'h')].map((side) => side ?? '');

/**
 * The rectangle of a crop inside of a picture. One that has the whole width or height, and a share of that as its other side, is meant as an
 * aspect ratio: `crop=iw:iw*16/9`.
 */
function largestInside(
  asked: { readonly width: number; readonly height: number },
  size: { readonly width: number; readonly height: number },
  filter: GraphFilter,
): readonly [width: number, height: number] {
  const sides = sidesOf(filter);
  const isRatio =
    sides.some((side) => /^(?:iw|in_w)$/.test(side)) && sides.some((side) => /^(?:iw|in_w)\s*[*/]/.test(side));
  const isUpright =
    sides.some((side) => /^(?:ih|in_h)$/.test(side)) && sides.some((side) => /^(?:ih|in_h)\s*[*/]/.test(side));
  const factor = isRatio || isUpright ? Math.min(size.width / asked.width, size.height / asked.height) : undefined;
  const [w, h] =
    factor === undefined
      ? [Math.min(asked.width, size.width), Math.min(asked.height, size.height)]
      : [asked.width * factor, asked.height * factor];
  return [wholeSide(w), wholeSide(h)];
}

/** A size of whole pixels: even, where it was none. */
const wholeSide = (side: number): number => (Number.isInteger(side) ? side : evenBelow(side));

/** The crop with its size before its place, if a client wrote the place first: `crop=0:0:640:360`. */
function sizeBeforePlace(
  x: number,
  y: number,
  written: readonly [string | undefined, string | undefined],
  size: { readonly width: number; readonly height: number },
): string | undefined {
  const [width, height] = written.map((text) => (text !== undefined && /^\d+$/.test(text) ? Number(text) : 0));
  const isPlace = x >= 0 && y >= 0 && (x === 0 || y === 0);
  if (!isPlace || !width || !height || x + width > size.width || y + height > size.height) return undefined;
  return `crop=${width}:${height}:${x}:${y}`;
}

export function padTooSmall(facts: MediaFacts): Failure | undefined {
  const pads = facts.graphs.flatMap((graph) =>
    graph.filters.flatMap((filter) => (filter.name === 'pad' ? [{ graph, filter }] : [])),
  );
  const at = pictureAt(facts, 'pad');
  const [only, ...others] = at === undefined ? pads : [at];
  if (only === undefined || others.length > 0) return undefined;
  const { graph, filter } = only;
  const [w, h] = [optionValue(filter, 'width', 'w'), optionValue(filter, 'height', 'h')];
  if (w === undefined || h === undefined || !/^\d+$/.test(`${w}${h}`)) return undefined;
  return failed(
    'FFMPEG_FAILED',
    `The filter pad cannot make the picture smaller: ${at === undefined ? '' : `it is ${sizeText(facts, at.source, at.size)}, and `}the padded size is ${w}x${h}.`,
    withFilter(
      facts,
      graph,
      filter,
      `scale=${w}:${h}:force_original_aspect_ratio=decrease,pad=${w}:${h}:(ow-iw)/2:(oh-ih)/2`,
    ),
  );
}

export function outsidePicture(facts: MediaFacts, name: string): Failure | undefined {
  const at = pictureAt(facts, name);
  if (at === undefined) return undefined;
  const { graph, filter, source, size } = at;
  const number = (option: string): number => Number(optionValue(filter, option) ?? Number.NaN);
  const [w, h] = [Math.min(number('w'), size.width - 2), Math.min(number('h'), size.height - 2)];
  const [x, y] = [
    Math.min(Math.max(1, number('x')), size.width - w - 1),
    Math.min(Math.max(1, number('y')), size.height - h - 1),
  ];
  if (![w, h, x, y].every((value) => Number.isInteger(value) && value > 0)) return undefined;
  return failed(
    'FFMPEG_FAILED',
    `The area of the filter ${name} is not inside the picture, which is ${sizeText(facts, source, size)}.`,
    withFilter(facts, graph, filter, printChanged(filter, { x, y, w, h })),
  );
}

export function notAPalette(facts: MediaFacts, size: string): Failure | undefined {
  for (const at of filtersIn(facts)) {
    const { graph, filter } = at;
    const [film, palette] = filter.inputs;
    if (at.name !== 'paletteuse' || film === undefined || palette === undefined) continue;
    const source = at.source(1, RESIZING);
    const what = source === undefined ? 'a picture' : facts.pathOf(source.input);
    return failed(
      'FFMPEG_FAILED',
      `The second input of the filter paletteuse must be a palette of 256 pixels (16x16), made from the film, and ${what} has ${size}.`,
      withFilter(
        facts,
        graph,
        { ...filter, inputs: [] },
        `${printLabel(film)}split[pal_a][pal_b];[pal_a]palettegen[pal];${printFilter({ ...filter, inputs: ['pal_b', 'pal'], outputs: [] })}`,
        filter,
      ),
    );
  }
  return undefined;
}

/** What the pictures most likely have if they do not say it: television of their size. */
const likelyColors = (height: number | undefined): string =>
  height === undefined || height >= 720 ? 'bt709' : height > 486 ? 'bt601-6-625' : 'bt601-6-525';

export function unknownColors(facts: MediaFacts, name: 'colorspace' | 'zscale', what: string): Failure | undefined {
  const at = facts.graphs.flatMap((graph) =>
    graph.filters.flatMap((filter) => (filter.name === name ? [{ graph, filter }] : [])),
  )[0];
  if (at === undefined) return undefined;
  const { graph, filter } = at;
  const source = sourceOf(facts, graph, filter, 0, /^$/);
  const height = source?.stream.height;
  const path = source === undefined ? 'the input' : facts.pathOf(source.input);
  const message = `The filter ${name} must know the colours of ${path}, and the file does not name its ${what}.`;
  if (name === 'colorspace') {
    const printed = withFilter(facts, graph, filter, printChanged(filter, { iall: likelyColors(height) }));
    return failed('FFMPEG_FAILED', message, printed);
  }
  const tones = graph.filters.some((one) => one.name === 'tonemap');
  const params = 'setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv';
  const printed = withFilter(facts, graph, filter, `${params},${printFilter({ ...filter, inputs: [], outputs: [] })}`);
  return failed(
    'FFMPEG_FAILED',
    tones ? `${message} Tone mapping is for HDR, which a file always names.` : message,
    tones ? withChoice(printed, 'leave the tone mapping out') : printed,
  );
}
