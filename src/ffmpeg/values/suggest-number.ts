import { MAX_NUMBER_LENGTH, readPlainNumber } from './number.ts';
import { isInRange, meantNumber, plainDecibels, type Range } from './range.ts';

/** Units that clients send and ffmpeg does not accept: `128kbps`, `44.1kHz`, `30fps`, `320px`, `1Mb`. */
const UNIT = /(?:bits?\/s|bits?|bits?ps|bps|b\/s|ps|hz|fps|px|%|lufs|lu|(?<=[kmg])b)$/i;

/** A bit rate in megabits with a small letter, which alone is a thousandth: `2 mbps`. */
const MEGABITS = /(?<=\d)\s*m(?=(?:b|bit\/s|bits?|bps|b\/s|bits?ps)$)/i;

/** A level with a unit as meters show it, or in small letters, which ffmpeg does not accept: `-1 dBTP`, `3db`. */
const LEVEL = /^\s*([+-]?\d+(?:\.\d+)?)\s*db(?:tp|fs|u|v)?\s*$/i;

/** A ratio to one, as compressors show it: `4:1`. */
const RATIO_TO_ONE = /^\s*(\d+(?:\.\d+)?)\s*:\s*1\s*$/;

/** An option in decibels takes the number alone. Another one takes a factor, which ffmpeg computes from `-20dB`. */
function suggestLevel(text: string, level: string, range: Range): string | undefined {
  const meant = plainDecibels(text, range) ?? `${level}dB`;
  const number = readPlainNumber(meant);
  if (number === undefined || meant === text) return undefined;
  return isInRange(number, range) ? meant : meantNumber(meant, number, range);
}

/**
 * Suggests the number that the client probably meant: corrects a decimal comma, spaces and extra units, and
 * takes the bound for a number that is a little out of range. Returns undefined if no correction results in a number,
 * and for a text that is longer than any number.
 */
export function suggestNumber(text: string, range: Range = {}): string | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  const level = LEVEL.exec(text)?.[1];
  if (level !== undefined) return suggestLevel(text, level, range);
  const plain = text.trim().replace(MEGABITS, 'M').replace(UNIT, '').replaceAll(/[\s_]/g, '');
  const thousands = /^\d{1,3}(?:,\d{3})+$/.test(plain) ? [plain.replaceAll(',', '')] : [];
  const ratio = RATIO_TO_ONE.exec(text)?.[1];
  const attempts = [
    ...(ratio === undefined ? [] : [ratio]),
    plain,
    ...thousands,
    plain.replace(',', '.'),
    plain.replaceAll(',', ''),
  ];
  for (const attempt of attempts) {
    const number = attempt === text ? undefined : readPlainNumber(attempt);
    if (number === undefined) continue;
    return isInRange(number, range) ? attempt : meantNumber(attempt, number, range);
  }
  return undefined;
}
