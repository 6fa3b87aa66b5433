/**
 * The `strftime` conversions that file names may contain, by letter. They produce only letters, digits and dashes, and
 * they exist in every C library. Other conversions produce slashes (`%D`), colons (`%T`, which players read as a URL
 * scheme), spaces (`%c`, `%e`), line feeds, or no text.
 */
export const STRFTIME_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Y: 'year',
    y: 'year, two digits',
    C: 'century',
    m: 'month',
    d: 'day',
    F: 'year-month-day',
    j: 'day of the year',
    H: 'hour',
    I: 'hour, 12-hour clock',
    M: 'minute',
    S: 'second',
    s: 'seconds since 1970',
    p: 'AM or PM',
    b: 'name of the month',
    h: 'name of the month',
    B: 'full name of the month',
    a: 'name of the day',
    A: 'full name of the day',
    u: 'day of the week, from Monday',
    w: 'day of the week, from Sunday',
    U: 'week, from Sunday',
    W: 'week, from Monday',
    V: 'week of ISO 8601',
    G: 'year of that week',
    g: 'year of that week, two digits',
  }),
);

/** For conversions that are not allowed, an allowed conversion to suggest. */
export const STRFTIME_REPLACEMENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '%D': '%F',
    '%x': '%F',
    '%T': '%H-%M-%S',
    '%X': '%H-%M-%S',
    '%R': '%H-%M',
    '%r': '%I-%M-%S%p',
    '%c': '%F_%H-%M-%S',
    '%e': '%d',
    '%k': '%H',
    '%l': '%I',
    '%h': '%b',
    '%P': '%p',
  }),
);
