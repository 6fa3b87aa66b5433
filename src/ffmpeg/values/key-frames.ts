import { checkExpression } from '../expression/expression.ts';
import { parseDuration } from './duration.ts';
import { badExpression, badValue, quoted, type ValueError } from './value-error.ts';

const EXPRESSION = /^expr:/;
const CHAPTERS = /^chapters(?:[+-].+)?$/;

/** Checks the positions of forced key frames: times, chapters, the key frames of the source, or an expression. */
export function checkForcedKeyFrames(key: string, value: string): ValueError | undefined {
  if (value === 'source' || value === 'source_no_drop' || value === 'scd_metadata') return undefined;
  if (EXPRESSION.test(value)) return checkKeyFrameExpression(key, value);
  const wrong = value.split(',').find((time) => !CHAPTERS.test(time) && parseDuration(time) === undefined);
  if (wrong === undefined) return undefined;
  return badValue(`"${key}" must be a list of times; ${quoted(wrong)} is not a time.`, value, {
    shapes: ['0,5.5,00:01:00', 'chapters', 'source', 'expr:gte(t,n_forced*2)'],
    fix: /^[a-z]+\(/i.test(value) ? `expr:${value}` : undefined,
  });
}

/** Checks an expression that ffmpeg evaluates for every frame. */
function checkKeyFrameExpression(key: string, value: string): ValueError | undefined {
  const error = checkExpression(value.slice('expr:'.length));
  return (
    error && {
      ...badExpression(key, value, error),
      fix: error.fix ?? 'Send "expr:gte(t,n_forced*2)" for a key frame every two seconds.',
    }
  );
}
