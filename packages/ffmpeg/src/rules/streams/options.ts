import { addOption, type Edit, hasEdits, leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import type { OutputStream } from '@telecine/contract/domain/job.ts';
import { pointerKey } from '@telecine/contract/domain/problem.ts';
import { holdsNoAudio, holdsNoVideo, holdsOnlyCover } from '../../allowlist/containers.ts';
import { encoderNamed, kindOfLetter } from '../../catalogue/catalogue.ts';
import { areAllCopied } from '../../plan/encoders/stream-encoders.ts';
import { type ArgvOption, oneOrList, sentName } from '../../plan/request/argv-option.ts';
import { type ForeseenContext, noEffect, type Rules, type RunWarning } from '../contexts.ts';
import { isCopied, ofKind } from '../facts/converted-streams.ts';
import type { FinishedPass } from '../facts/finished-pass.ts';
import { type Kind, letterOf, type MediaFacts } from '../facts/media-facts.ts';

type PlayedKind = 'video' | 'audio';

/** Options that only encoders use, with the kind of stream that each is for. */
const OF_ENCODERS: Readonly<Record<string, PlayedKind>> = {
  ...{ r: 'video', s: 'video', pix_fmt: 'video' },
  ...{ ar: 'audio', ac: 'audio', sample_fmt: 'audio', ch_layout: 'audio' },
};
/** Options without a specifier that apply to one kind of stream. With a specifier (`b:a`), its first letter names the kind. */
const KIND_OF_OPTION: Readonly<Record<string, PlayedKind>> = { ...OF_ENCODERS, aspect: 'video', fps_mode: 'video' };
const FOR_ONE_KIND: ReadonlySet<string> = new Set([...Object.keys(KIND_OF_OPTION), 'c', 'filter', 'b', 'q', 'frames']);

const COVER_CODECS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'gif', 'bmp', 'tiff', 'webp', 'jpegxl']);

/** True for an option for subtitles. Formats without video or audio may still hold them. */
const isOfSubtitles = ({ name, specifier = '' }: ArgvOption['name']): boolean =>
  (name === 'c' || name === 'bsf') && /^s(?=:|$)/.test(specifier);

/** Returns the kind of streams that an option is for. undefined: subtitles or data, or any kind. */
export function playedKind({ name: { name, specifier } }: ArgvOption): PlayedKind | undefined {
  if (specifier === undefined) return KIND_OF_OPTION[name];
  const kind = kindOfLetter(/^[vVa](?=:|$)/.exec(specifier)?.[0] ?? '') as PlayedKind | undefined;
  return FOR_ONE_KIND.has(name) ? kind : undefined;
}

