import { readPlainNumber } from './number.ts';

/** Units that clients send and ffmpeg does not accept: `128kbps`, `44.1kHz`, `30fps`, `320px`, `1Mb`. */
const UNIT = /\s*(?:bit\/s|bits?|bps|b\/s|ps|hz|fps|px|%|(?<=[kmg])b)$/i;

/** The number that was probably meant: corrects a decimal comma, spaces and extra units. Undefined if there is none. */
export function suggestNumber(text: string): string | undefined {
  const plain = text.trim().replace(UNIT, '').replaceAll(/[\s_]/g, '');
  const attempts = [plain, plain.replace(',', '.'), plain.replaceAll(',', '')];
  return attempts.find((attempt) => attempt !== text && readPlainNumber(attempt) !== undefined);
}
