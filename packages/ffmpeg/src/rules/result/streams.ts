import { addOption, orElse } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import type { OutputStream } from '@telecine/contract/domain/job.ts';
import { JOIN_OR_MAP } from '@telecine/contract/domain/join.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { andList } from '@telecine/contract/domain/quantity.ts';
import { muxerRejectsCodec } from '../../allowlist/container-codecs.ts';
import { holdsNoAudio, holdsOnlyCover, kindOfFormat } from '../../allowlist/containers.ts';
import { losesLanguage, lostTag, TAG_LISTS, WITHOUT_CHAPTERS, WITHOUT_TAGS } from '../../allowlist/stored-tags.ts';
import { type CodecKind, STREAM_KINDS } from '../../catalogue/catalogue.ts';
import { fileKind } from '../../plan/request/format-names.ts';
import { isImageSubtitle } from '../facts/image-subtitles.ts';
import { kindOf, letterOf, type MediaFacts, optionValue } from '../facts/media-facts.ts';
import { type ComparedPass, convertedStreams, isCopied, isCover, ofKind, type StreamFacts } from '../facts/pass.ts';
import { type Finding, type Found, loss, type ResultContext, type Rules, unusedInput } from '../rule.ts';
import { ENCODE } from './lengths.ts';

const NAMES = { video: 'video', audio: 'audio', subtitle: 'subtitles' } as const;

/** The streams that a map or a label of a filtergraph selects, with the option that names them. */
function selections(facts: MediaFacts) {
  const labels = facts.complexGraphs.flatMap(({ key, filters }) =>
    filters.flatMap(({ inputs }) => inputs.map((label) => ({ key, text: label }))),
  );
  const maps = facts.argumentsOf('map').map((text) => ({ key: 'map', text }));
  return [...maps, ...labels].flatMap(({ key, text }) => {
    const found = text.startsWith('-') || text.endsWith('?') ? undefined : facts.selected(text);
    return found === undefined || facts.inputs[found.input] === undefined ? [] : [{ key, map: text, ...found }];
  });
}

/** Says why a specifier selects nothing: `"a.mp4" has no audio, only video`, `"a.mp4" has 2 audio streams, and they count from 0`. */
function lack(facts: MediaFacts, input: number, kind: CodecKind | undefined, specifier: string): string {
  const [path, content] = [facts.pathOf(input), facts.contentOf(input)];
  if (kind === undefined) return `${path} has ${content}, and no stream "${specifier}"`;
  const { length } = facts.streamsOf(input, kind);
  if (length === 0) return `${path} has no ${NAMES[kind]}, only ${content}`;
  const languages = facts.streamsOf(input, kind).map(({ language = 'unknown' }) => language);
  if (specifier.includes('language')) return `the languages of the ${NAMES[kind]} of ${path} are ${andList(languages)}`;
  return `${path} has ${length} ${kind} ${length === 1 ? 'stream' : 'streams'}, and they count from 0`;
}

/** Finds a map or a label that selects nothing, with which ffmpeg fails. */
function absentStream(facts: MediaFacts): Finding | undefined {
  const found = selections(facts).find(({ streams }) => streams?.length === 0);
  if (found === undefined) return undefined;
  const { key, map, input, specifier } = found;
  const kind = kindOf(specifier);
  const count = kind === undefined ? 0 : facts.streamsOf(input, kind).length;
  const file = { file: facts.pathOf(input), count, content: facts.contentOf(input) };
  return {
    key,
    code: 'INPUT_INVALID',
    message: `${key === 'map' ? `The map "${map}" selects nothing` : `The filtergraph uses [${map}]`}: ${lack(facts, input, kind, specifier)}.`,
    fix: `Leave "${map}" out${key === 'map' ? `, or send "${map}?" if only some files lack it` : ', or send a file that has it'}.`,
    ...(kind !== undefined && { absent: { option: facts.fieldOf(key) ?? '', map, kind, input, ...file } }),
  };
}

