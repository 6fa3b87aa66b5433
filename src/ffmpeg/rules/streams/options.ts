import { addOption, type Edit, type Edits, hasEdits, leaveOut, orElse, sendOption } from '../../../domain/edit.ts';
import type { OutputStream } from '../../../domain/job.ts';
import { pointerKey } from '../../../domain/problem.ts';
import { holdsNoSound, holdsNoVideo, holdsOnlyCover } from '../../allowlist/containers.ts';
import { encoderNamed } from '../../catalogue/catalogue.ts';
import { areAllCopied } from '../../plan/encoders/stream-encoders.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import type { ForeseenContext, Rule } from '../contexts.ts';
import type { FinishedPass, RunWarning } from '../facts/finished-pass.ts';
import { type MediaFacts, oneOrAll } from '../facts/media-facts.ts';

/** Options for one kind of stream. An option with a specifier is for the kind that its first letter names. */
const KIND_OF_OPTION: Readonly<Record<string, Letter>> = {
  ...{ r: 'v', s: 'v', pix_fmt: 'v', aspect: 'v', fps_mode: 'v' },
  ...{ ar: 'a', ac: 'a', sample_fmt: 'a', ch_layout: 'a' },
};
/** All of them, and those that are for one kind with a specifier. */
export const FOR_ONE_KIND: ReadonlySet<string> = new Set([
  ...Object.keys(KIND_OF_OPTION),
  'c',
  'filter',
  'b',
  'q',
  'frames',
]);

type Letter = 'v' | 'a';
const NAMES = { v: 'video', a: 'sound' } as const;

/** Codecs of cover pictures. */
const COVER_CODECS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'gif', 'bmp', 'tiff', 'webp', 'jpegxl']);

const OPTIONS_WITHOUT_OUTPUT_STREAM: Rule = {
  id: 'options-without-output-stream',
  finds: 'an option for video or audio that the output cannot have',
  about: FOR_ONE_KIND,
  option({ options, muxer, catalogue }) {
    const keys = new Set(options.map(({ key }) => key));
    const reason = (kind: Letter, { name, values }: ArgvOption): string | undefined => {
      const removing = `${kind}n`;
      if (keys.has(removing)) return `"${removing}" removes the ${NAMES[kind]}.`;
      if (kind === 'a') return holdsNoSound(muxer) ? `the format ${muxer} holds no sound.` : undefined;
      if (holdsNoVideo(muxer)) return `the format ${muxer} holds no video.`;
      const codec = name.name === 'c' ? encoderNamed(catalogue, values[0] ?? '')?.codec : undefined;
      if (codec === undefined || COVER_CODECS.has(codec) || !holdsOnlyCover(muxer)) return undefined;
      return `the format ${muxer} holds no video, only a cover picture.`;
    };
    return (option) => {
      const key = sentName(option);
      const kind = kindOf(option);
      const because = kind && reason(kind, option);
      if (kind === undefined || because === undefined) return [];
      return {
        code: 'NO_EFFECT',
        message: `"${key}" has no effect: ${because}`,
        fix: keys.has(`${kind}n`)
          ? orElse(leaveOut(`${kind}n`), leaveOut(key))
          : orElse(leaveOut(key), `send an output of a format that holds ${NAMES[kind]}`),
      };
    };
  },
};

/**
 * An output of which nothing is left: `vn` for a picture, `an` for a sound. The job will fail, and with it all outputs of its
 * run. A filtergraph can have outputs that these options do not remove.
 */
const NOTHING_LEFT: Rule = {
  id: 'nothing-left',
  finds: '`vn` or `an` for a format that holds nothing else',
  about: ['vn', 'an'],
  plan({ options, muxer }) {
    if (options.some(({ name }) => name.name === 'filter_complex' || isOfSubtitles(name))) return [];
    const removing = options.find(
      ({ key }) => (key === 'vn' && holdsNoSound(muxer)) || (key === 'an' && holdsNoVideo(muxer)),
    );
    if (removing === undefined) return [];
    const { key, field } = removing;
    return {
      field,
      code: 'NOTHING_LEFT',
      message: `"${key}" removes the ${key === 'vn' ? NAMES.v : NAMES.a}, and the format ${muxer} holds nothing else. The job will fail.`,
      fix: orElse(leaveOut(key), 'leave this output out'),
    };
  },
};

/** Options for subtitles, which formats of raw data hold too. */
const isOfSubtitles = ({ name, specifier = '' }: ArgvOption['name']): boolean =>
  (name === 'c' || name === 'bsf') && /^s(?=:|$)/.test(specifier);

