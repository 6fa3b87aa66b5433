import { join } from 'node:path';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { Plan, Warning } from '@telecine/contract/domain/plan.ts';
import {
  CROP_FACTS,
  type CropRectangle,
  cropFile,
  isMeasuredCrop,
  withRectangles,
} from '../filtergraph/crop-passes.ts';
import { type GraphFilter, isGraphError, printGraph, RESIZING } from '../filtergraph/graph.ts';
import { LOUDNESS_FACTS, loudnessFile, resultFile, withMeasuredValues } from '../filtergraph/loudness-passes.ts';
import { parseGraph } from '../filtergraph/parse.ts';
import { readPrinted } from '../log/printed-frames.ts';
import { type MediaFacts, sourceOf } from '../rules/facts/media-facts.ts';
import type { Finding } from '../rules/rule.ts';
import { hasLoudness, isLimitedByPeak, type LoudnessFacts, loudnessValues, missedLoudness } from './loudness-values.ts';
import { CONVERSION_CANCELLED } from './stop.ts';

/** What the service knows about the first pass at its end. */
interface MeasuringRun {
  /** The facts about the inputs. undefined: the media may have forged them. */
  readonly facts: MediaFacts | undefined;
  /** Returns how many streams of a kind the pass wrote. */
  streamCount(kind: 'video' | 'audio'): number;
}

const GRAPH = /^-(filter(?::.*)?|filter_complex)$/s;

/** Puts the values that the first pass of a plan measures into the argv of the second pass. */
export class MeasuredPasses {
  readonly #plan: Pick<Plan, 'measuring' | 'passes'>;
  /** The scratch folder, absolute. */
  readonly #dir: string;
  #facts: readonly LoudnessFacts[] = [];
  #rectangles: readonly (CropRectangle | undefined)[] = [];
  #media: MediaFacts | undefined;
  /** The filters `loudnorm` that may miss their target because of the true peak, by their number in the plan. */
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