/** Finds a format that gets no stream: the inputs have none that it holds (a silent video for an MP3), or `an` or `vn` removes them. */
function nothingForFormat(facts: MediaFacts): Finding | undefined {
  const { muxer } = facts.plan.output;
  const kind = kindOfFormat(muxer);
  const isLeft = (one: CodecKind): boolean => !facts.has(`${letterOf(one)}n`) && facts.inputWith(one) !== undefined;
  if (facts.inputs.length === 0 || facts.has('map') || facts.complexGraphs.length > 0) return undefined;
  if ((kind === undefined ? STREAM_KINDS : [kind]).some(isLeft)) return undefined;
  const contents = facts.inputs.map((_one, index) => {
    const content = facts.contentOf(index);
    return `${facts.pathOf(index)} has ${content.startsWith('no ') ? '' : 'only '}${content}`;
  });
  const removing = STREAM_KINDS.map((one) => `${letterOf(one)}n`).filter((name) => facts.has(name));
  const sent = andList(removing.map((name) => `"${name}"`));
  const held = kind === undefined ? 'streams' : kind === 'video' ? 'video or images' : NAMES[kind];
  const other = `end a file with ${held}, or an output for what the input has.`;
  return {
    field: '/output',
    code: 'INPUT_INVALID',
    message: `Nothing is left for the format ${muxer}${kind === undefined ? '' : `, which holds ${held}`}: ${contents.join(', ')}${sent === '' ? '' : `, and the request has ${sent}`}.`,
    fix:
      kind === 'subtitle' && facts.inputWith('audio') !== undefined
        ? 'For captions of the speech in it, send "preset": {"name": "captions-from-speech"}. Else send a file with subtitles.'
        : sent === ''
          ? `S${other}`
          : `Leave ${sent} out, or s${other}`,
  };
}

/** Finds copied streams whose codecs the container does not hold. */
function rejectedCopies(facts: MediaFacts, pass: ComparedPass): Finding | undefined {
  const { muxer } = facts.plan.output;
  const copied = convertedStreams(pass).flatMap((one) => (one.copied ? (one.from ?? []) : []));
  // A prediction has no subtitles, but a map of them fails all the same.
  const mapped =
    (facts.argumentOf('c:s') ?? facts.argumentOf('c')) === 'copy' && !facts.has('sn')
      ? facts.argumentsOf('map').flatMap((map) => (map.startsWith('-') ? [] : (facts.selected(map)?.streams ?? [])))
      : [];
  const rejected = [...copied, ...mapped.filter(({ type }) => type === 'subtitle')].filter(({ codec }) =>
    muxerRejectsCodec(muxer, codec),
  );
  if (rejected.length === 0) return undefined;
  return {
    key: facts.firstOf('c', 'c:v', 'c:a', 'c:s') ?? 'c',
    code: 'UNSUPPORTED',
    message: `The format ${muxer} cannot hold a copy of ${[...new Set(rejected.map(({ codec }) => codec))].join(' and ')}.`,
    fix: holdsOnlyCover(muxer)
      ? 'Send "vn": "" as well to leave the video out, or leave "copy" out, so that the streams are encoded.'
      : rejected.every(({ codec }) => codec === 'dvb_teletext')
        ? 'Send "sn": "" to leave the subtitles out, or an output that ends with ".ts".'
        : 'Leave "copy" out, so that the streams are encoded, or send an output that ends with ".mkv".',
  };
}

/** Muxers for which ffmpeg selects subtitles without being asked. */
const WITH_SUBTITLES = /^(?:matroska|webm)$/;

/** How many subtitle streams get into the output. Before the run, a prediction lacks them, because they are small. */
function takenSubtitles({ facts, pass, isPredicted }: ResultContext, input: number): number {
  const used = facts.usedOf('subtitle', pass.used).filter((one) => one.input === input).length;
  if (!isPredicted || used > 0) return used;
  const all = facts.streamsOf(input, 'subtitle');
  const maps = facts.argumentsOf('map');
  if (maps.length > 0)
    return new Set(maps.flatMap((map) => facts.selected(map)?.streams?.filter((one) => all.includes(one)) ?? [])).size;
  const codec = facts.argumentsOf('c:s')[0] ?? (facts.argumentOf('c') === 'copy' ? 'copy' : undefined);
  const { muxer } = facts.plan.output;
  // ffmpeg copies any subtitles that the format holds, but converts text only to text and images only to images.
  const isTaken =
    codec === 'copy'
      ? all.some((one) => !muxerRejectsCodec(muxer, one.codec))
      : (codec !== undefined || WITH_SUBTITLES.test(muxer)) && all.some((one) => !isImageSubtitle(one.codec));
  return isTaken ? Math.min(1, all.length) : 0;
}

/** Formats that could hold audio, but are used for images, or write no file (`null`). */
const OF_IMAGES: ReadonlySet<string> = new Set(['image2', 'null', 'nut', 'webp', 'gif', 'apng', 'avif']);

