import { readPlainNumber } from './number.ts';

/** Units that people write and ffmpeg does not: `128kbps`, `44.1kHz`, `30fps`, `320px`, `1Mb`. */
const UNIT = /\s*(?:bit\/s|bits?|bps|b\/s|ps|hz|fps|px|%|(?<=[kmg])b)$/i;

/** What was probably meant by a text that is no number: a comma for a point, a unit too many; undefined: no idea. */
export function suggestNumber(text: string): string | undefined {
  const plain = text.trim().replace(UNIT, '').replaceAll(/[\s_]/g, '');
  const attempts = [plain, plain.replace(',', '.'), plain.replaceAll(',', '')];
  return attempts.find((attempt) => attempt !== text && readPlainNumber(attempt) !== undefined);
}
