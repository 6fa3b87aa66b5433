import { fixText, type Hint } from '@telecine/contract/domain/hint.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GraphFilter, isGraphError, printGraph } from '../../filtergraph/graph.ts';
import { parseGraph } from '../../filtergraph/parse.ts';
import { printChanged, replacingFix, withFilter } from './graph-fixes.ts';
import { type ArgvGraph, MediaFacts } from './media-facts.ts';

const text = fc.string({
  unit: fc.constantFrom('a', '7', '"', "'", '\\', ':', ',', ';', '[', ']', '=', ' ', '\n', 'ß'),
});

const FACTS = new MediaFacts(
  {
    inputs: [],
    span: { inputs: [], output: {}, shortest: false },
    output: {} as never,
    fields: { 'filter:v': '/parameters/vf' },
    passes: [],
  },
  [],
  [],
);

/** The value of `vf` that a fix says to send, as a JSON parser reads it. */
function sentGraph(fix: Hint | undefined) {
  const members = JSON.parse(`{${/^Send (.*)\.$/s.exec(fixText(fix) ?? '')?.[1]}}`) as { readonly vf: string };
  const graph = parseGraph(members.vf);
  if (isGraphError(graph)) throw new Error(graph.error);
  return graph.chains.flat();
}

test('a fix is JSON, and ffmpeg reads the values that the client sent', () => {
  fc.assert(
    fc.property(text, text, (value, label) => {
      const filter: GraphFilter = {
        inputs: [`l${label}`.trim()],
        name: 'fade',
        options: [{ key: 'color', value }],
        outputs: [],
        at: 0,
      };
      const graph: ArgvGraph = { key: 'filter:v', graph: { chains: [[filter]] }, filters: [filter] };
      const [changed] = sentGraph(withFilter(FACTS, graph, filter, printChanged(filter, { st: 0 }, ['start_time'])));
      expect(changed?.options).toEqual([
        { key: 'color', value },
        { key: 'st', value: '0' },
      ]);
      const [replaced] = sentGraph(replacingFix(FACTS, graph, '', filter.inputs[0] ?? '', 'other'));
      expect(replaced).toMatchObject({ inputs: ['other'], options: filter.options });
      expect(printGraph({ chains: [[filter]] })).not.toBe('');
    }),
  );
});