const textOf = (streams: readonly OutputStream[]): string => {
  const languages = streams.flatMap(({ language }) => language ?? []);
  return `${streams.length}${languages.length === 0 ? '' : ` (${languages.join(', ')})`}`;
};

function keepingFix(facts: MediaFacts, kind: CodecKind, streams: readonly OutputStream[]): Hint {
  const { muxer } = facts.plan.output;
  const letter = letterOf(kind);
  const isText = streams.some(({ codec }) => !isImageSubtitle(codec));
  const other = `"${letter}n": "" if they are not needed`;
  if (kind === 'subtitle' && /^(?:mp4|mov|ipod)$/.test(muxer) && isText && !facts.has('map'))
    return orElse(addOption('c:s', 'mov_text'), other);
  return kind === 'subtitle'
    ? `To keep them, send an output that ends with ".mkv", with "map": "0". Or ${other}.`
    : `Send "map": "0" to keep all, or a "map" for each stream that is meant.`;
}

/** True if the video gets another speed, which its sound mostly does not follow. `PTS-STARTPTS` only moves it to the start. */
const changesSpeed = ({ graphs }: MediaFacts): boolean =>
  graphs.some(({ filters }) =>
    filters.some((filter) => filter.name === 'setpts' && !/STARTPTS/.test(optionValue(filter, 'expr') ?? '')),
  );

/** Compares the streams of each kind that an input has with those that get into the output. */
function leftOut(context: ResultContext, kind: CodecKind): Found {
  const { facts, pass } = context;
  const { muxer, path } = facts.plan.output;
  const maps = facts.argumentsOf('map');
  const isForVideo = kindOfFormat(muxer) !== 'audio' && fileKind(extension(path)) !== 'audio';
  const hasVideo = ofKind(pass.outputStreams, 'video').some((one) => !isCover(one));
  const isHeld = kind === 'audio' ? !holdsNoAudio(muxer) : kind === 'video' ? isForVideo : hasVideo;
  // A `map` says what is meant, except for the labels of a filtergraph, which have no other way into the output.
  const areLabels = maps.length > 0 && maps.every((map) => map.startsWith('[')) && !changesSpeed(facts);
  const isAsked =
    facts.has(`${letterOf(kind)}n`) || facts.hasOption(/^-(?:frames(?::v.*)?|update)$/) || OF_IMAGES.has(muxer);
  if (!isHeld || isAsked || pass.outputStreams.length === 0) return [];
  return facts.inputs.flatMap((_one, input) => {
    const all = facts.streamsOf(input, kind).filter((one) => !isCover(one));
    const used = pass.used.filter((one) => one.input === input);
    const taken =
      kind === 'subtitle'
        ? takenSubtitles(context, input)
        : all.filter(({ index }) => used.some(({ stream }) => stream === index)).length;
    // Of several inputs, each may be meant for one kind of stream. `unused-inputs` finds one that is not used at all.
    const isOfOneKind = facts.inputs.length > 1 && taken === 0 && !areLabels;
    if (all.length <= taken || used.length === 0 || isOfOneKind) return [];
    const named = used.flatMap(({ stream }) =>
      all.some(({ index }) => index === stream) ? [`${input}:${stream}`] : [],
    );
    const isOnlySound = kind === 'audio' && taken === 0;
    return loss({
      lost: kind === 'subtitle' ? 'subtitles' : kind,
      ...(maps.length > 0 ? { key: 'map' } : { field: facts.plan.inputs[input]?.field ?? '' }),
      code: isOnlySound ? 'SOUND_LEFT_OUT' : 'UNUSED_STREAM',
      expected: textOf(all),
      actual: taken,
      message: `The output has ${taken === 0 ? 'none' : `only ${taken}`} of the ${kind === 'subtitle' ? 'subtitles' : `${kind} streams`} of ${facts.pathOf(input)}, which has ${textOf(all)}${named.length === 0 ? '' : `: ${named.join(', ')}`}.`,
      fix: isOnlySound
        ? `Send "map" with "${input}:a?" as well, or "an": "" if no audio is meant.`
        : keepingFix(facts, kind, all),
      ...(maps.length > 0 && !areLabels && { askedBy: ['/parameters/map'] }),
    });
  });
}

