import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { sampledRuns } from '../../../../test/support/sampled.ts';
import { type Graph, type GraphError, isGraphError, printGraph } from './graph.ts';
import { parseGraph } from './parse.ts';

function parsed(text: string): Graph {
  const graph = parseGraph(text);
  if (isGraphError(graph)) throw new Error(`${graph.error} (${graph.at})`);
  return graph;
}

/** Prints filters as `name(options)` and labels in brackets, so that the expected values are easy to read. */
function outline(text: string): string {
  return parsed(text)
    .chains.map((chain) =>
      chain
        .map((f) => {
          const options = f.options.map(({ key, value }) => (key === undefined ? `<${value}>` : `${key}=<${value}>`));
          const of = (labels: readonly string[]): string => labels.map((l) => `[${l}]`).join('');
          return `${of(f.inputs)}${f.name}${f.instance === undefined ? '' : `@${f.instance}`}(${options.join(' ')})${of(f.outputs)}`;
        })
        .join(' > '),
    )
    .join(' ; ');
}

describe('parses a filtergraph like ffmpeg', () => {
  it.each([
    ['scale=640:-2', 'scale(<640> <-2>)'],
    [' scale = w=640 : h = 480 , fps=25', 'scale(w=<640> h=<480>) > fps(<25>)'],
    ['[0:v][1:v]overlay=10:main_h-20[out]', '[0:v][1:v]overlay(<10> <main_h-20>)[out]'],
    ['[0:v] [1:v] overlay [o] ; [o] null', '[0:v][1:v]overlay()[o] ; [o]null()'],
    ["drawtext=text='a, b':x=1", 'drawtext(text=<a, b> x=<1>)'],
    // The outer quotes are removed before the parser looks for colons.
    ["drawtext=text='a: b':x=1", undefined],
    ["drawtext=text='a\\: b':x=1", 'drawtext(text=<a: b> x=<1>)'],
    ["drawtext=text=a\\\\\\: b'", undefined],
    ['drawtext=text=a\\\\: b', 'drawtext(text=<a: b>)'],
    ["select='eq(pict_type,I)'", 'select(<eq(pict_type,I)>)'],
    ["select='eq(pict_type\\,I)'", 'select(<eq(pict_type,I)>)'],
    ['select=eq(pict_type\\,I)', 'select(<eq(pict_type,I)>)'],
    ['m\\ovie=x', 'movie(<x>)'],
    ["'mo'vie=x", 'movie(<x>)'],
    ['movie@a=x', 'movie@a(<x>)'],
    ['scale=', 'scale()'],
    ['scale=:480', 'scale(<> <480>)'],
    ['scale=:', 'scale(<>)'],
    ['scale=a=b=c', 'scale(a=<b=c>)'],
    ['scale=1\\\\\\=2', 'scale(<1=2>)'],
    ["crop='  a '", 'crop(<a>)'],
    ['aeval=val(0)|val(1):c=same', 'aeval(<val(0)|val(1)> c=<same>)'],
    ['null[a\\]b]', 'null()[a]b]'],
  ])('%s', (text, expected) => {
    if (expected === undefined) expect(() => outline(text)).toThrow();
    else expect(outline(text)).toBe(expected);
  });

  it('accepts scaler flags before the graph', () => {
    expect(parsed('sws_flags=lanczos+accurate_rnd; scale=2:2').scalerFlags).toBe('lanczos+accurate_rnd');
  });
});

test.each<[string, GraphError]>([
  ['', { error: 'A filter name is missing', at: 0 }],
  ['a,', { error: 'A filter name is missing', at: 2 }],
  ['a;;b', { error: 'A filter name is missing', at: 2 }],
  ['a=b]c', { error: 'Unexpected "]"', at: 3 }],
  ['[a', { error: 'A bracket is never closed', at: 0 }],
  ['[]a', { error: 'A label is empty', at: 0 }],
  ["a='b", { error: 'A quote is never closed', at: 2 }],
  ['a=b\\', { error: 'A backslash is followed by nothing', at: 3 }],
  ['a=k=1:2', { error: 'A value without a name follows a named option', at: 6 }],
  ['a==1', { error: 'An option name is missing before "="', at: 2 }],
  ['sws_flags=1', { error: '"sws_flags" must end with a semicolon', at: 0 }],
  ['@a=1', { error: '"@" must be between a filter name and an instance name', at: 0 }],
])('rejects %j with the offset', (text, { error, at }) => {
  const read = parseGraph(text);
  expect(read).toMatchObject({ at });
  expect((read as GraphError).error).toContain(error);
});

it('reads many spaces in linear time', () => {
  const graph = parseGraph(`scale='${' '.repeat(500_000)}x'`);
  expect(isGraphError(graph) ? graph : graph.chains[0]?.[0]?.options).toEqual([{ value: 'x' }]);
});

const word = fc.string({ unit: fc.constantFrom(..."aB0 \\'[],;:=@|()\t\n-é"), maxLength: 8 });
const label = word.filter((w) => w !== '');
const name = fc.string({ unit: fc.constantFrom(..."ab1_ \\'[],;:="), minLength: 1, maxLength: 8 });
const key = fc.string({ unit: fc.constantFrom(...'ab1_-/.'), minLength: 1, maxLength: 5 });
const options = fc
  .tuple(fc.array(fc.record({ value: word })), fc.array(fc.record({ key, value: word })))
  .map(([positional, named]) => [...positional, ...named]);
const filter = fc.record(
  { inputs: fc.array(label), name, instance: label, options, outputs: fc.array(label), at: fc.constant(0) },
  { requiredKeys: ['inputs', 'name', 'options', 'outputs', 'at'] },
);
const chains = fc.array(fc.array(filter, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });

const withoutPlaces = ({ chains: all, ...rest }: Graph) => ({
  ...rest,
  chains: all.map((chain) => chain.map(({ at: _, ...one }) => one)),
});

describe('printing', () => {
  it('reads back as the same graph', () => {
    fc.assert(
      fc.property(chains, (all) => {
        const graph: Graph = { chains: all };
        expect(withoutPlaces(parsed(printGraph(graph)))).toEqual(withoutPlaces(graph));
      }),
      { numRuns: sampledRuns(2000) },
    );
  });

  it('is canonical: a printed graph prints as itself', () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab0 \\'[],;:=@\n"), maxLength: 24 });
    let read = 0;
    fc.assert(
      fc.property(text, (graphText) => {
        const graph = parseGraph(graphText);
        if (isGraphError(graph)) return;
        read += 1;
        const printed = printGraph(graph);
        expect(withoutPlaces(parsed(printed))).toEqual(withoutPlaces(graph));
        expect(printGraph(parsed(printed))).toBe(printed);
      }),
      { numRuns: sampledRuns(10_000) },
    );
    expect(read).toBeGreaterThan(sampledRuns(200));
  });
});
