import { sendOption } from '../../../domain/edit.ts';
import { changeFilters } from '../../filtergraph/change-filters.ts';
import { type Graph, isGraphError } from '../../filtergraph/graph.ts';
import { walkOf } from '../../filtergraph/graph-walk.ts';
import { printGraph } from '../../filtergraph/print.ts';
import { quoted, type ValueError } from '../../values/value-error.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { meantSpecifier } from '../request/meant-specifiers.ts';
import { isKnownSpecifier, STREAM_SPECIFIERS } from '../request/specifiers.ts';

const STREAM = /^(\d{1,4}:)(.+)$/;

/**
 * The error for a label whose stream specifier ffmpeg does not know: `[0:a:eng]`, or `[0:a?]`, since a label cannot be
 * optional. `produced` are the labels of outputs, which may have any name.
 */
export function unknownSpecifier(
  option: ArgvOption,
  graph: Graph,
  produced: ReadonlySet<string>,
): ValueError | undefined {
  const isWrong = (label: string): boolean => {
    const specifier = STREAM.exec(label)?.[2];
    return specifier !== undefined && !produced.has(label) && !isKnownSpecifier(specifier);
  };
  const wrong = [...walkOf(graph).taken].find(isWrong);
  if (wrong === undefined) return undefined;
  let isClear = true;
  const meant = (label: string): string => {
    if (!isWrong(label)) return label;
    const [, input = '', specifier = ''] = STREAM.exec(label) ?? [];
    const plain = specifier.replace(/:?\?$/, '');
    const right = isKnownSpecifier(plain) ? plain : meantSpecifier(plain);
    if (right === undefined) isClear = false;
    return right === '' ? input.slice(0, -1) : `${input}${right ?? specifier}`;
  };
  const [written = graph, ...others] = option.graphs ?? [];
  const shown = others.length > 0 || isGraphError(written) ? graph : written;
  const mended = changeFilters(shown, (one) => [{ ...one, inputs: one.inputs.map(meant) }]);
  return {
    code: 'BAD_SPECIFIER',
    message: `The label ${quoted(`[${wrong}]`)} has no valid stream specifier${wrong.endsWith('?') ? ': a label cannot be optional' : ''}.`,
    allowed: STREAM_SPECIFIERS,
    ...(isClear && { fix: sendOption(sentName(option), printGraph(mended)) }),
  };
}
