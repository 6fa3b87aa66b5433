import type { Catalogue } from '../../catalogue/catalogue.ts';
import { type Graph, type GraphFilter, walkOf } from '../../filtergraph/graph.ts';
import { type PadKind, padKinds } from '../../filtergraph/pad-kinds.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { isKnownSpecifier, STREAM_SPECIFIERS } from '../request/specifiers.ts';

/** The kind of stream that an output pad has. undefined: only ffmpeg knows it. In `filter`, every option must have a name. */
export const producedMedia = (filter: GraphFilter, pad: number, catalogue: Catalogue): PadKind | undefined =>
  padKinds(filter, 'outputs', catalogue)?.[pad];

/** The kind of stream that a label such as `0:a:1` selects. undefined: another label. */
const labelMedia = (label: string): PadKind | undefined => {
  const letter = /^\d{1,4}:([vVa])(?=:|$)/.exec(label)?.[1];
  return letter === undefined ? undefined : letter === 'a' ? 'audio' : 'video';
};

/** The kinds of the labels before a filter, by their specifiers, or by the filters that output them. */
const kindsOf = ({ inputs }: GraphFilter, graph: Graph, catalogue: Catalogue): readonly (PadKind | undefined)[] =>
  inputs.map((label) => {
    const producer = walkOf(graph).producers.get(label);
    return producer === undefined
      ? labelMedia(label)
      : producedMedia(producer, producer.outputs.indexOf(label), catalogue);
  });

const WHOLE_INPUT = /^\d{1,4}$/;

/** The error for a label of the wrong kind (`[0:v]volume=2`), or for a `concat` with another number of labels than its options say. */
export function labelOfOtherKind(graph: Graph, catalogue: Catalogue): ValueError | undefined {
  for (const filter of walkOf(graph).filters) {
    const { name, inputs } = filter;
    const takes = inputs.length === 0 ? undefined : padKinds(filter, 'inputs', catalogue);
    if (takes === undefined) continue;
    const sent = name === 'concat' ? kindsOf(filter, graph, catalogue) : inputs.map(labelMedia);
    const isShort = inputs.length < takes.length && inputs.every((label) => WHOLE_INPUT.test(label));
    if (name === 'concat' && (inputs.length > takes.length || isShort))
      return {
        code: isShort ? 'WRONG_ORDER' : 'TOO_MANY_LABELS',
        message: `The filter "concat" takes ${takes.length} streams with these options, and ${inputs.length} labels come before it. Each label is one stream: the video and the audio of the first part, then of the second.`,
      };
    const pad = inputs.findIndex(
      (_label, at) => sent[at] !== undefined && takes[at] !== undefined && sent[at] !== takes[at],
    );
    if (pad >= 0)
      return {
        code: 'WRONG_KIND',
        message: `Input ${pad} of the filter "${name}" takes ${takes[pad]}, and [${inputs[pad]}] is ${sent[pad]}.${name === 'concat' ? ' The order is video and audio of the first part, then of the second.' : ''}`,
      };
  }
  return undefined;
}

const STREAM = /^\d{1,4}:(.+)$/;

/** The error for a label with an unknown stream specifier: `[0:a:eng]`, `[0:a?]`. `produced`: output labels (any name). */
export function unknownSpecifier(graph: Graph, produced: ReadonlySet<string>): ValueError | undefined {
  const wrong = [...walkOf(graph).taken].find((label) => {
    const specifier = STREAM.exec(label)?.[1];
    return specifier !== undefined && !produced.has(label) && !isKnownSpecifier(specifier);
  });
  if (wrong === undefined) return undefined;
  return {
    code: 'BAD_SPECIFIER',
    message: `The label ${quoted(`[${wrong}]`)} has no valid stream specifier${wrong.endsWith('?') ? ': a label cannot be optional' : ''}.`,
    allowed: STREAM_SPECIFIERS,
  };
}
