/** The most names in one message. */
const MOST_NAMES = 5;

/** `a.mov, b.mov and 3 more`. */
export const namesText = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMES - 1).join(', ')} and ${names.length - MOST_NAMES + 1} more`;
