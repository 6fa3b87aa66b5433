import { isComparison } from '../../../domain/analysis.ts';
import type { Failure } from '../../../domain/failure.ts';
import type { PlannedAnalysis } from '../../../domain/plan.ts';
import { andList } from '../../../domain/quantity.ts';
import { type MediaFacts, pathOf, streamsOf } from '../media-facts.ts';
import { failed } from './media-failure.ts';

/**
 * The failure of an analysis that compares pictures of different sizes. Its fix is a conversion: the client has sent no filtergraph
 * that could scale them.
 */
export function sizesToCompare(facts: MediaFacts, { measure }: Pick<PlannedAnalysis, 'measure'>): Failure | undefined {
  const [input, reference] = [0, 1].map((index) => {
    const film = streamsOf(facts, index, 'video').find(({ disposition = [] }) => !disposition.includes('attached_pic'));
    return film?.width === undefined || film.height === undefined ? undefined : ([film.width, film.height] as const);
  });
  if (input === undefined || reference === undefined) return undefined;
  const names = measure.filter(isComparison).map((one) => `"${one}"`);
  return failed(
    'INPUT_INVALID',
    `${andList(names)} ${names.length === 1 ? 'compares' : 'compare'} pictures of the same size: ` +
      `${pathOf(facts, 0)} is ${input.join('x')}, and ${pathOf(facts, 1)} is ${reference.join('x')}.`,
    `Convert ${pathOf(facts, 0)} with "vf": "scale=${reference.join(':')}" first, and measure the result.`,
  );
}
