import { MAX_NUMBER_LENGTH, readPlainNumber } from './number.ts';
import { isInRange, meantNumber, type Range } from './range.ts';

/** Units that clients send and ffmpeg does not accept: `128kbps`, `44.1kHz`, `30fps`, `320px`, `1Mb`. */
const UNIT = /(?:bits?\/s|bits?|bits?ps|bps|b\/s|ps|hz|fps|px|%|lufs|lu|(?<=[kmg])b)$/i;

/** A bit rate in megabits with a small letter, which alone is a thousandth: `2 mbps`. */
const MEGABITS = /(?<=\d)\s*m(?=(?:b|bit\/s|bits?|bps|b\/s|bits?ps)$)/i;

/**
 * Suggests the number that the client probably meant: corrects a decimal comma, spaces and extra units, and
 * takes the bound for a number that is a little out of range. Returns undefined if no correction results in a number,
 * and for a text that is longer than any number.
 */
export function suggestNumber(text: string, range: Range = {}): string | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  const plain = text.trim().replace(MEGABITS, 'M').replace(UNIT, '').replaceAll(/[\s_]/g, '');
  const thousands = /^\d{1,3}(?:,\d{3})+$/.test(plain) ? [plain.replaceAll(',', '')] : [];
  const attempts = [plain, ...thousands, plain.replace(',', '.'), plain.replaceAll(',', '')];
  for (const attempt of attempts) {
    const number = attempt === text ? undefined : readPlainNumber(attempt);
    if (number === undefined) continue;
    return isInRange(number, range) ? attempt : meantNumber(attempt, number, range);
  }
  return undefined;
}
