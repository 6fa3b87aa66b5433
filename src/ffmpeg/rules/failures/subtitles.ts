import { type Edits, replacePart, sendIn, sendMembers, sendOption, withMore } from '../../../domain/edit.ts';
import type { Failure } from '../../../domain/failure.ts';
import { encodingOfLanguage, iconvName, languageOfFileName } from '../../../domain/text-encodings.ts';
import { printGraph } from '../../filtergraph/graph.ts';
import { printChanged } from '../facts/graph-fixes.ts';
import { type ArgvGraph, type MediaFacts, optionValue } from '../facts/media-facts.ts';
import { filtersIn } from '../facts/placed-filter.ts';
import { failed, type MediaFailure } from './media-failure.ts';

/** Codecs of subtitles that are pictures. */
const PICTURES = /^(?:hdmv_pgs_subtitle|pgssub|dvd_subtitle|dvdsub|dvb_subtitle|dvbsub|xsub)$/;

export const isPictureSubtitle = (codec: string): boolean => PICTURES.test(codec);

/** Formats that hold only subtitles that are text. */
const TEXT_FORMATS = /^(?:srt|webvtt|ass|ssa|microdvd|sami|lrc|jacosub|ttml|scc|mpl2|subviewer)$/;

/** Encoders of pictures. */
const PICTURE_ENCODERS = /^(?:dvdsub|dvd_subtitle|dvbsub|dvb_subtitle|xsub)$/;

interface PictureSubtitles {
  readonly input: number;
  /** The number of the stream among the subtitles of its input. */
  readonly number: number;
  readonly codec: string;
}

/** The first subtitles of the inputs that are pictures. */
function picturesOf(facts: MediaFacts): PictureSubtitles | undefined {
  for (const input of facts.inputs.keys())
    for (const [number, { codec }] of facts.streamsOf(input, 'subtitle').entries())
      if (PICTURES.test(codec)) return { input, number, codec };
  return undefined;
}

/** The text after a list of filters: `,scale=640:-2`. */
const filtersText = (filters: ArgvGraph['filters']): string =>
  filters.length === 0 ? '' : printGraph({ chains: [filters] });

/** The filters of `vf`, if they are one chain without labels. */
function plainChain({ graphs }: MediaFacts): ArgvGraph['filters'] | undefined {
  const [graph, ...others] = graphs;
  if (graph === undefined) return [];
  const isPlain = graph.filters.every(({ inputs, outputs }) => inputs.length + outputs.length === 0);
  return others.length === 0 && graph.key === 'filter:v' && graph.graph.chains.length === 1 && isPlain
    ? graph.filters
    : undefined;
}

const film = (facts: MediaFacts): number | undefined => {
  const found = [...facts.inputs.keys()].find((input) => facts.streamsOf(input, 'video').length > 0);
  return found;
};

