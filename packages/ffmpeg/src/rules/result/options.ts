import { orElse } from '@telecine/contract/domain/edit.ts';
import { pointerKey } from '@telecine/contract/domain/problem.ts';
import { wordPairs } from '../../allowlist/words.ts';
import { kindOfLetter } from '../../catalogue/catalogue.ts';
import { type ComparedPass, isCopied } from '../facts/pass.ts';
import { type Finding, type Found, noEffect, type ResultContext, type Rules } from '../rule.ts';

/** Matches options for single streams of the output: `b:v:1`. ffmpeg silently ignores such an option if the stream does not exist. */
const OF_ONE_STREAM =
  /^-(?:metadata:s|map_metadata:s|disposition|c|b|q|filter|ac|ar|r|s|pix_fmt)(?::([vas])(?::(\d+))?|:(\d+))$/;

/** Options that are for one kind of streams, also without a specifier. */
const OF_ONE_KIND = wordPairs('-r v -s v -pix_fmt v -aspect v -fps_mode v -ar a -ac a -sample_fmt a -ch_layout a');

/** Matches options that only encoders use. */
const OF_ENCODERS = /^-(?:r|s|pix_fmt|ar|ac|sample_fmt|ch_layout)(?::|$)/;

/** Finds options for streams that the output lacks or copies: `metadata:s:s:0` without subtitles, `c:a:1` with one audio stream, `r` of a copy. */
function unmatchedOptions({ facts, pass, isPredicted }: ResultContext): readonly Finding[] {
  if (pass.outputStreams.length === 0) return [];
  return [...new Set(facts.argv)].flatMap((word): Found => {
    const kindLetter = OF_ONE_KIND.get(word);
    const [matched, letter = kindLetter, number, index = number] = OF_ONE_STREAM.exec(word) ?? [kindLetter];
    const kind = kindOfLetter(letter ?? '');
    const field = facts.fieldOf(word.slice(1));
    const isUnknown = isPredicted && (kind === undefined || kind === 'subtitle');
    if (matched === undefined || isUnknown || field === undefined || field === '/parameters') return [];
    const outputs = pass.outputStreams.filter(({ type }) => kind === undefined || type === kind);
    const { length } = outputs;
    const name = facts.sentNameOf(word.slice(1));
    const place = { key: word.slice(1) };
    if (
      index === undefined &&
      OF_ENCODERS.test(word) &&
      length > 0 &&
      outputs.every((one) => isCopied(pass, one.index))
    )
      return noEffect(
        `"${name}" has no effect: the ${kind} is copied, not encoded.`,
        orElse({ edits: [{ do: 'remove', name }] }, `send an encoder ("c:${letter}")`),
        place,
      );
    if (index === undefined ? length > 0 : Number(index) < length) return [];
    // Scripts send an encoder for audio with each video. If a video is silent, nothing is lost.
    if (kind === 'audio' && index === undefined && facts.inputWith(kind) === undefined) return [];
    const what = kind === undefined ? 'stream' : `${kind} stream`;
    const files = facts.inputs.map((_one, input) => facts.pathOf(input)).join(', ');
    return noEffect(
      `"${name}" has no effect: the output has ${length === 0 ? `no ${what}` : `${length} ${what}${length === 1 ? '' : 's'}, counted from 0`}.`,
      orElse({ edits: [{ do: 'remove', name }] }, 'send "map" for the stream that is meant'),
      {
        ...place,
        ...(kind === 'video' &&
          facts.inputWith('video') === undefined && { withoutVideo: { files, options: [field] } }),
      },
    );
  });
}

/** Returns the fields of an option that ffmpeg logs without specifier: `b` for `b:v`. */
const sentAs = (name: string, { plan }: ComparedPass): readonly string[] =>
  Object.entries(plan.fields ?? {}).flatMap(([key, field]) =>
    (key === name || key.startsWith(`${name}:`)) && field !== '/parameters' ? [field] : [],
  );

const unusedOptions = (pass: ComparedPass): readonly Finding[] =>
  (pass.complaints?.unusedOptions ?? []).flatMap(({ name, input }): Found => {
    const planned = input === undefined ? undefined : pass.plan.inputs[input];
    const sent = planned === undefined ? sentAs(name, pass) : [];
    const isWarned = pass.plan.warnings.some(({ field = '', options = [] }) =>
      [field, ...options].some((one) => new RegExp(`/${name}(?::|$)`).test(one) || sent.includes(one)),
    );
    if (isWarned) return [];
    const names = sent.length === 0 ? [name] : sent.map((field) => pointerKey(field.slice(field.lastIndexOf('/') + 1)));
    const field = planned?.field ?? (sent.length === 1 ? sent[0] : undefined);
    return noEffect(
      `${names.map((one) => `"${one}"`).join(' and ')} had no effect on ${planned === undefined ? 'the output' : `the input "${planned.path}"`}: no stream of it uses this option.`,
      { edits: names.map((one) => ({ do: 'remove', name: one })) },
      { ...(field !== undefined && { field }), ...(sent.length > 1 && { options: sent }) },
    );
  });

/** Finds parameters that an encoder library ignored, which ffmpeg only logs. */
const ignoredParameters = ({ facts, pass }: ResultContext): readonly Finding[] =>
  (pass.complaints?.ignoredParameters ?? []).flatMap((parameter): Found => {
    const [name = ''] = parameter.split('=');
    const key = facts.argv.find((word, at) => PARAMETERS.test(word) && facts.argv[at + 1]?.includes(name));
    if (key === undefined) return [];
    return noEffect(
      `"${parameter}" in "${facts.sentNameOf(key.slice(1))}" has no effect: the encoder does not take this value.`,
      `Send another value of "${name}", or leave it out.`,
      { key: key.slice(1) },
    );
  });

const PARAMETERS = /^-(?:x264|x265|svtav1)-params(?::|$)/;

export const OPTION_RESULT_RULES: Rules = {
  'unused-options': {
    finds: 'an option that no stream of the output used',
    result: (context) => [...unmatchedOptions(context), ...unusedOptions(context.pass), ...ignoredParameters(context)],
  },
};
