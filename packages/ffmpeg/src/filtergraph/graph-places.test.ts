import type { TextSpan } from '@telecine/contract/domain/problem.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampledRuns } from '../../../../test/support/sampled.ts';
import { readToken } from '../values/token.ts';
import { isGraphError } from './graph.ts';
import { findPlaces } from './graph-places.ts';
import { parseGraph } from './parse.ts';

const partOf = (text: string, { offset, length }: TextSpan): string => text.slice(offset, offset + length);

/** The parts of all filters of a text. */
function partsOf(text: string) {
  const graph = parseGraph(text);
  if (isGraphError(graph)) throw new Error(graph.error);
  const placesOf = findPlaces(text);
  return graph.chains.flat().map((filter) => {
    const places = placesOf(filter);
    if (places === undefined) throw new Error(`No places of ${filter.name}.`);
    const { whole, name, options, inputs, outputs } = places;
    return {
      whole: partOf(text, whole),
      name: partOf(text, name),
      options: options.map(({ key, value }) => [key && partOf(text, key), partOf(text, value)]),
      labels: [inputs.map((span) => partOf(text, span)), outputs.map((span) => partOf(text, span))],
    };
  });
}

test('each part of a graph is found where the client wrote it', () => {
  expect(partsOf(' [0:v] [1:v] overlay = x=10 : y = main_h [out] ; scale=1280:-2,fps=25')).toEqual([
    {
      whole: 'overlay = x=10 : y = main_h',
      name: 'overlay',
      options: [
        ['x', '10'],
        ['y', 'main_h'],
      ],
      labels: [['[0:v]', '[1:v]'], ['[out]']],
    },
    {
      whole: 'scale=1280:-2',
      name: 'scale',
      options: [
        [undefined, '1280'],
        [undefined, '-2'],
      ],
      labels: [[], []],
    },
    { whole: 'fps=25', name: 'fps', options: [[undefined, '25']], labels: [[], []] },
  ]);
});

test('quotes and backslashes of both levels are within what they are around', () => {
  expect(partsOf(String.raw`sws_flags=lanczos;drawtext=text='12\:30':x=1,select='eq(n,3)'`)).toMatchObject([
    {
      name: 'drawtext',
      options: [
        ['text', String.raw`12\:30`],
        ['x', '1'],
      ],
    },
    { name: 'select', options: [[undefined, 'eq(n,3)']] },
  ]);
});

test('the places of any graph have its names and as many options and labels', () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab0 \\'[],;:=@\n"), maxLength: 24 });
  let read = 0;
  fc.assert(
    fc.property(text, (graphText) => {
      const graph = parseGraph(graphText);
      if (isGraphError(graph)) return;
      read += 1;
      const placesOf = findPlaces(graphText);
      for (const filter of graph.chains.flat()) {
        const places = placesOf(filter);
        const fullName = filter.instance === undefined ? filter.name : `${filter.name}@${filter.instance}`;
        expect(readToken(graphText, places?.name.offset ?? 0, '=,;[')).toMatchObject({ text: fullName });
        expect([places?.options.length, places?.inputs.length, places?.outputs.length]).toEqual([
          filter.options.length,
          filter.inputs.length,
          filter.outputs.length,
        ]);
      }
    }),
    { numRuns: sampledRuns(10_000) },
  );
  expect(read).toBeGreaterThan(sampledRuns(200));
});
