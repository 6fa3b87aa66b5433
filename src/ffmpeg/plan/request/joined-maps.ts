import type { OptionValue } from '../../../domain/conversion.ts';
import { sendOption } from '../../../domain/edit.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';

/** A map of a stream or of a label, in the forms that people join: `0:v`, `v:0`, `0:s?`, `[out]`. */
const MAP = /^(?:-?(?:\d+(?::[\w:#]+)?|[vVasdt](?::\d+)?)\??|\[[^\]]+\])$/;

const split = (text: string): readonly string[] => text.split(/[\s,;|+]+(?:-map\s+)?/).filter((part) => part !== '');

/** `0:a:0,2`: streams of one kind, which are not joined maps. */
const NUMBERS = /^-?\d+:[vVasdt]:\d+(?:,\d+)+$/;

const isJoined = (text: string): boolean => {
  if (NUMBERS.test(text)) return false;
  const parts = split(text);
  return parts.length > 1 && parts.every((part) => MAP.test(part));
};

/** The error for several maps in one text: `0:v,0:a`, `0:v -map 0:a`. Undefined if there is no such text. */
export function joinedMaps(value: OptionValue): Omit<FieldError, 'field'> | undefined {
  const values = typeof value === 'string' ? [value] : value;
  const wrong = values.find(isJoined);
  if (wrong === undefined) return undefined;
  return {
    code: 'BAD_SPECIFIER',
    message: `A "map" selects one stream or one kind of streams, and ${quoted(wrong)} names ${split(wrong).length}.`,
    fix: sendOption(
      'map',
      values.flatMap((one) => (isJoined(one) ? split(one) : [one])),
    ),
  };
}
