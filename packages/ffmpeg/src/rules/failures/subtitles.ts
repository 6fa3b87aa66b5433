import { type Edits, sendMembers, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import { encodingOfLanguage, languageOfFileName } from '@telecine/contract/domain/text-encodings.ts';
import { wordPairs } from '../../allowlist/words.ts';
import { type GraphFilter, printGraph } from '../../filtergraph/graph.ts';
import { namesFiles, printChanged } from '../facts/graph-fixes.ts';
import { isImageSubtitle } from '../facts/image-subtitles.ts';
import type { ArgvGraph, MediaFacts } from '../facts/media-facts.ts';
import { filtersIn } from '../facts/placed-filter.ts';
import { invalidInput, type MediaFailure, unsupportedRequest } from './media-failure.ts';

const TEXT_FORMATS = /^(?:srt|webvtt|ass|ssa|microdvd|sami|lrc|jacosub|ttml|scc|mpl2|subviewer)$/;

const IMAGE_ENCODERS = /^(?:dvdsub|dvd_subtitle|dvbsub|dvb_subtitle|xsub)$/;

/** Finds the first image subtitles of the inputs. `number`: their index among the subtitles of this input. */
function imagesOf(facts: MediaFacts) {
  const [found] = [...facts.inputs.keys()].flatMap((input) =>
    facts
      .streamsOf(input, 'subtitle')
      .flatMap(({ codec }, number) => (isImageSubtitle(codec) ? [{ input, number, codec }] : [])),
  );
  return found;
}

const filtersText = (filters: ArgvGraph['filters']): string => printGraph({ chains: [filters] });

/** Returns the filters of `vf`. undefined: they are not a single chain without labels. */
function plainChain({ graphs }: MediaFacts): ArgvGraph['filters'] | undefined {
  const [graph, ...others] = graphs;
  if (graph === undefined) return [];
  const isPlain = graph.filters.every(({ inputs, outputs }) => inputs.length + outputs.length === 0);
  return others.length === 0 && graph.key === 'filter:v' && graph.graph.chains.length === 1 && isPlain
    ? graph.filters
    : undefined;
}

/** Returns the fix that draws image subtitles with `overlay`, in place of `replaced` or before all filters. undefined: unclear how. */
function drawingFix(facts: MediaFacts, stream: string, replaced?: GraphFilter): Edits | undefined {
  const [input, chain] = [facts.inputWith('video'), plainChain(facts)];
  if (input === undefined || chain === undefined) return undefined;
  const at = replaced === undefined ? -1 : chain.indexOf(replaced);
  const [before, after] = [chain.slice(0, Math.max(0, at)), chain.slice(at + 1)];
  if (namesFiles(`${filtersText(before)}${filtersText(after)}`)) return undefined;
  const base = before.length === 0 ? `[${input}:v]` : `[${input}:v]${filtersText(before)}[base];[base]`;
  const rest = after.length === 0 ? '' : `,${filtersText(after)}`;
  const sent = sendMembers({
    filter_complex: `${base}[${stream}]overlay=eof_action=pass${rest}[v]`,
    map: ['[v]', `${input}:a?`],
    ...(facts.copiesVideo && { 'c:v': 'libx264' }),
  });
  return ['filter:v', 'c:s']
    .filter((key) => facts.has(key))
    .reduce((fix, key) => withMore(fix, { do: 'remove', name: facts.sentNameOf(key) }), sent);
}

const DRAWN = 'this draws them into the video';

/** Explains subtitles of the wrong kind for the format or encoder: ffmpeg cannot convert images to text or the reverse. */
export function otherKindOfSubtitles(facts: MediaFacts): MediaFailure | undefined {
  const found = imagesOf(facts);
  if (found === undefined) return textToImages(facts);
  const stream = `${found.input}:s:${found.number}`;
  const [encoder = 'copy'] = facts.argumentsOf('c:s');
  const what = encoder === 'copy' ? `the format ${facts.plan.output.muxer} holds text` : `"${encoder}" is for text`;
  const drawing = drawingFix(facts, stream);
  return unsupportedRequest(
    `The subtitles ${stream} of ${facts.pathOf(found.input)} are images (${found.codec}), and ${what}.`,
    drawing === undefined
      ? `Send "sn": "" to leave them out, or "c:s": "copy" with an output that ends in .mkv.`
      : { ...drawing, why: DRAWN, or: 'send "c:s": "copy" and an output that ends in .mkv to keep them' },
  );
}

const TEXT_ENCODERS = wordPairs('mp4 mov_text mov mov_text matroska srt webm webvtt');

function textToImages(facts: MediaFacts): MediaFailure | undefined {
  const input = facts.inputWith('subtitle');
  const [encoder = ''] = facts.argumentsOf('c:s');
  if (input === undefined || !IMAGE_ENCODERS.test(encoder)) return undefined;
  const instead = TEXT_ENCODERS.get(facts.plan.output.muxer);
  return unsupportedRequest(
    `The subtitles of ${facts.pathOf(input)} are text (${facts.streamsOf(input, 'subtitle')[0]?.codec}), and "${encoder}" is for images.`,
    instead === undefined ? 'Send an output that ends in .mkv, with "c:s": "srt".' : sendOption('c:s', instead),
  );
}

/** Explains subtitles of a kind that the subtitle format does not hold: `.srt` holds only text, and `.sup` only images. */
export function subtitlesOfOtherFormat(facts: MediaFacts): MediaFailure | undefined {
  const { muxer } = facts.plan.output;
  const found = imagesOf(facts);
  if (found !== undefined && TEXT_FORMATS.test(muxer))
    return unsupportedRequest(
      `The subtitles of ${facts.pathOf(found.input)} are images (${found.codec}), and the format ${muxer} holds text. ffmpeg cannot read text in images.`,
      `Send an output that ends in .mkv, with "map": "${found.input}:s" and "c:s": "copy".`,
    );
  const text = facts.inputWith('subtitle');
  if (muxer !== 'sup' || found !== undefined || text === undefined) return undefined;
  return unsupportedRequest(
    `The format sup holds subtitles that are images, and the subtitles of ${facts.pathOf(text)} are text.`,
    'Send an output that ends in .srt.',
  );
}

/** Returns the usual text encoding for the language of subtitles, by a tag in the request or file, or the file name. undefined: unknown. */
function likelyEncoding(facts: MediaFacts, path: string, language: string | undefined): string | undefined {
  const named = facts.argumentsOf(/^-metadata:s:s(?::|$)/).flatMap((tag) => /^language=(\w+)$/.exec(tag)?.[1] ?? []);
  const all = [...named, ...(language === undefined ? [] : [language]), ...[languageOfFileName(path) ?? []].flat()];
  return all.map(encodingOfLanguage).find((one) => one !== undefined);
}

const NAMES =
  'WINDOWS-1252 for western Europe, 1250 for central Europe, 1251 for Cyrillic, 1253 Greek, 1254 Turkish, 1255 Hebrew, 1256 Arabic, SHIFT_JIS, GB18030, BIG5 or CP949 for East Asia';

/** The beginning of a fix if the encoding is unknown. */
const FIND_OUT = `Save the file as UTF-8, or find out its encoding: ${NAMES}. Then name it`;

/** Explains which subtitles are not UTF-8. Also used after a successful run: ffmpeg then left these subtitles out. */
export function notUtf8(facts: MediaFacts): MediaFailure {
  const filter = filtersIn(facts, 'subtitles')[0]?.filter;
  const logical = filter?.options.find(({ value }) => value.startsWith('in/'))?.value;
  const ofFilter = facts.plan.inputs.find((one) => one.logical === logical);
  const only = facts.inputs.findIndex(({ streams }) => streams.every(({ type }) => type === 'subtitle'));
  const at = only >= 0 ? only : (facts.inputWith('subtitle') ?? 0);
  const path = ofFilter?.path ?? facts.plan.inputs[at]?.path ?? '';
  const language = ofFilter === undefined ? facts.streamsOf(at, 'subtitle')[0]?.language : undefined;
  const encoding = likelyEncoding(facts, path, language);
  const name = encoding ?? 'NAME';
  const withEncoding = (drawing: GraphFilter): string => {
    const options = drawing.options.map((one) => (one.value === logical ? { ...one, value: path } : one));
    return JSON.stringify(printChanged({ ...drawing, options }, { charenc: name }));
  };
  const [place, named] =
    filter !== undefined && ofFilter !== undefined
      ? ['in the filter', withEncoding(filter)]
      : ['with the input', `"inputs": ${JSON.stringify(facts.inputsWith(at, { sub_charenc: name }))}`];
  const failure = invalidInput(
    `The subtitles in ${ofFilter === undefined ? facts.pathOf(at) : `"${path}"`} are not UTF-8.`,
    encoding === undefined
      ? `${FIND_OUT} ${place}: ${named}.`
      : `Name their encoding ${place}, such as ${named}, or save the file as UTF-8.`,
  );
  const input = ofFilter?.logical ?? facts.plan.inputs[at]?.logical;
  return input === undefined ? failure : { ...failure, about: { input, isNotUtf8: true } };
}