/** Finds inputs of which no stream is used. An input without streams is a file of tags and chapters. */
function unusedInputs({ facts, pass, isPredicted }: ResultContext): Found {
  const { plan, inputs } = facts;
  // The speech run reads the input, and its transcript is in the output.
  if (pass.used.length === 0 || plan.transcript !== undefined) return [];
  const metadataInputs = facts.argumentsOf(/^-map_(?:metadata|chapters)(?::|$)/).map((one) => Number.parseInt(one, 10));
  const read = new Set([...pass.used.map(({ input }) => input), ...metadataInputs]);
  return inputs.flatMap(({ streams, demuxer, chapters = 0 }, index): Found => {
    const own = plan.inputs[index];
    const takesChapters = chapters > 0 && inputs.findIndex((one) => (one.chapters ?? 0) > 0) === index;
    // Subtitles are not predicted.
    const isUnknown = isPredicted && !streams.every(({ type }) => type === 'video' || type === 'audio');
    if (own === undefined || read.has(index) || takesChapters || isUnknown) return [];
    if (streams.length === 0 && (metadataInputs.length > 0 || demuxer !== 'ffmetadata' || index === 0)) return [];
    return unusedInput(
      `Nothing of "${own.path}" is in the output: ffmpeg takes all streams from other inputs.`,
      streams.length === 0 ? addOption(chapters > 0 ? 'map_chapters' : 'map_metadata', String(index)) : JOIN_OR_MAP,
      { field: own.field },
    );
  });
}

/** Finds encoded streams that a filter left empty, and copied videos without a frame. */
export function emptyStreams(facts: MediaFacts, pass: StreamFacts): readonly Finding[] {
  const isEmpty = { video: pass.lastBlock?.frame === 0, audio: pass.complaints?.wroteAudio === false };
  return (['video', 'audio'] as const).flatMap((kind): Found => {
    const outputs = ofKind(pass.outputStreams, kind);
    const read = facts.usedOf(kind, pass.used);
    const found = { lost: kind, code: 'EMPTY_STREAM', expected: kind, actual: 'nothing' };
    if (!isEmpty[kind] || outputs.length === 0) return [];
    if (kind === 'video' && read.length > 0 && read.every(({ copied }) => copied))
      return loss({
        ...found,
        key: 'c',
        message:
          'The output has a video stream without a frame: a copy can start only at a key frame, and the requested part has none.',
        fix: ENCODE,
      });
    // The summary of the log rounds the bytes of short audio to 0, so a filter must be the cause.
    const filter = facts.graphs.flatMap(({ filters }) => filters).find(({ name }) => /^a?select$/.test(name));
    if (outputs.every(({ index }) => isCopied(pass, index)) || (kind === 'audio' && filter?.name !== 'aselect'))
      return [];
    return loss({
      ...found,
      key: `filter:${letterOf(kind)}`,
      message: `The output has no ${kind}: ${filter === undefined ? 'nothing of the input is in the part that the request asks for' : `the filter ${filter.name} let nothing pass`}.`,
      fix: 'Compare ss, t, to and the filters with the length of the input.',
    });
  });
}

/** Formats that hold a cover. Matroska stores it as an attachment, which ffmpeg copies only as a video stream. */
const WITH_COVER = /^(?:ipod|mp4|mov|mp3|flac|aiff|matroska)$/;

