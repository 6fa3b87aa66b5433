import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { convertedPart, type PartChoice } from '@telecine/contract/domain/converted-part.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import type { PreviewImage, PreviewSpec } from '@telecine/contract/domain/preview.ts';
import { invalidRequest, type Problem } from '@telecine/contract/domain/problem.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { drawingError } from '../allowlist/input-formats.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { replaceLogicalNames } from '../log/logical-input-names.ts';
import { chooseFrame, isDark } from '../plan/preview/brightness.ts';
import { fileFactsOf } from '../plan/preview/file-facts.ts';
import { audioImageSize, layoutOf, timesOf } from '../plan/preview/layout.ts';
import {
  type ArgvFacts,
  audioArgv,
  lengthArgv,
  type PreviewInput,
  type Search,
  sampledAudioArgv,
} from '../plan/preview/preview-argv.ts';
import {
  audioGraph,
  audioOf,
  readRate,
  type ShownAudio,
  type ShownVideo,
  videoOf,
  waveformShare,
} from '../plan/preview/shown-streams.ts';
import { probePlanFor } from '../probe/plan-probe.ts';
import { runProbe } from '../probe/probe.ts';
import { withTemporaryFolder } from '../process/work-root.ts';
import { findPolicyViolation } from '../run/policy-violations.ts';
import type { JobCgroups } from '../sandbox/cgroup/job-cgroups.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { prepareWorkFolder } from '../sandbox/work-folder.ts';
import {
  composeImage,
  type Extraction,
  extractFrames,
  isWritten,
  numberTiles,
  TILES,
  type WantedFrame,
} from './extract-frames.ts';
import { bytesMissing, type FetchBytes, fetchFrames, requireTimes } from './fetch-frames.ts';
import {
  afterEnd,
  emptyFile,
  noAudio,
  noFrame,
  notDrawn,
  noVideo,
  noWebp,
  oneFrame,
  type PreviewField,
  previewField,
  previewProblem,
} from './preview-problems.ts';
import { type FfmpegRunner, runFfmpeg } from './run-ffmpeg.ts';

interface PreviewedFile extends PreviewInput {
  readonly mount: Mount;
  /** What chose the part of the file that was converted. All times of the preview count from its start. */
  readonly part?: Pick<PartChoice, 'input' | 'output'>;
}

interface PreviewRun {
  readonly spec: PreviewSpec;
  /** One file, or two to compare, the original first. Their logical names differ. */
  readonly files: readonly PreviewedFile[];
  /** Absolute, with symlinks resolved. */
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  readonly catalogue: Catalogue;
  readonly cores: number;
  readonly sandbox: Sandbox;
  readonly cgroups?: JobCgroups;
  /** The folder for the temporary folder of the preview. */
  readonly workRoot: string;
  readonly policy: ClientLimits;
  readonly timeoutSeconds: number;
  /** Stops the preview, which then throws the reason of the abort. */
  readonly signal: AbortSignal;
  /**
   * Present if the only file has only the bytes at its beginning and its end, and frames need others. Fetches more bytes. Without enough of
   * them, the preview fails with INPUT_INVALID.
   */
  readonly fetchBytes?: FetchBytes;
}

/** Makes a preview. Throws a `Problem`, or the reason of an abort. */
export async function runPreview(p: PreviewRun): Promise<PreviewImage> {
  if (p.spec.format === 'webp' && !p.catalogue.lists.encoders.has('libwebp')) throw noWebp();
  rejectDrawings(p);
  const deadlineMs = performance.now() + p.timeoutSeconds * 1000;
  try {
    const infos = await Promise.all(p.files.map((file) => probe(p, file, deadlineMs)));
    checkStreams(p, infos);
    return await withTemporaryFolder(p.workRoot, async (dir) => {
      const mounts = p.files.map(({ mount }) => mount);
      await Promise.all(['in', 'out'].map((folder) => mkdir(join(dir, folder))));
      await prepareWorkFolder(dir, mounts, p.sandbox, ['pass']);
      const runner: FfmpegRunner = { ...p, dir, mounts, deadlineMs };
      const isAudioView = p.spec.view === 'waveform' || p.spec.view === 'spectrogram';
      return await (isAudioView ? showAudio(p, runner, infos) : showFrames(p, runner, infos));
    });
  } catch (error) {
    throw error instanceof JobFailed ? problemOf(p, error, p.files.length - 1) : error;
  }
}

