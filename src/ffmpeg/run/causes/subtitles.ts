import { replacePart, sendIn } from '../../../domain/edit.ts';
import type { Failure } from '../../../domain/failure.ts';
import { encodingOfLanguage, iconvName, languageOfFileName } from '../../../domain/text-encodings.ts';
import { printChanged } from '../graph-fixes.ts';
import { inputArgs, type MediaFacts, optionValue, pathOf, streamsOf } from '../media-facts.ts';
import { failed, inputsWith, type MediaFailure } from './media-failure.ts';

/** Extensions of files with one subtitle stream. */
const SUBTITLE_FILE = /\.(?:srt|ass|ssa|vtt|sub|webvtt|smi)$/i;

export function absentSubtitles(logical: string, facts: MediaFacts): Failure | undefined {
  const input = facts.plan.inputs.findIndex((one) => one.logical === logical);
  const planned = facts.plan.inputs[input];
  if (planned === undefined) return undefined;
  for (const graph of facts.graphs)
    for (const filter of graph.filters) {
      const index = optionValue(filter, 'si', 'stream_index');
      if (filter.name !== 'subtitles' || !filter.options.some(({ value }) => value === logical)) continue;
      // Inputs that only a filter reads are not in ffmpeg's report.
      const isOpened = facts.inputs.length === facts.plan.inputs.length || input < facts.inputs.length;
      const count = SUBTITLE_FILE.test(planned.path)
        ? 1
        : isOpened
          ? streamsOf(facts, input, 'subtitle').length
          : undefined;
      if (count === 0 || (count === undefined && index === undefined)) return undefined;
      const has =
        count === undefined
          ? 'has too few subtitle streams'
          : `has ${count} subtitle ${count === 1 ? 'stream' : 'streams'}`;
      return failed(
        'INPUT_INVALID',
        `"${planned.path}" ${has} for "si=${index}": "si" counts subtitle streams only, from 0.`,
        replacePart(`si=${index}`, `si=${count === undefined ? 0 : count - 1}`),
      );
    }
  return undefined;
}

/** The encoding for the language that the request, the file or its name says. undefined if none of them does. */
function likelyEncoding(facts: MediaFacts, path: string, language: string | undefined): string | undefined {
  const named = facts.argv.flatMap((word, at) =>
    /^-metadata:s:s(?::|$)/.test(word) ? (/^language=(\w+)$/.exec(facts.argv[at + 1] ?? '')?.[1] ?? []) : [],
  );
  const all = [...named, ...(language === undefined ? [] : [language]), ...[languageOfFileName(path) ?? []].flat()];
  return all.map(encodingOfLanguage).find((one) => one !== undefined);
}

const NAMES =
  'WINDOWS-1252 for western Europe, 1250 for central Europe, 1251 for Cyrillic, 1253 Greek, 1254 Turkish, 1255 Hebrew, 1256 Arabic, SHIFT_JIS, GB18030, BIG5 or CP949 for East Asia';

/** How to name an encoding that nothing tells. */
const FIND_OUT = `Save the file as UTF-8, or find out its encoding: ${NAMES}. Then name it`;

/** A name in `sub_charenc`, or in `charenc` of a filter, that iconv does not know. */
export function unknownEncoding(name: string, facts: MediaFacts): Failure {
  const filter = facts.graphs
    .flatMap(({ filters }) => filters)
    .find((one) => one.name === 'subtitles' && optionValue(one, 'charenc') === name);
  const at = facts.inputs.findIndex((_one, input) => inputArgs(facts, input).includes(name));
  const path = facts.plan.inputs[at]?.path ?? '';
  const meant = iconvName(name) ?? likelyEncoding(facts, path, streamsOf(facts, at, 'subtitle')[0]?.language);
  const option = filter === undefined ? 'sub_charenc' : 'charenc';
  return failed(
    'UNSUPPORTED',
    `"${option}" must be the name of a text encoding, not ${JSON.stringify(name)}.`,
    meant === undefined
      ? `Find out the encoding: ${NAMES}. Then name it, or save the file as UTF-8 and leave "${option}" out.`
      : filter !== undefined || at < 0
        ? `Send "${option}=${meant}" in the filter.`
        : sendIn('request', 'inputs', inputsWith(facts, at, { sub_charenc: meant })),
  );
}

/** Says which subtitles are not UTF-8. Also for a run that succeeds, without those subtitles. */
export function notUtf8(facts: MediaFacts): MediaFailure {
  const filter = facts.graphs.flatMap(({ filters }) => filters).find(({ name }) => name === 'subtitles');
  const logical = filter?.options.find(({ value }) => value.startsWith('in/'))?.value;
  const ofFilter = facts.plan.inputs.find((one) => one.logical === logical);
  if (filter !== undefined && ofFilter !== undefined) {
    const options = filter.options.map((one) => (one.value === logical ? { ...one, value: ofFilter.path } : one));
    const encoding = likelyEncoding(facts, ofFilter.path, undefined);
    const withEncoding = printChanged({ ...filter, options }, { charenc: encoding ?? 'NAME' });
    return failed(
      'INPUT_INVALID',
      `The subtitles in "${ofFilter.path}" are not UTF-8.`,
      encoding === undefined
        ? `${FIND_OUT} in the filter: ${JSON.stringify(withEncoding)}.`
        : `Name their encoding in the filter, such as ${JSON.stringify(withEncoding)}, or save the file as UTF-8.`,
    );
  }
  const input = facts.inputs.findIndex(({ streams }) => streams.some(({ type }) => type === 'subtitle'));
  const only = facts.inputs.findIndex(({ streams }) => streams.every(({ type }) => type === 'subtitle'));
  const at = only >= 0 ? only : Math.max(0, input);
  const language = streamsOf(facts, at, 'subtitle')[0]?.language;
  const encoding = likelyEncoding(facts, facts.plan.inputs[at]?.path ?? '', language);
  const named = `"inputs": ${JSON.stringify(inputsWith(facts, at, { sub_charenc: encoding ?? 'NAME' }))}`;
  return failed(
    'INPUT_INVALID',
    `The subtitles in ${pathOf(facts, at)} are not UTF-8.`,
    encoding === undefined
      ? `${FIND_OUT} with the input: ${named}.`
      : `Name their encoding with the input, such as ${named}, or save the file as UTF-8.`,
  );
}