export const STREAM_RESULT_RULES: Rules = {
  'failing-streams': {
    finds: 'streams that the request selects and the inputs lack, or that the format does not hold',
    result: ({ facts, pass, isPredicted }) =>
      isPredicted ? (absentStream(facts) ?? nothingForFormat(facts) ?? rejectedCopies(facts, pass) ?? []) : [],
  },

  'unused-inputs': {
    finds: 'an input of which nothing gets into the output',
    result: unusedInputs,
  },

  'left-out-streams': {
    finds: 'video, audio or subtitles of an input that do not get into the output, although no option leaves them out',
    result: (context) => STREAM_KINDS.flatMap((kind) => leftOut(context, kind)),
  },

  chapters: {
    finds: 'chapters of an input that the output does not hold',
    result({ facts, pass }) {
      const { inputs, output, span } = facts.plan;
      const count = facts.inputs[0]?.chapters ?? 0;
      const isWhole = (span.output.start ?? 0) === 0 && span.output.duration === undefined;
      // Of the codecs in Ogg, ffmpeg writes chapters only into the header of Opus.
      const lacksHeader = /^og[agv]$/.test(output.muxer) && pass.outputStreams.every(({ codec }) => codec !== 'opus');
      const isLost = (WITHOUT_CHAPTERS.has(output.muxer) && pass.outputStreams.length > 0) || lacksHeader;
      if (count < 2 || !isWhole || !isLost || facts.has('map_chapters')) return [];
      return loss({
        lost: 'chapters',
        field: inputs[0]?.field ?? '',
        code: 'UNUSED_STREAM',
        expected: count,
        actual: 0,
        message: `The ${count} chapters of ${facts.pathOf(0)} do not get into the output: the format ${output.muxer}${lacksHeader ? ' with this codec' : ''} holds none.`,
        fix: 'Send an output that ends with ".m4a" or ".mka" (with video, ".mp4" or ".mkv") to keep them, or "map_chapters": "-1" if they are not needed.',
      });
    },
  },

  cover: {
    finds: 'a cover of an audio file that is left out, or becomes a video stream',
    result({ facts, pass, isPredicted }) {
      const { muxer, path } = facts.plan.output;
      const [cover] = facts.streamsOf(0, 'video').filter(isCover);
      const isAudio = facts.streamsOf(0, 'video').every(isCover) && facts.streamsOf(0, 'audio').length > 0;
      const video = pass.outputStreams.find((one) => one.type === 'video' && !isCover(one));
      // ffmpeg reports a cover as such only after the run.
      const isShown =
        !isPredicted &&
        video !== undefined &&
        fileKind(extension(path)) === 'audio' &&
        !holdsOnlyCover(muxer) &&
        !facts.hasOption(/^-(?:filter:v|filter_complex)/) &&
        !facts.has('c:v');
      const isKept = pass.used.some(({ input, stream }) => input === 0 && stream === cover?.index);
      // ffmpeg cannot write a cover into Matroska.
      const isTrack = cover !== undefined && isKept && muxer === 'matroska';
      if (isShown || isTrack)
        return {
          ...(isTrack && { lost: 'cover', expected: 'cover', actual: 'video' }),
          field: '/output',
          code: cover === undefined ? 'VIDEO_IN_SOUND_FILE' : 'COVER_AS_VIDEO',
          message: `The output has a video stream (${(cover ?? video)?.codec})${isTrack ? ' that was a cover' : ', although its name says audio'}: players may show it as a video, or reject the file.`,
          fix: isTrack
            ? 'Send an output that ends with .mp4, .m4a or .mp3 to keep it.'
            : 'Send "vn": "" for audio alone, or "disposition:v:0": "attached_pic" if it is a cover.',
        };
      if (cover === undefined || !isAudio || isKept || pass.outputStreams.length === 0) return [];
      return loss({
        lost: 'cover',
        field: facts.plan.inputs[0]?.field ?? '',
        code: 'UNUSED_STREAM',
        expected: cover.codec,
        actual: 'none',
        message: `The output lacks the cover of ${facts.pathOf(0)}${WITH_COVER.test(muxer) ? '' : `: the format ${muxer} holds none`}.`,
        fix: 'To keep it, send an output that ends with .mp3, .m4a or .flac. If it is not needed, send "vn": "".',
        askedBy: ['/parameters/vn', '/parameters/map'],
      });
    },
  },

  attachments: {
    finds:
      'fonts and other files inside of an input that do not get into the output, and the gain map or video of a photo',
    result({ facts, pass }) {
      const [part] = pass.photoParts ?? [];
      if (part !== undefined)
        return loss({
          lost: part,
          field: facts.plan.inputs[0]?.field ?? '',
          code: 'UNUSED_STREAM',
          expected: part,
          actual: 'none',
          message: `The photo ${facts.pathOf(0)} has a ${part}, and the output only its image: ffmpeg does not read the ${part}.`,
          fix: 'Keep the photo as well. If only its image is needed, ignore this warning.',
        });
      const count = facts.inputs[0]?.streams.filter(({ type }) => type === 'attachment').length ?? 0;
      const isKept = pass.used.some(({ input, stream }) => facts.inputStream(input, stream)?.type === 'attachment');
      const isForSubtitles = facts.usedOf('subtitle', pass.used).length > 0;
      if (count === 0 || isKept || !isForSubtitles) return [];
      return loss({
        lost: 'attachments',
        field: facts.plan.inputs[0]?.field ?? '',
        code: 'UNUSED_STREAM',
        expected: count,
        actual: 0,
        message: `The ${count} attached ${count === 1 ? 'file' : 'files'} of ${facts.pathOf(0)}, such as fonts of its subtitles, ${count === 1 ? 'is' : 'are'} not in the output.`,
        fix: 'To keep them, send an output that ends with ".mkv", with "map": "0".',
        askedBy: ['/parameters/map'],
      });
    },
  },

  tags: {
    finds: 'the title, other tags and languages of an input, or tags of the request, that the format does not store',
    result({ facts, pass }) {
      const { muxer } = facts.plan.output;
      const list = TAG_LISTS[muxer];
      const stored = WITHOUT_TAGS.has(muxer) ? new Set<string>() : list?.stored;
      const sent = facts.argumentsOf(/^-metadata(?::g)?$/).flatMap((tag) => (list && lostTag(tag, list)) ?? []);
      const ofFile = (facts.inputs[0]?.tags ?? []).filter((name) => stored?.has(name) === false);
      const tagged = facts.argumentsOf(/^-metadata:s/).map((tag) => /^\s*language\s*=\s*(\w+)/.exec(tag)?.[1]);
      const lostLanguages = (languages: readonly (string | undefined)[]): readonly string[] => [
        ...new Set(languages.flatMap((one) => (losesLanguage(muxer, one) ? `the language ${one}` : []))),
      ];
      const isAsked =
        facts.hasOption(/^-metadata/) || facts.argumentsOf(/^-map_metadata/).some((from) => !/^0(?::s:0)?$/.test(from));
      const lost = isAsked
        ? [...sent, ...lostLanguages(tagged)]
        : [...ofFile, ...lostLanguages(convertedStreams(pass).map(({ from }) => from?.language))];
      const ofVideo = pass.outputStreams.some((one) => one.type === 'video' && !isCover(one));
      const storesAll = facts.has('write_bext') || facts.argumentOf('movflags')?.includes('use_metadata_tags') === true;
      if (lost.length === 0 || pass.outputStreams.length === 0 || storesAll) return [];
      return loss({
        lost: 'tags',
        ...(isAsked ? { key: 'metadata' } : { field: facts.plan.inputs[0]?.field ?? '' }),
        code: 'TAGS_LOST',
        expected: lost.join(', '),
        actual: 'none',
        message: `The format ${muxer} does not store ${lost.join(', ')}${isAsked ? '' : ` of ${facts.pathOf(0)}`}.`,
        fix: `To keep them, send an output that ends with ${ofVideo ? '.mkv or .mp4' : '.mp3, .m4a, .flac or .mka'}, or leave them out${isAsked ? '' : ' ("map_metadata": "-1")'}.${/\bthe language /.test(lost.join()) ? ' A language needs three letters, such as "eng".' : ''}`,
      });
    },
  },

  'empty-streams': {
    finds: 'a stream of the output that a filter left empty, or a copied video without a frame',
    result: ({ facts, pass }) => emptyStreams(facts, pass),
  },

  'read-errors': {
    finds: 'errors that ffmpeg reported while it read an input',
    result({ facts, pass: { plan, complaints } }) {
      const { readErrors: count = 0, damagedInputs = new Set<number>(), hasInvalidText = false } = complaints ?? {};
      const [number, ...more] = plan.inputs.length === 1 ? [0] : damagedInputs;
      const planned = number === undefined || more.length > 0 ? undefined : plan.inputs[number];
      const place = planned === undefined ? {} : { field: planned.field };
      if (hasInvalidText)
        return loss({
          ...place,
          lost: 'lines of text',
          code: 'DECODE_ERRORS',
          expected: 'UTF-8',
          actual: 'another encoding',
          message: 'Lines of text are lost: the subtitles are not UTF-8.',
          fix: 'Send "sub_charenc" with the encoding of the file in the "parameters" of the input, such as "cp1252" or "utf-16", or the file as UTF-8.',
        });
      if (count === 0) return [];
      const wrong =
        facts.plan.output.muxer === 'null'
          ? 'what was measured may be wrong'
          : 'parts of the output may look or sound wrong';
      return loss({
        ...place,
        lost: 'damaged parts',
        code: 'DECODE_ERRORS',
        expected: 0,
        actual: count,
        message: `ffmpeg reported ${count} ${count === 1 ? 'error' : 'errors'} while it read ${planned === undefined ? 'the inputs' : `"${planned.path}"`}: it may be damaged, and ${wrong}.`,
        fix: 'Measure "errors" of the file: that says what is damaged. Send an undamaged one. If there is none, ignore this warning.',
      });
    },
  },
};
