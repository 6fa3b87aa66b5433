/** What other tools and languages write for a counter in a file name: `{n}`, `$Number$`, `{:03d}`, `$n`, `###`, `%i`, `*`. */
const PLACEHOLDER =
  /\{(?:n|i|num|number|index|idx|count|counter|frame|seq|title|chapter|part|segment|\d)?(?::0?(\d)d?)?\}|\$Number(?:%0(\d)d)?\$|\$\{?(?:n|i|num|number|index|count|frame)\b\}?|(#{2,9})|%0?(\d)?[iunN](?![a-z])|<(?:n|i|num|number|index|count|frame)>|\*/;

/** A file name with the counter that ffmpeg reads in place of another one. */
export interface CounterName {
  /** What stands in the name: `{n}`. */
  readonly placeholder: string;
  /** The path with a counter: `thumb_%03d.jpg`. */
  readonly meant: string;
}

/** The counter that the last part of a path means. undefined if it has none, or already one of ffmpeg. */
export function meantCounter(path: string): CounterName | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [placeholder, width, dash, marks, digits] = PLACEHOLDER.exec(name) ?? [];
  if (placeholder === undefined || /%\d{0,3}d/.test(name)) return undefined;
  const zeros = Number(width ?? dash ?? digits ?? marks?.length ?? 3);
  const folder = path.slice(0, path.length - name.length);
  // A percent sign of the name that is no counter would be one for ffmpeg.
  const escaped = name.split(placeholder).map((part) => part.replaceAll('%', '%%'));
  const [before = '', ...after] = escaped;
  return { placeholder, meant: `${folder}${before}%0${zeros}d${after.join(placeholder)}` };
}

/** A path with a counter at the end of its name: `frames/out_%03d.png`. */
export const withCounter = (path: string): string => path.replace(/(\.[^./]*)?$/, '_%03d$1');