/** Matches specifiers by a tag or an id: `m:language:ger`, `#0x101`. */
const BY_TAG_OR_ID = /(?:^|:)(?:m:|i:|#)/;

/** Finds options for a kind of stream that no input has, such as `c:v` and `vf` for a song. */
function optionsWithoutStream(facts: MediaFacts, streams: readonly OutputStream[]): readonly RunWarning[] {
  if (facts.used.length === 0 || facts.has('filter_complex')) return [];
  return (['video', 'audio'] as const).flatMap((kind): RunWarning | [] => {
    const letter = letterOf(kind);
    if (ofKind(streams, kind).length > 0 || facts.has(`${letter}n`) || facts.inputWith(kind) !== undefined) return [];
    const sent = [`filter:${letter}`, `c:${letter}`].filter((key) => {
      const at = facts.argv.indexOf(`-${key}`);
      return at >= 0 && facts.argv[at + 1] !== 'copy' && facts.fieldOf(key) !== undefined;
    });
    const [first] = sent;
    if (first === undefined) return [];
    const names = sent.map((key) => facts.sentNameOf(key));
    const paths = facts.inputs.map((_one, input) => facts.pathOf(input)).join(', ');
    return noEffect(
      `${names.map((name) => `"${name}"`).join(' and ')} ${sent.length === 1 ? 'has' : 'have'} no effect: ${paths} ${facts.inputs.length === 1 ? 'has' : 'have'} no ${kind}, so the output has none.`,
      {
        edits: names.map((name) => ({ do: 'remove', name })),
        or:
          kind === 'video'
            ? 'send an image as another input, with "loop": "1" in its "parameters" and "shortest": ""'
            : 'send a file with audio as another input',
      },
      {
        key: first,
        ...(kind === 'video' && {
          withoutVideo: { files: paths, options: sent.flatMap((key) => facts.fieldOf(key) ?? []) },
        }),
      },
    );
  });
}

/** Returns the fields of an option that ffmpeg logs without specifier (`b` for `b:v`): fields for absent or copied streams, or else all. */
function sentAs(name: string, pass: FinishedPass): readonly string[] {
  const encoded = pass.outputStreams.filter(({ index }) => !isCopied(pass, index)).map(({ type }) => type);
  const all = Object.entries(pass.plan.fields ?? {}).filter(
    ([key, field]) => (key === name || key.startsWith(`${name}:`)) && field !== '/parameters',
  );
  const idle = all.filter(([key]) => {
    const kind = kindOfLetter(key.charAt(name.length + 1));
    return kind === undefined || !encoded.includes(kind);
  });
  return (idle.length > 0 ? idle : all).map(([, field]) => field);
}

/** Matches options for single streams of the output: `b:v:1`. ffmpeg silently ignores such an option if the stream does not exist. */
const OPTION =
  /^-(metadata:s|map_metadata:s|disposition)(?::([vas])(?::(\d+))?|:(\d+))?$|^-(c|b|q|filter|ac|ar|r|s|pix_fmt):([va]):(\d+)$/;

const MP4 = /^(?:mp4|mov|ipod|3g[p2]|f4v)$/;

type Target = Readonly<{ option: string; kind: Kind | undefined; number: string | undefined }>;

/** Finds options for streams that the output lacks: `metadata:s:s:0` without subtitles, `c:a:1` with one audio stream. */
function unmatchedSpecifiers(
  facts: MediaFacts,
  { outputStreams }: Pick<FinishedPass, 'outputStreams'>,
  known: readonly Kind[] = ['video', 'audio', 'subtitle'],
): readonly RunWarning[] {
  if (outputStreams.length === 0) return [];
  return [...new Set(facts.argv)].flatMap((word): RunWarning | [] => {
    const [, tag, ofTag, numberOfTag, index, setting, ofSetting, numberOfSetting] = OPTION.exec(word) ?? [];
    const option = tag ?? setting;
    const key = word.slice(1);
    if (option === undefined || facts.fieldOf(key) === undefined) return [];
    const kind = kindOfLetter(ofTag ?? ofSetting ?? '');
    if (kind === undefined ? known.length < 3 : !known.includes(kind)) return [];
    const streams = outputStreams.filter(({ type }) => kind === undefined || type === kind);
    const count = streams.length;
    const number = numberOfTag ?? numberOfSetting ?? index;
    if (number === undefined ? count > 0 : Number(number) < count) return [];
    const what = kind === undefined ? 'stream' : `${kind} stream`;
    const name = facts.sentNameOf(key);
    const target: Target = { option, kind, number };
    return noEffect(
      `"${name}" has no effect: the output has ${count === 0 ? `no ${what}` : `${count} ${what}${count === 1 ? '' : 's'}, counted from 0`}.`,
      droppedStream(facts, target) ?? lastStream(facts, count, target) ?? leaveOut(name),
      { key },
    );
  });
}

/** Returns the fix for an option about a stream that ffmpeg did not select from the only input: map all streams. */
function droppedStream(facts: MediaFacts, { option, kind, number = '0' }: Target) {
  const streams = kind === undefined ? [] : facts.streamsOf(0, kind);
  if (facts.inputs.length !== 1 || kind === undefined || streams.length <= Number(number)) return undefined;
  // For MP4, ffmpeg selects subtitles only if the request names their codec.
  if (kind === 'subtitle' && MP4.test(facts.plan.output.muxer) && Number(number) === 0 && !facts.has('map'))
    return addOption('c:s', 'mov_text');
  // Players use the first default stream, so the fix makes no other stream of this kind the default.
  const dispositionOf = (stream: number | string): string => `disposition:${letterOf(kind)}:${stream}`;
  const asksForDefault = facts.argumentOf(dispositionOf(number))?.includes('default') === true;
  const others = streams.flatMap(({ disposition }, stream) => {
    const name = dispositionOf(stream);
    const isDefault = stream !== Number(number) && disposition?.includes('default') === true;
    const isLeft = option === 'disposition' && asksForDefault && isDefault && facts.argumentOf(name) === undefined;
    return isLeft ? [{ do: 'add', name, value: '0' } as const] : [];
  });
  return {
    edits: [EVERY_STREAM, ...others],
    why: `this keeps all streams of ${facts.pathOf(0)}${others.length === 0 ? '' : ', with one default'}`,
  };
}

const EVERY_STREAM: Edit = { do: 'add', name: 'map', value: '0' };

/** True if the fix maps all streams of the input, so that the output gets the stream that the option is for. */
const mapsEveryStream = ({ fix }: RunWarning): boolean => hasEdits(fix) && fix.edits.includes(EVERY_STREAM);

/** Returns the fix for a client who counts streams from 1: `b:v:1` with one video means `b:v:0`. undefined: other numbers. */
function lastStream(facts: MediaFacts, count: number, { option, kind, number }: Target) {
  const wanted = Number(number);
  if (kind === undefined || count === 0 || wanted !== count) return undefined;
  const [sent, meant] = [wanted, wanted - 1].map((one) => `${option}:${letterOf(kind)}:${one}`);
  if (sent === undefined || meant === undefined || facts.has(meant)) return undefined;
  return orElse(sendOption(meant, oneOrList(facts.argumentsOf(sent))), leaveOut(facts.sentNameOf(sent)));
}

/** Before the run, finds options for missing video and audio only: which subtitles ffmpeg will select is unknown. */
const specifiersWithoutStream = ({ facts, pass, isDirect }: ForeseenContext): readonly RunWarning[] =>
  isDirect ? unmatchedSpecifiers(facts, pass, ['video', 'audio']) : [];

export const OPTION_RULES: Rules = {
  'options-without-output-stream': {
    finds: 'an option for video or audio that the output cannot have',
    about: FOR_ONE_KIND,
    option({ options, muxer, catalogue }) {
      const keys = new Set(options.map(({ key }) => key));
      const reason = (kind: PlayedKind, { name, values }: ArgvOption): string | undefined => {
        const removing = `${letterOf(kind)}n`;
        if (keys.has(removing)) return `"${removing}" removes the ${kind}.`;
        if (kind === 'audio' ? holdsNoAudio(muxer) : holdsNoVideo(muxer))
          return `the format ${muxer} holds no ${kind}.`;
        const codec = name.name === 'c' ? encoderNamed(catalogue, values[0] ?? '')?.codec : undefined;
        const isKept = kind === 'audio' || codec === undefined || COVER_CODECS.has(codec) || !holdsOnlyCover(muxer);
        return isKept ? undefined : `the format ${muxer} holds no video, only a cover image.`;
      };
      return (option) => {
        const key = sentName(option);
        const kind = playedKind(option);
        const because = kind && reason(kind, option);
        if (kind === undefined || because === undefined) return [];
        const removing = `${letterOf(kind)}n`;
        return noEffect(
          `"${key}" has no effect: ${because}`,
          keys.has(removing)
            ? orElse(leaveOut(removing), leaveOut(key))
            : orElse(leaveOut(key), `send an output of a format that holds ${kind}`),
        );
      };
    },
  },

  /** `an` for an audio format fails the job with all its outputs. With a filtergraph or subtitles, the output may still have a stream. */
  'nothing-left': {
    finds: '`vn` or `an` for a format that holds nothing else',
    about: ['vn', 'an'],
    plan({ options, muxer }) {
      const isKept = options.some(({ name }) => name.name === 'filter_complex' || isOfSubtitles(name));
      const removing = options.find(
        ({ key }) => (key === 'vn' && holdsNoAudio(muxer)) || (key === 'an' && holdsNoVideo(muxer)),
      );
      if (isKept || removing === undefined) return [];
      const { key, field } = removing;
      return {
        field,
        code: 'NOTHING_LEFT',
        message: `"${key}" removes the ${key === 'vn' ? 'video' : 'audio'}, and the format ${muxer} holds nothing else. The job will fail.`,
        fix: orElse(leaveOut(key), 'leave this output out'),
      };
    },
  },

  'stream-copy-conflicts': {
    finds: 'an option of encoders (`r`, `s`, `ar`) for a stream that is copied',
    about: Object.keys(OF_ENCODERS),
    option: (context) => (option) => {
      const { key, name } = option;
      const kind = OF_ENCODERS[name.name];
      if (kind === undefined || !areAllCopied(context.encoders, name.specifier ?? letterOf(kind))) return [];
      return noEffect(
        `"${key}" has no effect on the ${kind}: it is copied, not encoded.`,
        orElse(leaveOut(key), `send an encoder ("c:${letterOf(kind)}")`),
      );
    },
  },

  'unresolvable-specifiers': {
    finds: 'a stream specifier by tag or by id, which matches no stream of an output',
    plan: ({ options }) =>
      options
        .filter(({ name }) => BY_TAG_OR_ID.test(name.specifier ?? '') && !/metadata$/.test(name.name))
        .map(({ key, name, field }) => ({
          field,
          code: 'NO_SUCH_STREAM',
          message: `"${key}" matches no stream: the streams of the output have no tags and ids yet when ffmpeg applies it.`,
          fix: `Name streams by number, such as "${name.name}:a:1".`,
        })),
  },

  'unused-options': {
    finds: 'an option that no stream used',
    run: ({ pass }) =>
      pass.complaints.unusedOptions.flatMap(({ name, input }) => {
        const { plan } = pass;
        const planned = input === undefined ? undefined : plan.inputs[input];
        const sent = planned === undefined ? sentAs(name, pass) : [];
        const names =
          sent.length === 0 ? [name] : sent.map((field) => pointerKey(field.slice(field.lastIndexOf('/') + 1)));
        const isWarned = plan.warnings.some(({ field = '', options = [] }) =>
          [field, ...options].some((one) => new RegExp(`/${name}(?::|$)`).test(one) || sent.includes(one)),
        );
        if (isWarned) return [];
        const place = planned === undefined ? 'the output' : `the input "${planned.path}"`;
        const shown = names.map((one) => `"${one}"`).join(' and ');
        const field = planned?.field ?? (sent.length === 1 ? sent[0] : undefined);
        return noEffect(
          `${shown} had no effect on ${place}: no stream of it uses this option.`,
          { edits: names.map((one) => ({ do: 'remove', name: one })) },
          { ...(field !== undefined && { field }), ...(sent.length > 1 && { options: sent }) },
        );
      }),
  },

  'options-without-input-stream': {
    finds: 'an option for video or audio that no input has',
    run: ({ facts, pass }) => optionsWithoutStream(facts, pass.outputStreams),
    streams: ({ facts, isDirect }) =>
      isDirect
        ? optionsWithoutStream(
            facts,
            facts.used.flatMap(({ input, stream }) => facts.inputStream(input, stream) ?? []),
          )
        : [],
  },

  'unmapped-specifiers': {
    finds: 'an option for a stream of the input that no `map` selects',
    // The fix maps all streams of the input, including those that the rule `unused-streams` reports.
    supersedes: ['unused-streams'],
    run: ({ facts, pass }) => unmatchedSpecifiers(facts, pass).filter(mapsEveryStream),
    streams: (context) => specifiersWithoutStream(context).filter(mapsEveryStream),
  },

  'unmatched-specifiers': {
    finds: 'an option for a stream, by its kind or its number, that the output does not have',
    run: ({ facts, pass }) => unmatchedSpecifiers(facts, pass).filter((one) => !mapsEveryStream(one)),
    streams: (context) => specifiersWithoutStream(context).filter((one) => !mapsEveryStream(one)),
  },
};
