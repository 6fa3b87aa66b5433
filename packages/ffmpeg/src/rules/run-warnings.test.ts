import type { OutputStream } from '@telecine/contract/domain/job.ts';
import { expect, test } from 'vitest';
import { requestWith, validPlan } from '../../../../test/support/planning.ts';
import type { FinishedPass } from './facts/finished-pass.ts';
import { faultGuard } from './rules.ts';
import { findRunWarnings } from './run-warnings.ts';

const VIDEO: OutputStream = { index: 0, type: 'video', codec: 'h264', width: 320, height: 240, fps: 25 };
const AUDIO: OutputStream = { index: 1, type: 'audio', codec: 'aac', sampleRate: 48_000, channels: 'stereo' };

const NO_COMPLAINTS: FinishedPass['complaints'] = {
  readErrors: 0,
  damagedInputs: new Set(),
  hasInvalidText: false,
  exceedsLevel: false,
  frameSizes: [],
  wroteAudio: true,
  written: undefined,
  unusedOptions: [],
  selectedFonts: [],
};

/** The warnings of a run that converts these streams with these options. */
function warningsOf(
  parameters: Readonly<Record<string, string>>,
  streams: readonly OutputStream[],
  repeatedFrames = 0,
) {
  const pass: FinishedPass = {
    plan: validPlan(requestWith(parameters)),
    inputs: [{ demuxer: 'mov,mp4,m4a,3gp,3g2,mj2', durationSeconds: 10, streams }],
    used: streams.map(({ index }) => ({ input: 0, stream: index, output: index, copied: false })),
    outputStreams: streams,
    outputTraits: new Map(),
    complaints: NO_COMPLAINTS,
    segments: 0,
    playlistWrites: 0,
    lastBlock: { frame: 250, repeatedFrames, outSeconds: 10, ended: true },
    writtenSeconds: 10,
  };
  const faults: unknown[] = [];
  const warnings = findRunWarnings(
    pass,
    faultGuard((error) => faults.push(error)),
  );
  expect(faults).toEqual([]);
  return warnings.map(({ code, message }) => `${code}: ${message}`);
}

test('the frames that fill the gaps of "select" are reported once', () => {
  expect(warningsOf({ vf: String.raw`select=gt(mod(n\,24)\,12)` }, [VIDEO], 125)).toEqual([
    expect.stringMatching(/^FRAMES_REPEATED: 125 of 250 frames repeat the one before: the filter select drops frames/),
  ]);
});

test('warns about a delay of some channels only', () => {
  const warningsOfFilter = (af: string) => warningsOf({ af }, [VIDEO, AUDIO]);
  expect(warningsOfFilter('adelay=500')).toEqual([expect.stringMatching(/^NO_EFFECT: .* delays only 1 of 2 channels/)]);
  for (const af of ['adelay=500|500', 'adelay=500:all=1']) expect(warningsOfFilter(af), af).toEqual([]);
});
