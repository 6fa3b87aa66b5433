import { useQuery } from '@tanstack/react-query';
import type { ConversionRequest, Job, MediaInfo } from '@telecine/client';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { belongsTo, type ChosenCue, parseCues } from '../cues/cues.ts';
import { cuesQuery } from '../cues/cues-query.ts';
import { useLiveJob } from '../jobs/live-jobs-connection.tsx';
import { similarityText } from '../jobs/similarity-text.ts';
import { fileAddress, isStored } from '../media/media-address.ts';
import { shownVideo } from '../media/output-video.ts';
import { shownAspect } from '../media/shown-aspect.ts';
import { sourceQuery } from '../media/source-query.ts';
import { formatBytes, formatDuration } from '../ui/format.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Segments } from '../ui/segments.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { burnsWords, subtitlesOf } from './burnt-words.ts';
import { Compare } from './compare.tsx';
import type { FrameOf } from './frame.tsx';
import styles from './preview.module.css';
import {
  isMovable,
  lastStart,
  middleOf,
  partFrom,
  rangeOfWords,
  startOfCue,
  timeOfCue,
  timeOfFirstCue,
} from './preview-range.ts';
import { isImage, type Part } from './preview-request.ts';
import { mayStartAtKeyFrame, previewRange, startQuery } from './preview-start.ts';
import { progressText } from './progress-text.ts';
import { isComparable } from './reference-request.ts';
import { frameRateOf, hasFrames, stillSecondsOf } from './still-seconds.ts';
import { type Sampled, useSample, useSimilarity } from './use-sample.ts';

/** A preview starts when the user has not moved its start for this time. A changed request has waited for its check already. */
const PAUSE_MS = 400;
/** An SSIM below this is visibly different from the source. */
const CLOSE = 0.95;
/** The width of images that the service makes if the browser cannot play a video. */
const IMAGE_WIDTH = 1280;

interface PreviewProps {
  /** The request to preview, without a recipe. It should be valid, because its preview is a job. */
  readonly request: ConversionRequest;
  /** The path of the first input in the client's media root. */
  readonly source: string;
  /** The cue that the user wants to see. Another object each time. It is ignored if it does not belong to this preview. undefined: none was chosen. */
  readonly cue: ChosenCue | undefined;
  /** Whether the user has opened the preview and it has had no other source since. The page then scrolls to it. */
  readonly isJustOpened: boolean;
}

