import type { Rule } from '../rules/rules.ts';
import type { ForeseenPass, RunWarning } from './finished-pass.ts';
import { longMix } from './long-mix.ts';
import { lostChannels } from './lost-channels.ts';
import { mergedChannels } from './merged-channels.ts';
import type { RunContext } from './run-context.ts';
import { forwardSound, pacedInput } from './sound-mismatch.ts';
import { unequalSpeeds } from './speed-checks.ts';
import { videoInSoundFile } from './stream-checks.ts';
import { trimOfOneKind } from './trim-checks.ts';
import { unusedStreams } from './unused-streams.ts';

/** A rule that needs only what is known before a run. It finds the same before and after it. */
type ForeseeableRule = Rule<RunContext<ForeseenPass>, RunWarning>;

export const UNUSED_STREAMS: ForeseeableRule = {
  id: 'unused-streams',
  finds: 'an input with several streams of a kind, of which ffmpeg selects one without a `map`',
  find: ({ pass, options }) => unusedStreams(pass, options),
};

export const LOST_CHANNELS: ForeseeableRule = {
  id: 'lost-channels',
  finds: 'more channels of audio than the encoder takes',
  find: ({ facts, pass }) => lostChannels(facts, pass),
};

export const MERGED_CHANNELS: ForeseeableRule = {
  id: 'merged-channels',
  finds: '`amerge` of stereo audio, which puts the channels side by side instead of mixing them',
  find: ({ facts, pass }) => mergedChannels(facts, pass),
};

export const LONG_MIX: ForeseeableRule = {
  id: 'long-mix',
  finds: 'an `amix` that goes on after the end of the video, or of its shorter inputs',
  find: ({ facts, pass }) => longMix(facts, pass),
};

export const UNEQUAL_SPEEDS: ForeseeableRule = {
  id: 'unequal-speeds',
  finds: 'filters that give the video and the audio different speeds',
  find: ({ facts, pass }) => unequalSpeeds(facts, pass),
};

export const INPUT_FRAME_RATE: ForeseeableRule = {
  id: 'input-frame-rate',
  finds: '`r` of an input with audio, which changes only the speed of the video',
  find: ({ facts, pass }) => pacedInput(facts, pass),
};

export const UNPAIRED_REVERSE: ForeseeableRule = {
  id: 'unpaired-reverse',
  finds: '`reverse` without `areverse`, or the other way round',
  find: ({ facts, pass }) => forwardSound(facts, pass),
};

export const UNPAIRED_TRIM: ForeseeableRule = {
  id: 'unpaired-trim',
  finds: '`trim` without `atrim`, or the other way round',
  find: ({ facts, pass }) => trimOfOneKind(facts, pass),
};

export const VIDEO_IN_AUDIO_FILE: ForeseeableRule = {
  id: 'video-in-audio-file',
  finds: 'video in a file whose name says audio',
  find: ({ facts, pass }) => videoInSoundFile(facts, pass),
};