/** The kind of streams that an option is for, if it is for one. */
export function kindOf({ name: { name, specifier } }: ArgvOption): Letter | undefined {
  if (specifier === undefined) return KIND_OF_OPTION[name];
  const letter = /^[vVa](?=:|$)/.exec(specifier)?.[0].toLowerCase() as Letter | undefined;
  return FOR_ONE_KIND.has(name) ? letter : undefined;
}

/** Options that only encoders apply, with the kind of stream that they are for. */
const ENCODING_OPTIONS: Readonly<Record<string, 'v' | 'a'>> = {
  r: 'v',
  s: 'v',
  pix_fmt: 'v',
  ar: 'a',
  ac: 'a',
  sample_fmt: 'a',
  ch_layout: 'a',
};

const STREAM_COPY_CONFLICTS: Rule = {
  id: 'stream-copy-conflicts',
  finds: 'an option of encoders (`r`, `s`, `ar`) for a stream that is copied',
  about: ['r', 's', 'pix_fmt', 'ar', 'ac', 'sample_fmt', 'ch_layout'],
  option:
    ({ encoders }) =>
    ({ key, name }) => {
      const kind = ENCODING_OPTIONS[name.name];
      if (kind === undefined || !areAllCopied(encoders, name.specifier ?? kind)) return [];
      return {
        code: 'NO_EFFECT',
        message: `"${key}" has no effect on the ${kind === 'v' ? 'video' : 'audio'}: it is copied, not encoded.`,
        fix: orElse(leaveOut(key), `send an encoder ("c:${kind}")`),
      };
    },
};

/** Stream specifiers by tag or by id. */
const BY_TAG_OR_ID = /(?:^|:)(?:m:|i:|#)/;

const UNRESOLVABLE_SPECIFIERS: Rule = {
  id: 'unresolvable-specifiers',
  finds: 'a stream specifier by tag or by id, which matches no stream of an output',
  plan({ options }) {
    return options
      .filter(
        ({ name: { name, specifier } }) =>
          specifier !== undefined && BY_TAG_OR_ID.test(specifier) && !/metadata$/.test(name),
      )
      .map(({ key, name, field }) => ({
        field,
        code: 'NO_SUCH_STREAM',
        message: `"${key}" matches no stream: the streams of the output have no tags and ids yet when ffmpeg applies it.`,
        fix: `Name streams by number, such as "${name.name}:a:1".`,
      }));
  },
};

const PLAYED_KINDS = { v: 'video', a: 'audio' } as const;

/** Options for a kind of stream that no input has: `c:v` and `vf` for a song. */
export function optionsWithoutStream(
  facts: MediaFacts,
  outputStreams: readonly Pick<OutputStream, 'type'>[],
): readonly RunWarning[] {
  if (facts.used.length === 0 || facts.argv.includes('-filter_complex')) return [];
  return Object.entries(PLAYED_KINDS).flatMap(([letter, kind]) => {
    if (outputStreams.some(({ type }) => type === kind) || facts.argv.includes(`-${letter}n`)) return [];
    if (facts.inputs.some((_one, input) => facts.streamsOf(input, kind).length > 0)) return [];
    const keys = ['filter', 'c'].map((name) => `${name}:${letter}`);
    const sent = keys.filter((key) => {
      const at = facts.argv.indexOf(`-${key}`);
      return at >= 0 && facts.argv[at + 1] !== 'copy' && facts.fieldOf(key) !== undefined;
    });
    const [first] = sent;
    if (first === undefined) return [];
    const names = sent.map((key) => `"${facts.sentNameOf(key)}"`).join(' and ');
    const paths = facts.inputs.map((_one, input) => facts.pathOf(input)).join(', ');
    return {
      key: first,
      code: 'NO_EFFECT',
      message: `${names} ${sent.length === 1 ? 'has' : 'have'} no effect: ${paths} ${facts.inputs.length === 1 ? 'has' : 'have'} no ${kind}, so the output has none.`,
      fix: {
        edits: sent.map((key) => ({ do: 'remove', name: facts.sentNameOf(key) })),
        or:
          kind === 'video'
            ? 'send a picture as another input, with "loop": "1" in its "parameters" and "shortest": ""'
            : 'send a file with sound as another input',
      },
      ...(kind === 'video' && {
        withoutPicture: { files: paths, options: sent.flatMap((key) => facts.fieldOf(key) ?? []) },
      }),
    };
  });
}

/** Options that no stream used, by the names with which the client sent them. */
const UNUSED_OPTIONS: Rule = {
  id: 'unused-options',
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
      return {
        ...(field === undefined ? {} : { field }),
        code: 'NO_EFFECT',
        message: `${shown} had no effect on ${place}: no stream of it uses this option.`,
        fix: { edits: names.map((one) => ({ do: 'remove', name: one })) },
        ...(sent.length > 1 && { options: sent }),
      };
    }),
};

