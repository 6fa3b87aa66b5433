import { useQuery } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { type ReactNode, useState } from 'react';
import { frameTimeQuery } from '../media/frame-time.ts';
import { fileAddress, outputAddress } from '../media/media-address.ts';
import { probeQuery } from '../media/media-info.tsx';
import { mediaKind } from '../media/media-kind.ts';
import { MediaView, Rendered } from '../media/media-view.tsx';
import { streamsText } from '../media/stream-text.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { formatBytes } from '../ui/format.ts';
import { Section } from '../ui/section.tsx';
import { useMedia } from '../ui/use-media.ts';
import { onlySource } from './result-facts.ts';
import { ResultView } from './result-view.tsx';
import { sameMoment } from './same-moment.ts';
import { shownInputs, shownOutputs } from './shown-outputs.ts';
import styles from './source-and-result.module.css';

type Output = NonNullable<Job['outputs']>[number];

/** The maximum width of images that the service renders. */
const SHEET_WIDTH = 1280;

/** The maximum number of streams that are listed below a player. */
const MAX_STREAMS = 6;

/** An input and an output of the job next to each other. `shown`: the output that the user has chosen from the list of outputs. */
export function SourceAndResult({
  job,
  shown,
  onShow,
}: {
  readonly job: Job;
  readonly shown: string | undefined;
  readonly onShow: (path: string) => void;
}) {
  const { data: session } = useSession();
  const [chosenInput, setInput] = useState<string>();
  // Show no media of another client's job, because they are in a folder that this client cannot read.
  const canRead = session?.clientId === job.client && mayDo(session, 'files:read');
  const inputs = canRead && job.error?.code !== 'INPUT_NOT_FOUND' ? shownInputs(job) : [];
  const outputs = job.expired ? [] : shownOutputs(job);
  const source = inputs.find((path) => path === chosenInput) ?? inputs[0];
  const result = outputs.find(({ path }) => path === shown) ?? outputs[0];
  const isRunning = job.completedAt === undefined;
  const isPhone = useMedia('(width < 48rem)');
  // With several sources, it is not known from which of them a frame of the result is.
  const one = inputs.length === 1 && result !== undefined ? onlySource(job) : undefined;
  const probed = useQuery({ ...probeQuery(one ?? ''), enabled: one !== undefined });
  const momentAt = (shownAt?: number) =>
    probed.data !== undefined && result !== undefined ? sameMoment(job, result, probed.data, shownAt) : undefined;
  const usual = momentAt();
  // The service renders no frame of encrypted segments. An image is its only frame.
  const hasFrames = usual !== undefined && job.encrypt === undefined && usual.result > 0;
  const shownFrame = useQuery(
    frameTimeQuery(hasFrames && result !== undefined ? outputAddress(job, result.path) : undefined),
  );
  const isUnknown = one !== undefined && (probed.isPending || (hasFrames && shownFrame.isPending));
  const found = hasFrames ? momentAt(shownFrame.data ?? undefined) : usual;
  const moment = isUnknown ? 'unknown' : found;
  if (source === undefined && result === undefined) return null;
  // While a job runs, its progress matters, so the source is folded.
  if (source !== undefined && result === undefined && isRunning)
    return (
      <Section title="Source">
        <SourceFacts path={source} />
        <Folded text="Show the source">
          <MediaView label={source} kind={mediaKind(source)} address={fileAddress(source)} />
        </Folded>
      </Section>
    );
  const sourceSide = source !== undefined && (
    <Side name="Source" isAlone={result === undefined} path={source} paths={inputs} onChoose={setInput}>
      <MediaView
        key={source}
        label={source}
        kind={mediaKind(source)}
        address={fileAddress(source)}
        posterAt={isUnknown ? 'unknown' : found?.source}
      />
      <SourceFacts path={source} />
    </Side>
  );
  // On a phone, a player fills most of the window, so the source is folded and the result comes first.
  const isSourceFolded = isPhone && source !== undefined && result !== undefined;
  return (
    <Section
      title={result === undefined ? 'Source' : source === undefined || isSourceFolded ? 'Result' : 'Source and result'}
    >
      <div className={styles.pair}>
        {!isSourceFolded && sourceSide}
        {result !== undefined && (
          <Side
            name="Result"
            isAlone={source === undefined || isSourceFolded}
            path={result.path}
            paths={outputs.map(({ path }) => path)}
            onChoose={onShow}
          >
            <ResultView key={result.path} job={job} output={result} moment={moment} />
          </Side>
        )}
      </div>
      {isSourceFolded && <Folded text="Show the source">{sourceSide}</Folded>}
      {source !== undefined && result !== undefined && <SameMoments job={job} source={source} output={result} />}
    </Section>
  );
}

/** Content that is read when the user opens it. */
function Folded({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.moments} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text}</summary>
      {isOpen && children}
    </details>
  );
}

function Side({
  name,
  isAlone,
  path,
  paths,
  onChoose,
  children,
}: {
  readonly name: string;
  /** Whether the source or the result is shown alone. The heading of the section then has its name. */
  readonly isAlone: boolean;
  readonly path: string;
  readonly paths: readonly string[];
  readonly onChoose: (path: string) => void;
  readonly children: ReactNode;
}) {
  return (
    <figure className={styles.side}>
      <figcaption>
        {!isAlone && <span>{name}</span>}
        {paths.length === 1 ? (
          <span className={styles.path}>{path}</span>
        ) : (
          <select
            aria-label={`${name} that is shown`}
            value={path}
            onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          >
            {paths.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </figcaption>
      {children}
    </figure>
  );
}

/** The size and the streams of the source. Empty if the source is missing. */
function SourceFacts({ path }: { readonly path: string }) {
  const { data, error } = useQuery(probeQuery(path));
  // Show the line from the start, so that nothing moves.
  if (data === undefined) return error === null ? <p className={styles.facts}>Reading the streams…</p> : null;
  const { sizeBytes } = data.format;
  const streams = streamsText(data.streams, MAX_STREAMS);
  return (
    <p className={styles.facts}>
      {[...(sizeBytes === undefined ? [] : [formatBytes(sizeBytes)]), ...streams].join(' · ')}
    </p>
  );
}

/** Three pairs of frames: upright ones beside each other, so that all of them fit into the window. Others are below each other by default. */
const UPRIGHT_GRID = { columns: 3, rows: 1 } as const;

/** Frames of the source and the output at the same times. The service renders them when the user opens this part. */
function SameMoments({ job, source, output }: { readonly job: Job; readonly source: string; readonly output: Output }) {
  const kind = mediaKind(output.path, output.streams);
  const address = outputAddress(job, output.path);
  const isVideo = kind === 'video' && mediaKind(source) === 'video';
  const isImage = kind === 'image' && mediaKind(source) === 'image';
  if (address === undefined || !(isVideo || isImage)) return null;
  const isUpright = output.streams?.some(({ type, width = 0, height = 0 }) => type === 'video' && height > width);
  const view = isVideo
    ? ({ view: 'sheet', ...(isUpright === true && UPRIGHT_GRID) } as const)
    : ({ view: 'frame' } as const);
  return (
    <Folded text={isVideo ? 'Compare frames of the same times' : 'Compare at the same size'}>
      <Rendered
        key={`${source} ${output.path}`}
        label={`Frames of ${source} on the left, of ${output.path} on the right`}
        address={address({ ...view, width: SHEET_WIDTH, compare: source })}
      />
    </Folded>
  );
}