  /** Returns the argv of a pass. Measured values replace the placeholders. */
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
   * Reads the measured values after the first pass. Returns a failure if `signal` is aborted, or if a filter got several streams, because
   * their values look alike.
   */
  async finish({ facts, streamCount }: MeasuringRun, signal: AbortSignal): Promise<Failure | undefined> {
    if (this.#plan.measuring === undefined) return undefined;
    const { stabilized, cropped } = this.#plan.measuring;
    const [argv = []] = this.#plan.passes;
    const hasSeveral = (kind: 'video' | 'audio', filter: 'v' | 'a'): boolean =>
      argv.includes(`-filter:${filter}`) && streamCount(kind) > 1;
    if (stabilized.length > 0 && hasSeveral('video', 'v'))
      return severalStreams('vidstabtransform', 'video', 'detect the motion of one');
    if (cropped.length > 0 && hasSeveral('video', 'v'))
      return severalStreams('cropdetect', 'video', 'measure each of them by itself');
    if (this.#loudnorm.length > 0 && hasSeveral('audio', 'a'))
      return severalStreams('loudnorm', 'audio', 'measure each of them by itself');
    this.#media = facts;
    return unlessAborted(signal, async () => {
      this.#facts = await Promise.all(this.#loudnorm.map((_field, index) => this.#readLoudness(index, signal)));
      this.#rectangles = await Promise.all(cropped.map((_field, index) => this.#readRectangle(index, signal)));
    });
  }

  /** Reads the results of the last pass. Returns a failure if `signal` is aborted. */
  readResults(signal: AbortSignal): Promise<Failure | undefined> {
    return unlessAborted(signal, async () => {
      this.#missed = await this.#readMissed(signal);
    });
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

  /** Reads the measured rectangle of a `crop`. undefined: all frames are black, or there are too few frames. */
  async #readRectangle(index: number, signal: AbortSignal): Promise<CropRectangle | undefined> {
    const { w, h, x, y } = await this.#readLast(CROP_FACTS, (fact) => cropFile(index, fact), signal);
    const isSide = (side: number | undefined): side is number => Number.isSafeInteger(side) && Number(side) > 0;
    const isPlace = (place: number | undefined): place is number => Number.isSafeInteger(place) && Number(place) >= 0;
    return isSide(w) && isSide(h) && isPlace(x) && isPlace(y) ? { w, h, x, y } : undefined;
  }

  async #readLoudness(index: number, signal: AbortSignal): Promise<LoudnessFacts> {
    const facts = await this.#readLast(LOUDNESS_FACTS, (fact) => loudnessFile(index, fact), signal);
    let [first, last]: (number | undefined)[] = [];
    for await (const { at } of readPrinted(join(this.#dir, loudnessFile(index, 'input_i')), signal)) {
      first ??= at;
      last = at;
    }
    const isKnown = first !== undefined && last !== undefined && Number.isFinite(last - first);
    return { ...facts, ...(isKnown && { lastSeconds: Number(last) - Number(first) }) };
  }

  /** Reads the last value of each fact. It is the result, because the value of a frame is about all frames so far. */
  async #readLast<F extends string>(
    facts: readonly F[],
    fileOf: (fact: F) => string,
    signal: AbortSignal,
  ): Promise<Partial<Record<F, number>>> {
    const found: Partial<Record<F, number>> = {};
    for (const fact of facts)
      for await (const { value } of readPrinted(join(this.#dir, fileOf(fact)), signal)) found[fact] = value;
    return found;
  }

  /** Warnings about silent audio, missed loudness, and crops that cut nothing off. */
  get warnings(): readonly Warning[] {
    return [...this.#silent, ...this.#missed, ...this.#uncropped];
  }

  get #uncropped(): readonly Warning[] {
    if (this.#rectangles.length === 0) return [];
    const crops = this.#cropped.map((field, index) => ({ field, rectangle: this.#rectangles[index] }));
    return uselessCrops(crops, this.#media);
  }

  get #silent(): readonly Warning[] {
    return this.#facts.flatMap((facts, index): Finding[] => {
      const field = this.#loudnorm[index];
      if (facts.input_i === undefined || hasLoudness(facts) || field === undefined) return [];
      return [
        {
          field,
          code: 'NO_EFFECT',
          message: 'The first pass measured no loudness: the audio is silent, or shorter than 0.4 s.',
          fix: 'Leave "loudnorm" out, or send another input.',
        },
      ];
    });
  }
}

/** Runs `read`. Returns a failure if `signal` is aborted during the run. */
async function unlessAborted(signal: AbortSignal, read: () => Promise<void>): Promise<Failure | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (!signal.aborted) throw error;
    return CONVERSION_CANCELLED;
  }
}

/** Returns the sample rate of the audio that a graph filters, in Hz. undefined: unknown. */
function sourceRate(facts: MediaFacts, key: string): number | undefined {
  const streams = facts.used.flatMap(({ input, stream, output }) => {
    const source = facts.inputs[input]?.streams.find(({ index }) => index === stream);
    return source?.type === 'audio' ? [{ rate: source.sampleRate, output }] : [];
  });
  const [, index = '0'] = /^filter:a:(\d+)$/.exec(key) ?? [];
  if (!key.startsWith('filter:a')) return streams[0]?.rate;
  return streams.filter(({ output }) => output !== undefined)[Number(index)]?.rate;
}

/** Explains a filter of `vf` or `af` that gets several streams. `passes`: what the two passes would do. */
function severalStreams(filter: string, kind: 'video' | 'audio', passes: string): Failure {
  const letter = kind.charAt(0);
  return {
    code: 'UNSUPPORTED',
    message: `One "${filter}" filters several ${kind} streams, and two passes ${passes}.`,
    fix: `Send a graph for each stream ("filter:${letter}:0", "filter:${letter}:1") instead of "${letter}f", or map one ${kind} stream.`,
  };
}

/** A `crop` that gets its values from the first pass. */
interface MeasuredCrop {
  readonly field: string;
  /** The measured rectangle. undefined: all frames are black, or there are too few frames. */
  readonly rectangle: CropRectangle | undefined;
}

/**
 * Warns about each `crop` that cuts nothing off, if the frame size is known.
 *
 * @param facts undefined: the media may have forged them.
 */
export function uselessCrops(crops: readonly MeasuredCrop[], facts: MediaFacts | undefined): readonly Finding[] {
  const sources = facts === undefined ? [] : sourcesOf(facts);
  return crops.flatMap(({ field, rectangle }, index): Finding[] => {
    if (rectangle === undefined) return [{ field, ...NOTHING_FOUND }];
    const source = sources.length === crops.length ? sources[index] : undefined;
    if (source === undefined || rectangle.w < source.width || rectangle.h < source.height) return [];
    return [
      {
        field,
        code: 'NO_EFFECT',
        message: `The first pass found no borders: all of the frame (${source.width}x${source.height}) is content, and nothing was cut off.`,
        fix: 'Leave "cropdetect" and "crop" out, or send a higher "limit" for borders that are not quite black.',
      },
    ];
  });
}

const NOTHING_FOUND: Omit<Finding, 'field'> = {
  code: 'NO_EFFECT',
  message: 'The first pass found nothing to crop to: all frames are black, or there are only a few.',
  fix: 'Send "cropdetect" with a lower "limit", or "crop" with a size.',
};

/** Returns the frame size and pixel format of the input of each measured `crop`. */
const sourcesOf = (facts: MediaFacts) =>
  facts.graphs.flatMap((one) =>
    one.filters.filter(isMeasuredCrop).map((filter) => {
      const source = sourceOf(facts, one, filter, 0, RESIZING);
      return source && facts.frameSize(source);
    }),
  );
