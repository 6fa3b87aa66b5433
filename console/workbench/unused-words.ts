/** A number with its unit and what it is measured from: `2 s earlier`, `8 MB`, `1:20`. Not the digits of a name, such as `mp4`. */
const NUMBERS =
  /(?<![\p{L}\d.,:])[-−]?\d+(?:[.,:]\d+)*(?: ?(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?|[kmg]i?b|fps|dB|LUFS|px|%)(?!\p{L}))?(?: (?:and )?\d+ ?(?:s|secs?|seconds?|m|mins?|minutes?)(?!\p{L}))?(?: (?:earlier|later|before|after|from the end))?(?![\p{L}\d])/giu;

const DIGITS = /\d+(?:[.,:]\d+)*/g;

/** By how much a number in words can differ from its argument: hours, minutes, milliseconds, gigabytes. */
const FACTORS = [1, 60, 3600, 1000, 0.001] as const;

/**
 * The numbers of a search that no argument has, in the words around them, such as `2 s earlier`. Without the note, they would seem to be
 * applied. `texts`: of the recipe. A number that they name is what the recipe does anyway.
 */
export function unusedWords(
  words: string,
  values: readonly (string | number)[],
  texts: readonly string[] = [],
): readonly string[] {
  const numbers = values.map(Number).filter(Number.isFinite);
  // Words that name a start and an end give a start and a length: the end is the sum of both arguments.
  const known = new Set([...numbers, ...numbers.flatMap((a) => numbers.map((b) => a + b))].map(rounded));
  const named = new Set(texts.flatMap(digitsOf));
  const isValue = (one: string): boolean => values.some((value) => String(value).includes(one));
  return [...words.matchAll(NUMBERS)]
    .map(([text]) => text)
    .filter((text) => {
      const digits = digitsOf(text);
      if (digits.every((one) => named.has(one) || isValue(one))) return false;
      return !sums(digits.map(numberOf)).some((sum) => known.has(rounded(sum)));
    });
}

/** What numbers can add up to in any of the units: 80 of `1 min 20 s`. */
const sums = (numbers: readonly number[]): readonly number[] =>
  numbers.reduce<readonly number[]>(
    (all, number) => all.flatMap((sum) => FACTORS.map((factor) => sum + number * factor)),
    [0],
  );

const rounded = (value: number): number => Number(value.toFixed(3));

const numberOf = (digits: string): number =>
  digits
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);

const digitsOf = (text: string): readonly string[] => text.match(DIGITS) ?? [];
