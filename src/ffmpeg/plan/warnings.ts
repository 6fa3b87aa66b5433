import type { ReadOption } from './read-options.ts';

/** What is legal but probably not meant. */
export function warningsOf(output: readonly ReadOption[], onePassOnly: boolean): readonly string[] {
  const warnings: string[] = [];
  const has = (key: string): boolean => output.some((option) => option.key === key);
  if (has('t') && has('to')) warnings.push('"t" and "to" both say where the output ends; ffmpeg goes by "t".');
  for (const { key, name } of output)
    if (LATER.test(name.specifier ?? '') && !/metadata$/.test(name.name))
      warnings.push(
        `"${key}" finds no stream: ffmpeg looks for tags and ids among the streams of the output, which get theirs later. Name streams by number, such as "${name.name}:a:1".`,
      );
  if (onePassOnly)
    warnings.push('ffmpeg knows no second pass of this encoder, so one pass is run; it keeps to "b:v" in one.');
  return warnings;
}

/** Stream specifiers that go by a tag or an id. */
const LATER = /(?:^|:)(?:m:|i:|#)/;