/** Converts a few seconds of the source with the options of a request, and compares the result to the source. */
export function Preview({ request, source, cue: chosenCue, isJustOpened }: PreviewProps) {
  const id = useId();
  const element = useRef<HTMLDivElement>(null);
  const probe = useQuery({ ...sourceQuery(source, false), enabled: isStored(source) });
  const sourceSeconds = probe.data?.format.durationSeconds;
  const length = sourceSeconds ?? 0;
  const range = useMemo(() => previewRange(request, length), [request, length]);
  const subtitles = useMemo(() => subtitlesOf(request, sourceSeconds), [request, sourceSeconds]);
  const text = useQuery({ ...cuesQuery(subtitles?.path ?? ''), enabled: subtitles !== undefined });
  const cues = useMemo(() => parseCues(text.data ?? ''), [text.data]);
  const offset = subtitles?.offset ?? 0;
  const cue = chosenCue && belongsTo(chosenCue, source, subtitles?.path) ? chosenCue : undefined;
  const withWords = rangeOfWords(range, length);
  // Where the user has moved the start, and the cue that was chosen before that.
  const [moved, setMoved] = useState<{ readonly at: number; readonly after: ChosenCue | undefined }>();
  const isCueLast = cue !== undefined && cue !== moved?.after;
  const ofCue = isCueLast ? startOfCue(cue, offset, withWords) : undefined;
  const isOutside = isCueLast && ofCue === undefined && probe.data !== undefined;
  const chosen = ofCue ?? moved?.at;
  // A cue can belong to the preview again after a change of the request. The page stays where the user is then.
  const scrolledTo = useRef<ChosenCue>(undefined);
  useEffect(() => {
    if (cue === undefined || cue === scrolledTo.current) return;
    scrolledTo.current = cue;
    element.current?.scrollIntoView({ block: 'nearest' });
  }, [cue]);
  const isTextRead = subtitles === undefined || !text.isPending;
  const firstCueTime = timeOfFirstCue(cues, offset, withWords);
  const isChosen = firstCueTime !== undefined || chosen !== undefined;
  const quickStart = useQuery({
    ...startQuery(source, range),
    enabled: isTextRead && !isChosen && mayStartAtKeyFrame(request, probe.data, range),
  });
  const isReading = probe.isPending || !isTextRead || quickStart.isLoading;
  // Begin where words are seen, if there are any. While this is read again, for another part or other words, the frames stay.
  const found = firstCueTime ?? quickStart.data ?? middleOf(range);
  const [lastFound, setLastFound] = useState<number>();
  if (!isReading && found !== lastFound) setLastFound(found);
  const usual = isReading ? (lastFound ?? found) : found;
  // Until a start is known, show no frames, which take long to decode.
  const hasStart = probe.data !== undefined && (!isReading || lastFound !== undefined);
  useEffect(() => {
    if (hasStart && isJustOpened) element.current?.scrollIntoView({ block: 'nearest' });
  }, [hasStart, isJustOpened]);
  const { at } = partFrom(chosen ?? usual, withWords, length);
  const settled = useDebounced(chosen, PAUSE_MS);
  const part = partFrom(settled ?? usual, withWords, length);
  const { sample, still, error, running, onStillShown } = useSample(request, part, {
    isWanted: isStored(source) && probe.data !== undefined && !isReading,
    stillSeconds: stillSecondsOf(request, probe.data),
    sourceSeconds,
  });
  const earlier = useEarlier(sample, part);
  const [isEarlierShown, setEarlierShown] = useState(false);
  if (!isStored(source)) return <p className={styles.soft}>The preview needs a source that the service stores.</p>;
  const isOld = isReading || settled !== chosen || running !== undefined;
  return (
    <div ref={element} className={styles.preview} aria-busy={isOld}>
      {isMovable(range) && (
        <div className={styles.position}>
          <label htmlFor={id}>Start</label>
          <input
            id={id}
            className={styles.range}
            type="range"
            min={range.start}
            max={lastStart(range)}
            step={0.1}
            value={at}
            aria-valuetext={`${formatDuration(part.seconds)} from ${formatDuration(at)}`}
            onChange={({ currentTarget }) => setMoved({ at: Number(currentTarget.value), after: chosenCue })}
          />
          <output className={styles.count} htmlFor={id}>
            {formatDuration(at)}
          </output>
        </div>
      )}
      <p role="status" className={styles.soft}>
        {isOutside && 'That cue is not in the part that is converted. '}
        {isOld && probe.error === null && <Progress running={running} hasStill={still !== undefined} />}
      </p>
      {probe.error !== null && <ProblemNotice error={probe.error} />}
      {error !== null && !isOld && <ProblemNotice error={error} />}
      {hasStart && (sample === undefined ? hasFrames(request, probe.data) : shownVideo(sample)) && (
        <Frames
          sample={sample}
          still={still}
          info={probe.data}
          source={source}
          part={part}
          isResultWhole={burnsWords(request)}
          seenAt={isCueLast ? timeOfCue(cue, offset, withWords) : undefined}
          earlier={isEarlierShown ? earlier : undefined}
          onStillShown={onStillShown}
        />
      )}
      {earlier !== undefined && (
        <Segments
          label="Compare with"
          options={[
            { value: false, name: 'Source' },
            { value: true, name: `The one before (${sizeText(earlier, part)})` },
          ]}
          value={isEarlierShown}
          onChoose={setEarlierShown}
        />
      )}
      {sample !== undefined && (
        <Sample key={sample.jobId} job={sample} request={request} part={part} sourceSeconds={sourceSeconds} />
      )}
    </div>
  );
}

/** The finished preview of the same part before this one, which has other options. undefined: there is none. */
function useEarlier(sample: Job | undefined, part: Part): Job | undefined {
  const key = JSON.stringify(part);
  const [kept, setKept] = useState<{ readonly key: string; readonly jobs: readonly Job[] }>({ key, jobs: [] });
  const [now, before] = kept.jobs;
  if (sample !== undefined && sample.jobId !== now?.jobId) {
    const others = kept.key === key && now !== undefined ? [now] : [];
    setKept({ key, jobs: [sample, ...others] });
  }
  return kept.key === key && sample?.jobId === now?.jobId && before && shownVideo(before) ? before : undefined;
}

/** What the service does now, in words. Until an event reports the job, it is assumed to be converting. */
function Progress({ running, hasStill }: Pick<Sampled, 'running'> & { readonly hasStill: boolean }) {
  const job = useLiveJob(running?.jobId ?? '', undefined);
  return progressText(running?.what, job, hasStill);
}

interface SampleProps {
  readonly job: Job;
  readonly request: ConversionRequest;
  readonly part: Part;
  readonly sourceSeconds: number | undefined;
}

