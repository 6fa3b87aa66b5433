import { parseDuration } from './duration.ts';
import { badValue, type Fault, quoted } from './fault.ts';

const EXPRESSION = /^expr:./s;
const CHAPTERS = /^chapters(?:[+-].+)?$/;

/** What needs a sandbox: ffmpeg evaluates it for every picture. */
export const isKeyFrameExpression = (value: string): boolean => EXPRESSION.test(value);

/** Where key frames are wanted: times, chapters, the key frames of the source, or an expression. */
export function checkForcedKeyFrames(key: string, value: string): Fault | undefined {
  if (value === 'source' || value === 'source_no_drop' || value === 'scd_metadata' || EXPRESSION.test(value))
    return undefined;
  const wrong = value.split(',').find((time) => !CHAPTERS.test(time) && parseDuration(time) === undefined);
  if (wrong === undefined) return undefined;
  return badValue(`"${key}" takes times, and ${quoted(wrong)} is none.`, value, {
    shapes: ['0,5.5,00:01:00', 'chapters', 'source', 'expr:gte(t,n_forced*2)'],
    fix: /^[a-z]+\(/i.test(value) ? `expr:${value}` : undefined,
  });
}
