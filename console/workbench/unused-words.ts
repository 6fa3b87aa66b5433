/** A number with its unit and what it is measured from: `2 s earlier`, `8 MB`, `1:20`. Not the digits of a name, such as `mp4`. */
const NUMBERS =
  /(?<![\p{L}\d.,:])[-−]?\d+(?:[.,:]\d+)*(?: ?(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?|[kmg]i?b|fps|dB|LUFS|px|%)(?!\p{L}))?(?: (?:and )?\d+ ?(?:s|secs?|seconds?|m|mins?|minutes?)(?!\p{L}))?(?: (?:earlier|later|before|after|from the end))?(?![\p{L}\d])/giu;

const DIGITS = /\d+(?:[.,:]\d+)*/g;

/**
 * The numbers of a search that its recipe does not name, in the words around them, such as `2 s earlier`. Without the note, they would seem to
 * be applied. `texts`: of the recipe.
 */
export function unusedWords(words: string, texts: readonly string[]): readonly string[] {
  const named = new Set(texts.flatMap(digitsOf));
  return [...words.matchAll(NUMBERS)]
    .map(([text]) => text)
    .filter((text) => !digitsOf(text).every((one) => named.has(one)));
}

const digitsOf = (text: string): readonly string[] => text.match(DIGITS) ?? [];
