import { join } from 'node:path';
import type { Failure } from '../../domain/failure.ts';
import type { Plan, Warning } from '../../domain/plan.ts';
import { type GraphFilter, isGraphError, printGraph } from '../filtergraph/graph.ts';
import {
  LOUDNESS_FACTS,
  type LoudnessFact,
  loudnessFile,
  resultFile,
  withMeasuredValues,
} from '../filtergraph/loudness-passes.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import {
  CROP_FACTS,
  type CropFact,
  type CropRectangle,
  cropFile,
  withRectangles,
} from '../filtergraph/picture-passes.ts';
import { readPrinted } from '../log/printed-frames.ts';
import type { RunWarning } from '../rules/facts/finished-pass.ts';
import { type MediaFacts, optionValue, RESIZING, sourceOf } from '../rules/facts/media-facts.ts';
import { hasLoudness, isLimitedByPeak, type LoudnessFacts, loudnessValues, missedLoudness } from './loudness-values.ts';
import { CONVERSION_CANCELLED } from './stop.ts';

/** What must be known about the first pass. */
interface MeasuringRun {
  /** undefined if the media may have forged it. */
  readonly facts: MediaFacts | undefined;
  /** How many streams of a kind the pass wrote. */
  streamCount(kind: 'video' | 'audio'): number;
}

const GRAPH = /^-(filter(?::.*)?|filter_complex)$/s;

/** Moves what the first pass of a plan measures into the argv of the second one. */
export class MeasuredPasses {
  readonly #plan: Pick<Plan, 'measuring' | 'passes'>;
  /** The scratch folder, absolute. */
  readonly #dir: string;
  #facts: readonly LoudnessFacts[] = [];
  #rectangles: readonly (CropRectangle | undefined)[] = [];
  #media: MediaFacts | undefined;
  /** By number, each `loudnorm` that its true peak may limit. */
  readonly #limited = new Map<number, GraphFilter>();
  #missed: readonly Warning[] = [];

  constructor(plan: Pick<Plan, 'measuring' | 'passes'>, dir: string) {
    this.#plan = plan;
    this.#dir = dir;
  }