/** What the finished preview says: its size and similarity to the source, or its sound. */
function Sample({ job, request, part, sourceSeconds }: SampleProps) {
  const [output] = job.outputs ?? [];
  const similarity = useSimilarity(request, part, job, sourceSeconds);
  if (output === undefined || job.links.output === undefined) return null;
  const isStill = isImage(extensionOf(output.path));
  return (
    <>
      {shownVideo(job) === undefined && (
        // biome-ignore lint/a11y/useMediaCaption: it is the audio of the source.
        <audio
          className={styles.audio}
          src={resultAddress(job.links.output, output.path)}
          controls
          preload="metadata"
          aria-label="Result"
        />
      )}
      <dl className={styles.facts}>
        <div>
          <dt>{isStill ? 'Size' : 'Size per minute'}</dt>
          <dd>{formatBytes(isStill ? output.sizeBytes : perMinute(output, part))}</dd>
        </div>
        {shownVideo(job) !== undefined && (
          <div>
            <dt>Similarity to the source</dt>
            <dd
              data-low={typeof similarity.data === 'number' && similarity.data < CLOSE}
              title="SSIM: 1 means identical frames. The source goes through the same filters first."
            >
              {measuredText(similarity, isComparable(request))}
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

type Output = NonNullable<Job['outputs']>[number];

const perMinute = ({ sizeBytes, durationSeconds }: Output, { seconds }: Part): number =>
  (sizeBytes / (durationSeconds ?? seconds)) * 60;

/** The size of a finished preview: `2 MB a minute`, or that of an image. */
function sizeText({ outputs: [output] = [] }: Job, part: Part): string {
  if (output === undefined) return '';
  return isImage(extensionOf(output.path))
    ? formatBytes(output.sizeBytes)
    : `${formatBytes(perMinute(output, part))} a minute`;
}

interface FramesProps {
  /** Another finished job of this part, which takes the place of the source. */
  readonly earlier: Job | undefined;
  /** The finished jobs of the whole part and of its first frame. undefined: not finished yet. */
  readonly sample: Job | undefined;
  readonly still: Job | undefined;
  /** What is known of the source. */
  readonly info: MediaInfo;
  readonly source: string;
  readonly part: Part;
  /** Whether the result is shown whole at first. */
  readonly isResultWhole: boolean;
  /** The time of the source whose frame is shown first. undefined: that of the first frame of the part. */
  readonly seenAt: number | undefined;
  /** See `useSample`. */
  readonly onStillShown: () => void;
}

/**
 * The frames of the source, and against them those of the result. The source is shown at once, and stays while the first frame of the result
 * and then the others come, because loading and decoding it takes as long as converting a frame.
 */
function Frames({ sample, still, info, source, part, isResultWhole, seenAt, earlier, onStillShown }: FramesProps) {
  const result = resultOf(sample ?? still);
  const isFirst = sample === undefined;
  const isStill = result !== undefined && isImage(extensionOf(result.path));
  const fps = result?.video.fps ?? frameRateOf(info);
  const count = Math.max(1, Math.floor((result?.durationSeconds ?? part.seconds) * fps));
  const address = fileAddress(source);
  // The first frame is shown by itself. Use the time of its middle, so that rounding never shows another one.
  const middle = isFirst ? 0.5 / fps : 0;
  const beforeAt = (time: number): number => part.at + middle + time;
  const first = isFirst ? undefined : resultOf(still);
  const other = resultOf(earlier);
  return (
    <Compare
      // For another cue, another frame comes first.
      key={seenAt === undefined ? '' : `${seenAt} ${part.at}`}
      first={seenAt === undefined ? 0 : Math.max(0, Math.floor((seenAt - part.at) * fps))}
      width={result?.video.width ?? shownAspect(info.streams)}
      height={result?.video.height ?? 1}
      fps={fps}
      offset={part.at}
      frames={isStill || isFirst ? 1 : count}
      isResultWhole={isResultWhole}
      {...(other !== undefined && { name: 'Before' })}
      before={(time) =>
        other !== undefined
          ? frameOf(other, middle + time)
          : {
              video: address(),
              at: beforeAt(time),
              image: address({ view: 'frame', at: beforeAt(time), width: IMAGE_WIDTH }),
            }
      }
      after={result && ((time) => frameOf(result, middle + time))}
      onAfterShown={onStillShown}
      until={first && frameOf(first, 0.5 / fps)}
    />
  );
}

interface Result {
  readonly address: string;
  readonly path: string;
  readonly durationSeconds: number | undefined;
  readonly video: NonNullable<ReturnType<typeof shownVideo>>;
}

/** The frames of a finished job. undefined: it has none. */
function resultOf(job: Job | undefined): Result | undefined {
  const [output] = job?.outputs ?? [];
  const video = job && shownVideo(job);
  if (output === undefined || video === undefined || job?.links.output === undefined) return undefined;
  const { path, durationSeconds } = output;
  return { address: resultAddress(job.links.output, path), path, durationSeconds, video };
}

const frameOf = ({ address, path }: Result, at: number): FrameOf => ({
  video: address,
  at,
  image: isImage(extensionOf(path)) ? address : `${address}&view=frame&at=${at}&width=${IMAGE_WIDTH}`,
});

const resultAddress = (link: string, path: string): string => `${link}?path=${encodeURIComponent(path)}`;

const extensionOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1] ?? '';

/** What is known of the similarity. `says`: whether it says something about the quality. */
function measuredText(
  { data, error }: { readonly data?: number | null | undefined; readonly error: unknown },
  says: boolean,
): string {
  if (!says) return 'not measured: the result has a palette of its own';
  if (error !== null) return 'could not be measured';
  if (data === undefined) return 'measuring…';
  return data === null ? 'could not be measured' : similarityText(data);
}