/** The problem for a failed preview. `index`: which file is the cause. */
const problemOf = ({ files }: PreviewRun, { failure, cause }: JobFailed, index: number): Problem =>
  previewProblem(replaceLogicalNames(failure, files), {
    ...{ field: previewField(index, files.length), path: files[index]?.path ?? '', cause },
  });

const fieldOf = ({ files }: PreviewRun, file: PreviewedFile): PreviewField =>
  previewField(files.indexOf(file), files.length);

function rejectDrawings(p: PreviewRun): void {
  const errors = p.files.flatMap((file) => {
    // Check both extensions: for a manifest, ffmpeg reads a segment, whose extension is in the logical name.
    const error = drawingError(extension(file.path)) ?? drawingError(extension(file.logical as MediaPath));
    return error === undefined ? [] : [{ field: fieldOf(p, file), ...error }];
  });
  if (errors.length > 0) throw invalidRequest(errors);
}

/** The limit "streams" of conversions also applies to previews. */
function checkStreams(p: PreviewRun, infos: readonly MediaInfo[]): void {
  for (const [index, { streams, leftOut }] of infos.entries()) {
    const observed = { largestStreamCount: streams.length + (leftOut?.streams ?? 0), outSeconds: 0, complaints: [] };
    const violation = findPolicyViolation(p.policy, observed);
    if (violation !== undefined) throw problemOf(p, new JobFailed(violation), index);
  }
}

const factsOf = ({ catalogue, policy, cores }: PreviewRun): ArgvFacts => ({ catalogue, policy, cores });

async function probe(p: PreviewRun, file: PreviewedFile, deadlineMs: number): Promise<MediaInfo> {
  const { path, logical, mount } = file;
  // For a manifest, ffprobe reads a segment, whose name is the logical name.
  const plan = { ...probePlanFor(logical as MediaPath), path };
  const { ffprobePath, sandbox, workRoot, signal } = p;
  const timeoutSeconds = Math.max(1, (deadlineMs - performance.now()) / 1000);
  const outcome = await runProbe({
    ...{ plan, ffprobePath, sandbox, workRoot, timeoutSeconds, signal },
    mount: { ...mount, logical: plan.logical },
  });
  if (!outcome.ok) throw problemOf(p, new JobFailed(outcome.failure), p.files.indexOf(file));
  if (outcome.info.format.isEmpty === true) throw emptyFile(path, fieldOf(p, file));
  return outcome.info;
}

