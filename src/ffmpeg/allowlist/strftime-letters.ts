/**
 * What `strftime` may put into a file's name, by its letter: figures, letters and dashes, in every C library alike. The
 * others make slashes (`%D`), colons (`%T`, which players read as an address), blanks (`%c`, `%e`), line ends, or nothing.
 */
export const STRFTIME_LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Y: 'year',
    y: 'year, two figures',
    C: 'century',
    m: 'month',
    d: 'day',
    F: 'year-month-day',
    j: 'day of the year',
    H: 'hour',
    I: 'hour of twelve',
    M: 'minute',
    S: 'second',
    s: 'seconds since 1970',
    p: 'AM or PM',
    b: 'name of the month',
    h: 'name of the month',
    B: 'name of the month, whole',
    a: 'name of the day',
    A: 'name of the day, whole',
    u: 'day of the week, from Monday',
    w: 'day of the week, from Sunday',
    U: 'week, from Sunday',
    W: 'week, from Monday',
    V: 'week of ISO 8601',
    G: 'year of that week',
    g: 'year of that week, two figures',
  }),
);

/** What says the same by letters that may stand in a name. */
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