const LETTERS: Readonly<Record<string, string>> = { video: 'v', audio: 'a', subtitle: 's' };

/**
 * The fields of an option that ffmpeg names without its stream specifier: `b` for `b:v` or `b:a`. Of several, those for a
 * kind of stream that the output does not have, or that is copied.
 */
function sentAs(name: string, { plan, outputStreams, used }: FinishedPass): readonly string[] {
  const copied = new Set(used.flatMap((stream) => (stream.copied ? stream.output : [])));
  const encoded = outputStreams.filter(({ index }) => !copied.has(index)).map(({ type }) => LETTERS[type]);
  const all = Object.entries(plan.fields ?? {}).filter(
    ([key, field]) => (key === name || key.startsWith(`${name}:`)) && field !== '/parameters',
  );
  const idle = all.filter(([key]) => !encoded.includes(key.charAt(name.length + 1).toLowerCase()));
  return (idle.length > 0 ? idle : all).map(([, field]) => field);
}

/** Options for single streams of the output, which ffmpeg ignores silently if there is no such stream. */
const OPTION =
  /^-(metadata:s|map_metadata:s|disposition)(?::([vas])(?::(\d+))?|:(\d+))?$|^-(c|b|q|filter|ac|ar|r|s|pix_fmt):([va]):(\d+)$/;

type StreamLetter = 'v' | 'a' | 's';

const KINDS = { v: 'video', a: 'audio', s: 'subtitle' } as const;
const WORDS = { v: 'video stream', a: 'audio stream', s: 'subtitle stream' } as const;

const MP4 = /^(?:mp4|mov|ipod|3g[p2]|f4v)$/;

/**
 * Options for streams that the output does not have: `metadata:s:s:0` of a film without subtitles, `c:a:1` of one sound.
 *
 * @param known The kinds of which `outputStreams` has all.
 */
export function unmatchedSpecifiers(
  facts: MediaFacts,
  { outputStreams }: Pick<FinishedPass, 'outputStreams'>,
  known: readonly StreamLetter[] = ['v', 'a', 's'],
): readonly RunWarning[] {
  if (outputStreams.length === 0) return [];
  const seen = new Set<string>();
  return facts.argv.flatMap((word) => {
    const [, tag, ofTag, numberOfTag, index, setting, ofSetting, numberOfSetting] = OPTION.exec(word) ?? [];
    const [option, letter, number] =
      tag === undefined ? [setting, ofSetting, numberOfSetting] : [tag, ofTag, numberOfTag];
    const key = word.slice(1);
    if (option === undefined || seen.has(key) || facts.fieldOf(key) === undefined) return [];
    seen.add(key);
    const kind = letter as StreamLetter | undefined;
    if (kind === undefined ? known.length < 3 : !known.includes(kind)) return [];
    const streams = outputStreams.filter(({ type }) => kind === undefined || type === KINDS[kind]);
    const wanted = number ?? index;
    const isMatched = wanted === undefined ? streams.length > 0 : Number(wanted) < streams.length;
    if (isMatched) return [];
    const what = kind === undefined ? 'stream' : WORDS[kind];
    const name = facts.sentNameOf(key);
    const count = streams.length;
    return {
      key,
      code: 'NO_EFFECT',
      message: `"${name}" has no effect: the output has ${count === 0 ? `no ${what}` : `${count} ${what}${count === 1 ? '' : 's'}, counted from 0`}.`,
      fix:
        droppedStream(facts, kind, Number(wanted ?? 0), option) ??
        lastStream(facts, streams, { option, kind, wanted: Number(wanted) }) ??
        leaveOut(name),
    };
  });
}

