import type { OptionValue } from '../../../domain/conversion.ts';
import { sendOption } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';

/** A word that is not a stream: `v` and `a` alone are kinds of streams, and other words of those mean no label. */
const LABEL = /^(?!(?:[vVasdtu]|all|video|audio|sound|subtitles?)$)[A-Za-z_]\w*$/;

/** The error for labels of a filtergraph without their brackets: `out` for `[out]`. Undefined if there is none. */
export function bareLabels(value: OptionValue): Omit<FieldError, 'field'> | undefined {
  const values = typeof value === 'string' ? [value] : value;
  const wrong = values.find((one) => LABEL.test(one));
  if (wrong === undefined) return undefined;
  const maps = values.map((one) => (LABEL.test(one) ? `[${one}]` : one));
  return {
    code: 'BAD_VALUE',
    message: `"map" takes a stream of an input such as "0:v:0", or a label of "filter_complex" in brackets, not ${quoted(wrong)}.`,
    fix: sendOption('map', typeof value === 'string' ? (maps[0] ?? '') : maps),
  };
}