/** Draws subtitles into the picture. undefined if the request has other graphs, or no picture. */
function drawingFix(
  facts: MediaFacts,
  stream: string,
  before: ArgvGraph['filters'],
  after: ArgvGraph['filters'],
): Edits | undefined {
  const input = film(facts);
  const text = `${filtersText(before)}${filtersText(after)}`;
  if (input === undefined || /\b(?:in|out|pass)\//.test(text)) return undefined;
  const base = before.length === 0 ? `[${input}:v]` : `[${input}:v]${filtersText(before)}[base];[base]`;
  const rest = after.length === 0 ? '' : `,${filtersText(after)}`;
  const copies = facts.argv.some((word, at) => /^-c(?::v.*)?$/.test(word) && facts.argv[at + 1] === 'copy');
  const sent = sendMembers({
    filter_complex: `${base}[${stream}]overlay=eof_action=pass${rest}[v]`,
    map: ['[v]', `${input}:a?`],
    ...(copies && { 'c:v': 'libx264' }),
  });
  return ['filter:v', 'c:s']
    .filter((key) => facts.argv.includes(`-${key}`))
    .reduce((fix, key) => withMore(fix, { do: 'remove', name: facts.sentNameOf(key) }), sent);
}

const DRAWN = 'this draws them into the picture';

/** Subtitles that are pictures should become text, or the other way round; or the format cannot hold them. */
export function otherKindOfSubtitles(facts: MediaFacts): Failure | undefined {
  const found = picturesOf(facts);
  const { muxer } = facts.plan.output;
  if (found === undefined) return textToPictures(facts);
  const stream = `${found.input}:s:${found.number}`;
  const encoder = facts.argv[facts.argv.indexOf('-c:s') + 1];
  const isEncoded = facts.argv.includes('-c:s') && encoder !== 'copy';
  const what = isEncoded ? `"${encoder}" is for text` : `the format ${muxer} holds text`;
  const chain = plainChain(facts);
  const drawing = chain === undefined ? undefined : drawingFix(facts, stream, [], chain);
  return failed(
    'UNSUPPORTED',
    `The subtitles ${stream} of ${facts.pathOf(found.input)} are pictures (${found.codec}), and ${what}.`,
    drawing === undefined
      ? `Send "sn": "" to leave them out, or "c:s": "copy" with an output that ends in .mkv.`
      : { ...drawing, why: DRAWN, or: 'send "c:s": "copy" and an output that ends in .mkv to keep them' },
  );
}

/** The encoders of text for formats that hold one. */
const TEXT_ENCODERS: Readonly<Record<string, string>> = {
  mp4: 'mov_text',
  mov: 'mov_text',
  matroska: 'srt',
  webm: 'webvtt',
};

function textToPictures(facts: MediaFacts): Failure | undefined {
  const input = [...facts.inputs.keys()].find((one) => facts.streamsOf(one, 'subtitle').length > 0);
  const encoder = facts.argv[facts.argv.indexOf('-c:s') + 1] ?? '';
  if (input === undefined || !PICTURE_ENCODERS.test(encoder)) return undefined;
  const instead = TEXT_ENCODERS[facts.plan.output.muxer];
  return failed(
    'UNSUPPORTED',
    `The subtitles of ${facts.pathOf(input)} are text (${facts.streamsOf(input, 'subtitle')[0]?.codec}), and "${encoder}" is for pictures.`,
    instead === undefined ? 'Send an output that ends in .mkv, with "c:s": "srt".' : sendOption('c:s', instead),
  );
}

/** The output holds only subtitles of the other kind than the inputs have. */
export function subtitlesOfOtherFormat(facts: MediaFacts): Failure | undefined {
  const { muxer } = facts.plan.output;
  const found = picturesOf(facts);
  if (found !== undefined && TEXT_FORMATS.test(muxer))
    return failed(
      'UNSUPPORTED',
      `The subtitles of ${facts.pathOf(found.input)} are pictures (${found.codec}), and the format ${muxer} holds text. ffmpeg cannot read text in pictures.`,
      `Send an output that ends in .mkv, with "map": "${found.input}:s" and "c:s": "copy".`,
    );
  const text = [...facts.inputs.keys()].find((one) => facts.streamsOf(one, 'subtitle').length > 0);
  if (muxer !== 'sup' || found !== undefined || text === undefined) return undefined;
  return failed(
    'UNSUPPORTED',
    `The format sup holds subtitles that are pictures, and those of ${facts.pathOf(text)} are text.`,
    'Send an output that ends in .srt.',
  );
}

/** Why an output is far too long: subtitles that are pictures may end hours after the film, and "overlay" waits for them. */
export function endlessSubtitles(facts: MediaFacts): Pick<Failure, 'message' | 'fix'> | undefined {
  for (const at of filtersIn(facts)) {
    const { filter } = at;
    const drawsSubtitles = at.name === 'overlay' && /^\d+:s(?:$|:)/.test(filter.inputs[1] ?? '');
    if (!drawsSubtitles || at.option('eof_action', 'shortest') !== undefined) continue;
    return {
      message: 'The filter overlay waits for the end of the subtitles, which have none.',
      fix: at.change({ eof_action: 'pass' }),
    };
  }
  return undefined;
}

/** The filter "subtitles" should draw pictures. */
export function picturesInSubtitlesFilter(facts: MediaFacts): Failure | undefined {
  for (const graph of facts.graphs)
    for (const [at, filter] of graph.filters.entries()) {
      if (filter.name !== 'subtitles') continue;
      const input = facts.plan.inputs.findIndex(({ logical }) => filter.options.some(({ value }) => value === logical));
      if (input < 0) continue;
      const chain = plainChain(facts);
      const stream = `${input}:s:${optionValue(filter, 'si', 'stream_index') ?? 0}`;
      const drawing =
        chain === undefined ? undefined : drawingFix(facts, stream, chain.slice(0, at), chain.slice(at + 1));
      return failed(
        'UNSUPPORTED',
        `The filter subtitles draws text, and the subtitles in ${facts.pathOf(input)} are pictures.`,
        drawing ?? `Draw them with the filter overlay: "[0:v][${stream}]overlay=eof_action=pass".`,
      );
    }
  return undefined;
}

/** Extensions of files with one subtitle stream. */
const SUBTITLE_FILE = /\.(?:srt|ass|ssa|vtt|sub|webvtt|smi)$/i;

export function absentSubtitles(facts: MediaFacts, logical: string): Failure | undefined {
  const input = facts.plan.inputs.findIndex((one) => one.logical === logical);
  const planned = facts.plan.inputs[input];
  if (planned === undefined) return undefined;
  for (const at of filtersIn(facts)) {
    const { filter } = at;
    const index = at.option('si', 'stream_index');
    if (at.name !== 'subtitles' || !filter.options.some(({ value }) => value === logical)) continue;
    // Inputs that only a filter reads are not in ffmpeg's report.
    const isOpened = facts.inputs.length === facts.plan.inputs.length || input < facts.inputs.length;
    const count = SUBTITLE_FILE.test(planned.path)
      ? 1
      : isOpened
        ? facts.streamsOf(input, 'subtitle').length
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
export function unknownEncoding(facts: MediaFacts, name: string): Failure {
  const filter = facts.graphs
    .flatMap(({ filters }) => filters)
    .find((one) => one.name === 'subtitles' && optionValue(one, 'charenc') === name);
  const at = facts.inputs.findIndex((_one, input) => facts.inputArgs(input).includes(name));
  const path = facts.plan.inputs[at]?.path ?? '';
  const meant = iconvName(name) ?? likelyEncoding(facts, path, facts.streamsOf(at, 'subtitle')[0]?.language);
  const option = filter === undefined ? 'sub_charenc' : 'charenc';
  return failed(
    'UNSUPPORTED',
    `"${option}" must be the name of a text encoding, not ${JSON.stringify(name)}.`,
    meant === undefined
      ? `Find out the encoding: ${NAMES}. Then name it, or save the file as UTF-8 and leave "${option}" out.`
      : filter !== undefined || at < 0
        ? `Send "${option}=${meant}" in the filter.`
        : sendIn('request', 'inputs', facts.inputsWith(at, { sub_charenc: meant })),
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
  const language = facts.streamsOf(at, 'subtitle')[0]?.language;
  const encoding = likelyEncoding(facts, facts.plan.inputs[at]?.path ?? '', language);
  const named = `"inputs": ${JSON.stringify(facts.inputsWith(at, { sub_charenc: encoding ?? 'NAME' }))}`;
  return failed(
    'INPUT_INVALID',
    `The subtitles in ${facts.pathOf(at)} are not UTF-8.`,
    encoding === undefined
      ? `${FIND_OUT} with the input: ${named}.`
      : `Name their encoding with the input, such as ${named}, or save the file as UTF-8.`,
  );
}