async function showFrames(p: PreviewRun, r: FfmpegRunner, infos: readonly MediaInfo[]): Promise<PreviewImage> {
  const { spec } = p;
  const shown: { readonly file: PreviewedFile; readonly video: ShownVideo; readonly offset: number }[] = [];
  for (const [index, file] of p.files.entries()) {
    const info = infos[index];
    const found = info && videoOf(info);
    if (info === undefined || found === undefined)
      throw noVideo(file.path, fieldOf(p, file), info !== undefined && audioOf(info) !== undefined);
    if (spec.view === 'sheet' && found.isStill) throw oneFrame(file.path, fieldOf(p, file));
    const needsDuration = !found.isStill && found.durationSeconds === undefined;
    // Only the index of MP4 and MOV says where the other bytes are.
    const isIndexed = !needsDuration && info.format.names.includes('mov');
    if (p.fetchBytes !== undefined && !isIndexed) throw bytesMissing();
    const durationSeconds = needsDuration ? await readDuration(p, r, file, found.index) : undefined;
    const video = { ...found, ...(durationSeconds !== undefined && { durationSeconds }) };
    const duration = info.format.durationSeconds ?? video.durationSeconds;
    shown.push({ file, video, offset: convertedPart({ ...file.part, duration }).start });
  }
  const moving = shown.filter(({ video }) => !video.isStill);
  for (const { file, video, offset } of moving) {
    const end = endOf(infos[p.files.indexOf(file)], video);
    if (spec.at === undefined || end === undefined || spec.at + offset <= end) continue;
    // Without all bytes, the end of a fragmented file is not known.
    throw p.fetchBytes !== undefined
      ? bytesMissing()
      : afterEnd(file.path, spec.at, Math.max(0, rounded(end - offset)));
  }
  const durations = moving.flatMap(({ video, offset }) =>
    video.durationSeconds === undefined ? [] : [video.durationSeconds - offset],
  );
  // If no duration is known, only the first frame is certain to exist.
  const shortest = durations.length === 0 ? 0 : Math.max(0, Math.min(...durations));
  const duration = moving.length === 0 ? undefined : shortest;
  const { times, nearKeyFrames, alternatives } = timesOf(spec, duration, shown.length);
  const layout = layoutOf(
    spec,
    shown.map(({ video }) => video),
  );
  /** `before`: the number of times that already have tiles. Those of `all` get the next indexes. */
  const framesAt = (all: readonly number[], search: Search, before: number): readonly WantedFrame[] =>
    all.flatMap((time, at) =>
      shown.map(
        ({ file, video, offset }, index): WantedFrame => ({
          index: (before + at) * shown.length + index,
          input: file,
          video,
          ...(!video.isStill && { time: time + offset }),
          search,
          frame: layout.frames[index] ?? layout.tile,
          tile: layout.tile,
          measuresBrightness: alternatives !== undefined,
        }),
      ),
    );
  const { fetchBytes } = p;
  const extract = async (
    frames: readonly WantedFrame[],
    deadlineMs = r.deadlineMs,
  ): ReturnType<typeof extractFrames> => {
    if (fetchBytes !== undefined) await fetchFrames({ ...p, deadlineMs, fetchBytes }, infos[0], frames);
    const extracted = await extractFrames({ ...r, deadlineMs }, frames, factsOf(p), fetchBytes !== undefined);
    if (fetchBytes !== undefined) requireTimes(frames, extracted.times);
    return extracted;
  };
  /** The indexes of the tiles of each time. In a comparison, a time is shown only if both files have a frame there. */
  const tilesIn = ({ times: found }: Pick<Extraction, 'times'>, count: number): readonly (readonly number[])[] =>
    Array.from({ length: count }, (_one, at) => shown.map((_file, index) => at * shown.length + index)).filter(
      (tiles) => tiles.every((index) => found.has(index)),
    );
  const first = await extract(framesAt(times, nearKeyFrames ? 'key frame' : 'exact', 0));
  const last = shown.length - 1;
  let extracted: Pick<Extraction, 'times' | 'brightness'> = first;
  let kept = tilesIn(first, times.length).flat();
  if (alternatives !== undefined && isDark(first.brightness.get(last))) {
    const others = framesAt(alternatives.times, alternatives.nearKeyFrames ? 'key frame' : 'exact', times.length);
    // Leave time to draw the image, also of the dark frame.
    const halfMs = (performance.now() + r.deadlineMs) / 2;
    const more = await extract(others, halfMs).catch(ignoreFailure);
    if (more !== undefined) {
      extracted = withMore(first, more);
      const { brightness } = extracted;
      const found = tilesIn(extracted, times.length + alternatives.times.length);
      kept = [
        ...(chooseFrame(found.map((tiles) => ({ tiles, brightness: brightness.get(tiles[last] ?? 0) })))?.tiles ??
          kept),
      ];
    }
  }
  if (kept.length === 0) {
    if (first.failure !== undefined) throw new JobFailed(first.failure);
    throw noFrame(p.files.at(-1)?.path ?? '', previewField(p.files.length - 1, p.files.length), spec);
  }
  await numberTiles(r.dir, kept);
  const composed = await composeImage(r, spec, layout, factsOf(p));
  const lastSeconds = shown.at(-1)?.video.durationSeconds;
  return {
    ...composed,
    times: kept.map((index) => extracted.times.get(index) ?? 0),
    ...(lastSeconds !== undefined && { durationSeconds: rounded(lastSeconds) }),
    ...factsOfLast(infos, lastSeconds),
  };
}

/** The frames of two extractions. */
const withMore = (first: Extraction, more: Extraction): Pick<Extraction, 'times' | 'brightness'> => ({
  times: new Map([...first.times, ...more.times]),
  brightness: new Map([...first.brightness, ...more.brightness]),
});