  get #cropped(): readonly string[] {
    return this.#plan.measuring?.cropped ?? [];
  }

  get #loudnorm(): readonly string[] {
    return this.#plan.measuring?.loudnorm ?? [];
  }

  /** The argv of a pass, with measured values instead of their placeholders. */
  argvOf(pass: number, planned: readonly string[]): readonly string[] {
    if (this.#loudnorm.length + this.#cropped.length === 0 || pass === 0) return planned;
    const encoderGain = this.#plan.measuring?.encoderGain;
    let next = 0;
    let nextCrop = 0;
    return planned.map((word, index) => {
      const key = GRAPH.exec(planned[index - 1] ?? '')?.[1];
      const graph = key === undefined ? undefined : parseGraph(word);
      if (key === undefined || graph === undefined || isGraphError(graph)) return word;
      const sampleRate = this.#media && sourceRate(this.#media, key);
      const filled = withMeasuredValues(graph, (loudnorm) => {
        const number = next++;
        const found = this.#facts[number] ?? {};
        const isLimited = isLimitedByPeak(loudnorm, found);
        if (isLimited) this.#limited.set(number, loudnorm);
        return {
          ...loudnessValues(loudnorm, found),
          ...(isLimited && { resultFile: resultFile(number) }),
          ...(sampleRate !== undefined && { sampleRate }),
          ...(encoderGain !== undefined && { encoderGain }),
        };
      });
      return printGraph(withRectangles(filled, () => this.#rectangles[nextCrop++]));
    });
  }

  /**
   * Reads the values at the end of the first pass. Returns a failure if they are not those of one stream, or if `signal` is
   * aborted meanwhile.
   */
  async finish({ facts, streamCount }: MeasuringRun, signal: AbortSignal): Promise<Failure | undefined> {
    if (this.#plan.measuring === undefined) return undefined;
    const { stabilized, cropped } = this.#plan.measuring;
    const [argv = []] = this.#plan.passes;
    if (stabilized.length > 0 && argv.includes('-filter:v') && streamCount('video') > 1) return SEVERAL_PICTURES;
    if (cropped.length > 0 && argv.includes('-filter:v') && streamCount('video') > 1) return SEVERAL_CROPPED;
    if (this.#loudnorm.length > 0 && argv.includes('-filter:a') && streamCount('audio') > 1) return SEVERAL_SOUNDS;
    this.#media = facts;
    try {
      this.#facts = await Promise.all(this.#loudnorm.map((_field, index) => this.#read(index, signal)));
      this.#rectangles = await Promise.all(cropped.map((_field, index) => this.#readRectangle(index, signal)));
    } catch (error) {
      if (!signal.aborted) throw error;
      return CONVERSION_CANCELLED;
    }
    return undefined;
  }

  /** Reads what the last pass reached. Returns a failure if `signal` is aborted meanwhile. */
  async readResults(signal: AbortSignal): Promise<Failure | undefined> {
    try {
      this.#missed = await this.#readMissed(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return CONVERSION_CANCELLED;
    }
    return undefined;
  }

  async #readMissed(signal: AbortSignal): Promise<readonly Warning[]> {
    const warnings: Warning[] = [];
    for (const [number, loudnorm] of this.#limited) {
      let reached: number | undefined;
      for await (const { value } of readPrinted(join(this.#dir, resultFile(number)), signal)) reached = value;
      const warning = missedLoudness(loudnorm, this.#facts[number] ?? {}, reached);
      const field = this.#loudnorm[number];
      if (warning !== undefined) warnings.push({ ...warning, ...(field !== undefined && { field }) });
    }
    return warnings;
  }

  /** undefined if no picture has content: it is black, or there are too few. */
  async #readRectangle(index: number, signal: AbortSignal): Promise<CropRectangle | undefined> {
    const found: Partial<Record<CropFact, number>> = {};
    // Each frame has the rectangle of everything up to it.
    for (const fact of CROP_FACTS)
      for await (const { value } of readPrinted(join(this.#dir, cropFile(index, fact)), signal)) found[fact] = value;
    const { w, h, x, y } = found;
    const isSide = (side: number | undefined): side is number => Number.isSafeInteger(side) && Number(side) > 0;
    const isPlace = (place: number | undefined): place is number => Number.isSafeInteger(place) && Number(place) >= 0;
    return isSide(w) && isSide(h) && isPlace(x) && isPlace(y) ? { w, h, x, y } : undefined;
  }

  async #read(index: number, signal: AbortSignal): Promise<LoudnessFacts> {
    const facts: Partial<Record<LoudnessFact, number>> = {};
    // Each frame has the value of everything up to it.
    for (const fact of LOUDNESS_FACTS)
      for await (const { value } of readPrinted(join(this.#dir, loudnessFile(index, fact)), signal))
        facts[fact] = value;
    return facts;
  }

  /** About sound and pictures for which nothing could be measured, and pictures of which nothing is cut off. */
  get warnings(): readonly Warning[] {
    return [...this.#silent, ...this.#missed, ...this.#uncropped];
  }

  get #uncropped(): readonly Warning[] {
    if (this.#rectangles.length === 0) return [];
    const crops = this.#cropped.map((field, index) => ({ field, rectangle: this.#rectangles[index] }));
    return uncroppedPictures(crops, this.#media, this.#plan.passes[0] ?? []);
  }

  get #silent(): readonly Warning[] {
    return this.#facts.flatMap((facts, index): RunWarning[] => {
      const field = this.#loudnorm[index];
      if (facts.input_i === undefined || hasLoudness(facts) || field === undefined) return [];
      return [
        {
          field,
          code: 'NO_EFFECT',
          message: 'The first pass measured no loudness: the sound is silent, or shorter than 0.4 s.',
          fix: 'Leave "loudnorm" out, or send another input.',
        },
      ];
    });
  }
}

/** The sample rate of the sound that a graph filters. undefined if it is not clear. */
function sourceRate(facts: MediaFacts, key: string): number | undefined {
  const sounds = facts.used.flatMap(({ input, stream, output }) => {
    const source = facts.inputs[input]?.streams.find(({ index }) => index === stream);
    return source?.type === 'audio' ? [{ rate: source.sampleRate, output }] : [];
  });
  const [, index = '0'] = /^filter:a:(\d+)$/.exec(key) ?? [];
  if (!key.startsWith('filter:a')) return sounds[0]?.rate;
  return sounds.filter(({ output }) => output !== undefined)[Number(index)]?.rate;
}

const SEVERAL_SOUNDS: Failure = {
  code: 'UNSUPPORTED',
  message: 'One "loudnorm" filters several sounds, and two passes measure each of them by itself.',
  fix: 'Send a graph for each ("filter:a:0", "filter:a:1") instead of "af", or map one sound.',
};

const SEVERAL_CROPPED: Failure = {
  code: 'UNSUPPORTED',
  message: 'One "cropdetect" filters several pictures, and two passes measure each of them by itself.',
  fix: 'Send a graph for each ("filter:v:0", "filter:v:1") instead of "vf", or map one picture.',
};

const SEVERAL_PICTURES: Failure = {
  code: 'UNSUPPORTED',
  message: 'One "vidstabtransform" filters several pictures, and two passes detect the motion of one.',
  fix: 'Send a graph for each ("filter:v:0", "filter:v:1") instead of "vf", or map one picture.',
};

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
      const size = source && facts.frameSize(source);
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
