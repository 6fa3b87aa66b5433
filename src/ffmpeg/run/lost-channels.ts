import { withExtension } from '../../domain/media-path.ts';
import { encodersOfMuxer } from '../allowlist/container-codecs.ts';
import { channelsOf } from '../values/media-formats.ts';
import { kindOfFormat } from './causes/output-formats.ts';
import { REMIXING } from './filter-effects.ts';
import type { ForeseenPass, RunWarning } from './finished-pass.ts';
import { fieldOf, inputStream, type MediaFacts, pathOf, withField } from './media-facts.ts';

/** The maximum number of channels of some encoders. ffmpeg mixes the other channels into these. */
const MOST: Readonly<Record<string, number>> = {
  ...{ libmp3lame: 2, libshine: 2, libspeex: 2, libtwolame: 2, mp2: 2, mp2fixed: 2, wmav1: 2, wmav2: 2 },
  ...{ ac3: 6, ac3_fixed: 6, eac3: 6 },
};

/** Options that choose the channels of the output. */
const CHANNEL_OPTION = /^-(?:ac|ch(?:annel)?_layout|request_channel_layout|downmix|target)(?::|$)/;

/** Warns of channels that the encoder cannot keep, if nothing in the request asks for fewer: 5.1 as MP3. */
export function lostChannels(facts: MediaFacts, { used, outputStreams }: ForeseenPass): readonly RunWarning[] {
  if (facts.argv.some((word) => CHANNEL_OPTION.test(word))) return [];
  if (facts.graphs.some(({ filters }) => filters.some(({ name }) => REMIXING.test(name)))) return [];
  for (const { input, stream, output, copied } of used) {
    const before = channelsOf(inputStream(facts, input, stream)?.channels ?? '') ?? 0;
    const to = outputStreams.find(({ index }) => index === output);
    const after = to?.channels === undefined ? MOST[to?.codec ?? ''] : channelsOf(to.channels);
    if (copied || before <= 2 || after === undefined || after >= before) continue;
    const { muxer, path } = facts.plan.output;
    const isSound = kindOfFormat(muxer) === 'audio';
    const key = fieldOf(facts, 'c:a') === undefined ? 'c' : 'c:a';
    const encoders = encodersOfMuxer(muxer, 'audio');
    const holder = encoders.length === 0 || encoders.includes('aac') ? 'aac' : 'ac3';
    const keeps = isSound
      ? `"output": ${JSON.stringify(withExtension(path, 'm4a'))}${fieldOf(facts, key) === undefined ? '' : ' and "c:a": "aac"'}`
      : `"c:a": "${holder}"`;
    return [
      withField(facts, key, {
        code: 'CHANNELS_LOST',
        message: `The sound of ${pathOf(facts, input)} has ${before} channels, and the output only ${after}: its encoder takes no more.`,
        fix: `Send "ac": "${after}" if ${after === 2 ? 'stereo' : 'that'} is meant. To keep all ${before}, send ${keeps}.`,
      }),
    ];
  }
  return [];
}