/** Returns undefined for a failure, such as bytes of a file that are missing. Throws other errors. */
function ignoreFailure(error: unknown): undefined {
  if (!(error instanceof JobFailed)) throw error;
}

/** The end of a file in seconds. undefined: unknown. If the audio is longer than the video, the last frame stays visible until then. */
const endOf = (info: MediaInfo | undefined, { durationSeconds }: ShownVideo): number | undefined => {
  const ends = [info?.format.durationSeconds, durationSeconds].filter((one) => one !== undefined);
  return ends.length === 0 ? undefined : rounded(Math.max(...ends));
};

async function showAudio(p: PreviewRun, r: FfmpegRunner, infos: readonly MediaInfo[]): Promise<PreviewImage> {
  const [file] = p.files;
  const [info] = infos;
  const audio: ShownAudio | undefined = info && audioOf(info);
  if (file === undefined || audio === undefined) throw noAudio(file?.path ?? '');
  const { spec } = p;
  const seconds = audio.durationSeconds ?? (await readDuration(p, r, file, audio.index));
  const share = spec.view === 'waveform' ? waveformShare(audio, seconds ?? 0) : 1;
  const sampled = share === 1 ? undefined : await sampleAudio(p, r, file, audio.index, share);
  const shown = sampled === undefined ? audio : { ...audio, index: 0 };
  const rate = readRate(spec.view, audio, sampled === undefined ? (seconds ?? 0) : (seconds ?? 0) / share);
  const size = audioImageSize(spec);
  const graph = audioGraph(spec.view, shown, rate, size);
  const argv = audioArgv(sampled ?? file, graph, TILES.replace('%03d', '000'), factsOf(p));
  const run = await runFfmpeg(r, argv);
  if (run.failure !== undefined) throw new JobFailed(run.failure);
  // Check the file: if no audio can be decoded, ffmpeg writes no image and still succeeds.
  if (!(await isWritten(join(r.dir, TILES.replace('%03d', '000')))))
    throw notDrawn(file.path, '/path', 'No image of the audio could be made');
  const composed = await composeImage(r, spec, { columns: 1, rows: 1, size }, factsOf(p));
  return {
    ...composed,
    times: [],
    ...(seconds !== undefined && { durationSeconds: rounded(seconds) }),
    ...(spec.view === 'spectrogram' && { maxHz: rate / 2 }),
    ...factsOfLast(infos, seconds),
  };
}

/** The facts of the file, or of the second one of a comparison. */
function factsOfLast(infos: readonly MediaInfo[], readSeconds: number | undefined): Pick<PreviewImage, 'file'> {
  const info = infos.at(-1);
  return info === undefined ? {} : { file: fileFactsOf(info, readSeconds) };
}

/** The file with the packets of a long audio stream that are drawn. */
const SAMPLED = 'out/a.mka';

/** Copies a part of the packets of a long audio stream. undefined: this build cannot, or the codec is not for such a file. */
async function sampleAudio(
  p: PreviewRun,
  r: FfmpegRunner,
  file: PreviewedFile,
  stream: number,
  share: number,
): Promise<PreviewInput | undefined> {
  if (!p.catalogue.lists.bsfs.has('noise')) return undefined;
  const { failure } = await runFfmpeg(r, sampledAudioArgv(file, { stream, share, logical: SAMPLED }, factsOf(p)));
  if (failure?.code === 'TIMEOUT') throw new JobFailed(failure);
  const isWhole = failure === undefined && (await isWritten(join(r.dir, SAMPLED)));
  return isWhole ? { logical: SAMPLED, path: SAMPLED as MediaPath } : undefined;
}

/** Reads a whole stream to find its duration, which the file does not state. undefined: the stream cannot be read. */
async function readDuration(
  p: PreviewRun,
  r: FfmpegRunner,
  file: PreviewedFile,
  stream: number,
): Promise<number | undefined> {
  const { failure, outSeconds } = await runFfmpeg(r, lengthArgv(file, stream, factsOf(p)));
  if (failure !== undefined && failure.code !== 'FFMPEG_FAILED') throw new JobFailed(failure);
  return outSeconds !== undefined && outSeconds > 0 ? outSeconds : undefined;
}