/** The fix for a stream that the one input has, and that ffmpeg did not take. */
function droppedStream(
  facts: MediaFacts,
  kind: StreamLetter | undefined,
  wanted: number,
  option: string,
): Edits | undefined {
  if (facts.inputs.length !== 1 || kind === undefined) return undefined;
  if (facts.streamsOf(0, KINDS[kind]).length <= wanted) return undefined;
  // ffmpeg chooses subtitles for MP4 only if the request names their codec.
  if (kind === 's' && MP4.test(facts.plan.output.muxer) && wanted === 0 && !facts.argv.includes('-map'))
    return addOption('c:s', 'mov_text');
  // One default is enough: players take the first.
  const defaults = option === 'disposition' && asksForDefault(facts, `disposition:${kind}:${wanted}`);
  const others = facts.streamsOf(0, KINDS[kind]).flatMap(({ disposition }, number) => {
    const key = `disposition:${kind}:${number}`;
    const isOther = defaults && number !== wanted && disposition?.includes('default') === true;
    return isOther && facts.argumentOf(key) === undefined ? [{ do: 'add', name: key, value: '0' } as const] : [];
  });
  return {
    edits: [EVERY_STREAM, ...others],
    why: `this keeps all streams of ${facts.pathOf(0)}${others.length === 0 ? '' : ', with one default'}`,
  };
}

const EVERY_STREAM: Edit = { do: 'add', name: 'map', value: '0' };

/** Whether the fix of an option maps all streams of the input, so that the output has the one that the option is for. */
export const mapsEveryStream = ({ fix }: RunWarning): boolean => hasEdits(fix) && fix.edits.includes(EVERY_STREAM);

const asksForDefault = (facts: MediaFacts, key: string): boolean => facts.argumentOf(key)?.includes('default') === true;

/** The fix for the one stream of a kind, which people number from 1. Several streams can be numbered otherwise on purpose. */
function lastStream(
  facts: MediaFacts,
  { length }: readonly OutputStream[],
  { option, kind, wanted }: { readonly option: string; readonly kind: string | undefined; readonly wanted: number },
): Edits | undefined {
  const prefix = kind === undefined ? option : `${option}:${kind}`;
  const [sent, meant] = [`${prefix}:${wanted}`, `${prefix}:${wanted - 1}`];
  const values = facts.argv.flatMap((word, at) => (word === `-${sent}` ? [facts.argv[at + 1] ?? ''] : []));
  if (kind === undefined || length === 0 || wanted !== length || facts.argv.includes(`-${meant}`)) return undefined;
  return orElse(sendOption(meant, oneOrAll(values)), leaveOut(facts.sentNameOf(sent)));
}

const OPTIONS_WITHOUT_INPUT_STREAM: Rule = {
  id: 'options-without-input-stream',
  finds: 'an option for video or audio that no input has',
  run: ({ facts, pass }) => optionsWithoutStream(facts, pass.outputStreams),
  streams: ({ facts, isDirect }) =>
    isDirect
      ? optionsWithoutStream(
          facts,
          facts.used.flatMap(({ input, stream }) => facts.inputStream(input, stream) ?? []),
        )
      : [],
};

/** Options for pictures and sounds. Of subtitles, it is not known which ones ffmpeg takes. */
const specifiersWithoutStream = ({ facts, pass, isDirect }: ForeseenContext): readonly RunWarning[] =>
  isDirect ? unmatchedSpecifiers(facts, pass, ['v', 'a']) : [];

const UNMAPPED_SPECIFIERS: Rule = {
  id: 'unmapped-specifiers',
  finds: 'an option for a stream of the input that no `map` selects',
  // The fix of an option for another stream of the same kind maps it.
  supersedes: ['unused-streams'],
  run: ({ facts, pass }) => unmatchedSpecifiers(facts, pass).filter(mapsEveryStream),
  streams: (context) => specifiersWithoutStream(context).filter(mapsEveryStream),
};

const UNMATCHED_SPECIFIERS: Rule = {
  id: 'unmatched-specifiers',
  finds: 'an option for a stream, by its kind or its number, that the output does not have',
  run: ({ facts, pass }) => unmatchedSpecifiers(facts, pass).filter((one) => !mapsEveryStream(one)),
  streams: (context) => specifiersWithoutStream(context).filter((one) => !mapsEveryStream(one)),
};

export const OPTION_RULES: readonly Rule[] = [
  OPTIONS_WITHOUT_OUTPUT_STREAM,
  NOTHING_LEFT,
  STREAM_COPY_CONFLICTS,
  UNRESOLVABLE_SPECIFIERS,
  UNUSED_OPTIONS,
  OPTIONS_WITHOUT_INPUT_STREAM,
  UNMAPPED_SPECIFIERS,
  UNMATCHED_SPECIFIERS,
];
