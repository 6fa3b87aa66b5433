import type { Failure } from '../../../domain/failure.ts';
import { type GraphChain, type GraphFilter, printLabel } from '../../filtergraph/graph.ts';
import { RATES } from '../filter-effects.ts';
import { printChanged, replacingFix, wholeGraphFix, withFilter } from '../graph-fixes.ts';
import type { ArgvGraph } from '../media-facts.ts';
import { type MediaFacts, optionValue, sourceOf } from '../media-facts.ts';
import { picturePads, rateText } from './different-inputs.ts';
import { failed } from './media-failure.ts';

export function stackedSizes(
  side: 'height' | 'width',
  second: { readonly pad: number; readonly has: string | undefined },
  first: { readonly pad: number; readonly wanted: string | undefined },
  facts: MediaFacts,
): Failure | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      const label = filter.inputs[second.pad];
      if (!/^[hv]stack$/.test(filter.name) || label === undefined) continue;
      const rates = [first.pad, second.pad].map((pad) => sourceOf(facts, graph, filter, pad, RATES)?.stream.fps);
      const [firstRate, secondRate] = rates;
      const differ = firstRate !== undefined && secondRate !== undefined && firstRate !== secondRate;
      const scale = side === 'height' ? `scale=-2:${first.wanted}` : `scale=${first.wanted}:-2`;
      const filters = differ ? `fps=${firstRate},${scale}` : scale;
      const also = differ ? ` Their frame rates differ too: ${secondRate} and ${firstRate} per second.` : '';
      return failed(
        'FFMPEG_FAILED',
        `Pictures ${side === 'height' ? 'side by side need the same height' : 'above each other need the same width'}: input ${second.pad} of ${filter.name} has ${second.has}, and input ${first.pad} has ${first.wanted}.${also}`,
        replacingFix(
          facts,
          graph,
          `${printLabel(label)}${filters}[scaled${second.pad}];`,
          label,
          `scaled${second.pad}`,
          filter,
        ) ?? `Send [${label}] through "${filters}" first.`,
      );
    }
  return undefined;
}

/** Filters that put the frames of several inputs into one picture or one film, at the times of all of them. */
const SYNCING = /^(?:[hvx]stack|blend|xfade|concat|maskedmerge|psnr|ssim|overlay|interleave)$/;

/**
 * Why a run makes no progress: a filter joins inputs of different frame rates, so ffmpeg writes a frame for each moment in
 * which one of them could have a frame.
 */
export function explainStall(facts: MediaFacts): Pick<Failure, 'message' | 'fix'> | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      if (!SYNCING.test(filter.name)) continue;
      const pads = picturePads(filter).map((pad) => ({
        pad,
        rate: sourceOf(facts, graph, filter, pad, RATES)?.stream.fps,
      }));
      const [first, ...others] = pads.map(({ rate }) => rate).filter((rate) => rate !== undefined);
      const different = others.find((rate) => rate !== first);
      if (first === undefined || different === undefined) continue;
      return {
        message: `The filter ${filter.name} joins inputs of different frame rates (${first} and ${different} per second), so ffmpeg tries to write very many frames.`,
        fix: sameRateFix(facts, graph, filter, first) ?? `Send each input through "fps=${first}" first.`,
      };
    }
  return undefined;
}

/** The fix that gives all inputs of a filter the same frame rate. undefined if the graph is too long, or names files. */
function sameRateFix(facts: MediaFacts, { key, graph }: ArgvGraph, filter: GraphFilter, rate: number) {
  const pads = picturePads(filter).filter((pad) => filter.inputs[pad] !== undefined);
  const label = (pad: number): string => `same${pad}`;
  const added = pads.map(
    (pad): GraphChain => [
      {
        inputs: [filter.inputs[pad] ?? ''],
        name: 'fps',
        options: [{ value: rateText(rate) }],
        outputs: [label(pad)],
        at: 0,
      },
    ],
  );
  const inputs = filter.inputs.map((one, pad) => (pads.includes(pad) ? label(pad) : one));
  const chains = graph.chains.flatMap((chain): GraphChain[] => [
    ...(chain.includes(filter) ? added : []),
    chain.map((one) => (one === filter ? { ...one, inputs } : one)),
  ]);
  return wholeGraphFix(facts, key, { ...graph, chains });
}

/** ffmpeg's warning that it repeats frames up to more than 1000 per second, for a format with a constant rate. */
const VERY_HIGH = /^Frame rate very high for a muxer not efficiently supporting it\.$/;

/**
 * Why a run that has just started would repeat frames nearly without end. Releases up to 5 give the output of a filter that
 * joins different frame rates no rate of its own. Explains only that, because an input may really have such a rate.
 */
export function endlessFrames(
  lines: readonly { readonly text: string }[],
  factsOf: () => MediaFacts | undefined,
): Failure | undefined {
  if (!lines.some(({ text }) => VERY_HIGH.test(text))) return undefined;
  const facts = factsOf();
  const explained = facts && explainStall(facts);
  return explained && { code: 'FFMPEG_FAILED', ...explained };
}

/** A filter that waits for more inputs than it has labels: `[0:a][1:a]amix=inputs=3`. */
export function tooManyInputs(name: string, facts: MediaFacts): Failure | undefined {
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      const labels = filter.inputs.length;
      const isFirst = graph.graph.chains.some(([first]) => first === filter);
      if (filter.name !== name || labels < 2 || !isFirst) continue;
      const number = (key: string, fallback: number): number => Number(optionValue(filter, key) ?? fallback);
      const [key, streams] =
        name === 'concat' ? (['n', number('v', 1) + number('a', 0)] as const) : (['inputs', 1] as const);
      const sent = number(key, 2);
      const count = labels / streams;
      const isCounted = name === 'concat' || COUNTED.test(name);
      // The layout of a mosaic places each input.
      const places = optionValue(filter, 'layout')?.split('|').length ?? count;
      if (!isCounted || !(sent > count) || count < 2 || !Number.isInteger(count) || places !== count) continue;
      return failed(
        'FFMPEG_FAILED',
        `The filter ${name} waits for ${sent * streams} inputs ("${key}=${sent}"), and only ${labels} labels come before it.`,
        withFilter(facts, graph, filter, printChanged(filter, { [key]: count })),
      );
    }
  return undefined;
}

/** Filters whose option `inputs` sets the number of their inputs. */
const COUNTED = /^(?:amix|amerge|mix|[hvx]stack)$/;
