import type { Failure } from '../../domain/failure.ts';
import { fixText } from '../../domain/hint.ts';
import type { PlannedOutput } from '../../domain/plan.ts';
import { pointerKey } from '../../domain/problem.ts';

/** `Leave "c" out`, but not that of an input. */
const CODEC_OUT = /\b([Ll]eave )"c"( and "map")? out(?! of)/g;

/**
 * Names the codec options in the fix of a failure as the client sent them: `c:v` and `c:a`, where the causes, which do not
 * know the request, say `c`. Leaves `map` out of the fix if the request has none.
 */
export function withSentNames(failure: Failure, { fields = {} }: Pick<PlannedOutput, 'fields'>): Failure {
  const fix = fixText(failure.fix);
  if (fix === undefined) return failure;
  const sent = Object.entries(fields).flatMap(([key, field]) =>
    (key === 'c' || key.startsWith('c:')) && field.includes('/parameters/')
      ? [pointerKey(field.slice(field.lastIndexOf('/') + 1))]
      : [],
  );
  const isMapped = Object.hasOwn(fields, 'map');
  const named = fix.replaceAll(CODEC_OUT, (whole, leave: string, map: string | undefined) => {
    const names = [...new Set([...sent, ...(map !== undefined && isMapped ? ['map'] : [])])];
    const quoted = names.map((name) => `"${name}"`);
    return sent.length === 0
      ? whole
      : `${leave}${[quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' and ')} out`;
  });
  return named === fix ? failure : { ...failure, fix: named };
}
