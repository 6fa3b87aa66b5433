import type { FilterPlaces, GraphFilter } from './graph.ts';
import { parseGraph } from './parse.ts';

/** Finds the positions of a filter and its parts in the text of the graph. undefined: the text does not have this filter. */
export type FindPlaces = (filter: Pick<GraphFilter, 'at'>) => FilterPlaces | undefined;

/**
 * Returns a function that finds the filters of a valid graph in its text, for messages. It reads the text when it is first called, because
 * most graphs have no error.
 */
export function findPlaces(text: string): FindPlaces {
  let places: Map<number, FilterPlaces> | undefined;
  return ({ at }) => {
    if (places === undefined) {
      places = new Map();
      parseGraph(text, places);
    }
    return places.get(at);
  };
}
