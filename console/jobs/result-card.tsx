import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Job } from '@telecine/client';
import Download from 'lucide-react/icons/download';
import FileInput from 'lucide-react/icons/file-input';
import Gauge from 'lucide-react/icons/gauge';
import Link2 from 'lucide-react/icons/link-2';
import Save from 'lucide-react/icons/save';
import SquareSplit from 'lucide-react/icons/square-split-horizontal';
import { useState } from 'react';
import { lazyComponent } from '../app/lazy-component.tsx';
import { nameOf } from '../files/file-list.ts';
import { fileAddress, isStored, outputAddress } from '../media/media-address.ts';
import { probeQuery } from '../media/media-info.tsx';
import { type MediaKind, mediaKind } from '../media/media-kind.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { ShareButton } from '../share/share-button.tsx';
import { SharedLinks } from '../share/shared-links.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { formatBytes, formatDuration } from '../ui/format.ts';
import { Menu } from '../ui/menu.tsx';
import { ResultMenu } from './job-actions.tsx';
import { outputText } from './job-names.ts';
import { NextFailure } from './next-failure.tsx';
import { OutputPicture } from './output-picture.tsx';
import { qualityText } from './quality-plot.ts';
import styles from './result-card.module.css';
import { comparisonOf, hasResult, isPart, measurableOf, onlySource, sizeChangeText } from './result-facts.ts';
import { ResultFiles } from './result-files.tsx';
import { ResultView } from './result-view.tsx';
import { shownOutputs } from './shown-outputs.ts';

const ResultSlider = lazyComponent(async () => (await import('./result-slider.tsx')).ResultSlider);
const SaveJobRecipe = lazyComponent(async () => (await import('./save-job-recipe.tsx')).SaveJobRecipe);

const QualityFigure = lazyComponent(async () => (await import('./quality-figure.tsx')).QualityFigure);

/** What the user has opened in the card. */
type Opened = 'slider' | 'recipe';

/** The result of a completed job: its picture, how its size has changed, and what to do with it. */
export function ResultCard({
  job,
  hasPlayer = false,
  isNextPending = false,
  onNext,
  onUse,
}: {
  readonly job: Job;
  /** Whether the card has the player. Otherwise the page shows it elsewhere, and the card has a picture. */
  readonly hasPlayer?: boolean;
  /** Whether `onNext` was called and has not finished. */
  readonly isNextPending?: boolean;
  /** The user wants to convert another source with the same settings. */
  readonly onNext: () => void;
  /** The user wants to convert the result. `path`: its only file. */
  readonly onUse: (path: string) => void;
}) {
  const [opened, setOpened] = useState<Opened>();
  const [isMeasuring, setMeasuring] = useState(false);
  const { data: session } = useSession();
  const { outputs = [], outputCount = outputs.length } = job;
  const shown = shownOutputs(job)[0];
  const isOwn = session?.clientId === job.client;
  const source = isOwn && mayDo(session, 'files:read') ? onlySource(job) : undefined;
  const probed = useQuery({ ...probeQuery(source ?? ''), enabled: source !== undefined });
  if (!hasResult(job)) return null;
  const [first] = outputs;
  const bytes = outputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const before = probed.data?.format.sizeBytes;
  const isSameKind = shown !== undefined && source !== undefined && mediaKind(shown.path) === mediaKind(source);
  const isKnown = shown !== undefined && source !== undefined && probed.data !== undefined;
  const isOfPart = isPart(job, shown?.durationSeconds, probed.data?.format.durationSeconds);
  // The player of a part begins with its first frame. A frame of its middle would look like a wrong cut.
  const partPosterAt = source !== undefined && probed.isPending ? 'unknown' : 0;
  const posterAt = isOfPart ? partPosterAt : undefined;
  const comparison = isKnown ? comparisonOf(job, shown, source, probed.data) : undefined;
  const measurable = isKnown ? measurableOf(job, shown, source, probed.data) : undefined;
  const output = shown && outputAddress(job, shown.path);
  const toggle = (which: Opened) => ({
    'aria-expanded': opened === which,
    onClick: () => setOpened(opened === which ? undefined : which),
  });
  const took = tookText(job);
  const facts = outputCount === 1 && first !== undefined ? frameText(first) : '';
  const quality = outputs.find((one) => one.quality !== undefined)?.quality;
  const mayWrite = mayDo(session, 'jobs:write');
  const mayShare = mayDo(session, 'files:read') && mayDo(session, 'files:write');
  const usable = isOwn && mayDo(session, 'files:read') ? onlyMedia(outputs, outputCount) : undefined;
  const more = (
    <>
      {usable !== undefined && (
        <Button onClick={() => onUse(usable)}>
          <FileInput /> Use as source
        </Button>
      )}
      <Button {...toggle('recipe')}>
        <Save /> Save as recipe
      </Button>
      {quality === undefined && measurable !== undefined && !isMeasuring && (
        <Button onClick={() => setMeasuring(true)}>
          <Gauge /> Measure the quality
        </Button>
      )}
      {mayShare && (
        <Link to="/operate/shares">
          <Link2 /> All links
        </Link>
      )}
    </>
  );
  return (
    <article className={styles.card} data-wide={!hasPlayer} aria-label="Result">
      <div className={styles.head}>
        {/* The service cannot render an image of encrypted segments. */}
        {!hasPlayer && job.encrypt === undefined && <OutputPicture job={job} output={shown} isLarge />}
        <div className={styles.facts}>
          <p className={styles.size}>
            {before !== undefined && isSameKind && outputCount === 1
              ? sizeChangeText(before, bytes, !isOfPart)
              : outputs.length === outputCount && formatBytes(bytes)}
            {outputCount > 1 && ` in ${outputCount} files`}
          </p>
          <p className={styles.soft}>
            {outputCount === 1 && first?.path}
            {facts !== '' && ` · ${facts}`}
            {outputCount === 1 && took !== undefined && ' · '}
            {took !== undefined && <span className={styles.took}>{took}</span>}
          </p>
          {quality !== undefined && <p className={styles.soft}>{qualityText(quality)}</p>}
          {isMeasuring && measurable !== undefined && shown !== undefined && (
            <QualityFigure fallback={LOADING} job={job} path={shown.path} measurable={measurable} />
          )}
        </div>
        {comparison !== undefined && (
          <Button variant="quiet" {...toggle('slider')}>
            <SquareSplit /> Compare with the source
          </Button>
        )}
      </div>
      {hasPlayer && shown !== undefined && opened !== 'slider' && (
        <ResultView key={shown.path} job={job} output={shown} posterAt={posterAt} />
      )}
      {opened === 'slider' && comparison !== undefined && source !== undefined && output !== undefined && (
        <ResultSlider
          fallback={LOADING}
          job={job}
          comparison={comparison}
          source={fileAddress(source)}
          output={output}
        />
      )}
      {hasPlayer && outputCount > 1 && <ResultFiles job={job} />}
      <div className={styles.actions}>
        <DownloadButton job={job} />
        <ShareButton what={{ jobId: job.jobId }} name={outputText(job)} variant="quiet" />
        {mayWrite && isOwn && (
          <Button variant="quiet" disabled={isNextPending} onClick={onNext}>
            Same settings, new source
          </Button>
        )}
        {hasPlayer
          ? mayWrite &&
            isOwn && (
              <Menu label="More for this result" variant="quiet">
                {more}
              </Menu>
            )
          : mayWrite && <ResultMenu job={job}>{isOwn && more}</ResultMenu>}
      </div>
      {job.retryOf !== undefined && <NextFailure job={job} />}
      {mayDo(session, 'files:read') && <SharedLinks what={{ jobId: job.jobId }} />}
      {opened === 'recipe' && <SaveJobRecipe fallback={LOADING} job={job} />}
    </article>
  );
}

/** The path of the only output, if it can be the source of another conversion. undefined: there are several, or it is a playlist, which needs its segments. */
function onlyMedia(outputs: NonNullable<Job['outputs']>, count: number): string | undefined {
  const [first] = outputs;
  if (count !== 1 || first === undefined || !isStored(first.path)) return undefined;
  return USABLE.has(mediaKind(first.path, first.streams)) ? first.path : undefined;
}

const USABLE: ReadonlySet<MediaKind> = new Set<MediaKind>(['video', 'audio', 'image']);

const LOADING = <p className={styles.soft}>Loading…</p>;

/** The main action of a result. */
function DownloadButton({ job }: { readonly job: Job }) {
  const { outputs = [], outputCount: count = outputs.length } = job;
  const [first] = outputs;
  const address = first && outputAddress(job, first.path)?.();
  if (first === undefined || address === undefined) return null;
  if (count > 1)
    return (
      <LinkButton variant="primary" className={styles.download} href={`${job.links.outputs}.zip`} download>
        <Download /> Download all as one zip
      </LinkButton>
    );
  return (
    <LinkButton
      variant="primary"
      className={styles.download}
      href={address}
      aria-label={`Download ${first.path}`}
      download={nameOf(first.path)}
    >
      <Download /> Download
    </LinkButton>
  );
}

/** The frame size and the length of an output: `426 × 240, 0:12`. The player with its streams is below, where it is not in sight at first. */
function frameText({ path, streams = [], durationSeconds }: NonNullable<Job['outputs']>[number]): string {
  const { width, height } = streams.find(({ type }) => type === 'video') ?? {};
  const hasLength = durationSeconds !== undefined && mediaKind(path, streams) !== 'image';
  return [width && height && `${width} × ${height}`, hasLength && formatDuration(durationSeconds)]
    .filter(Boolean)
    .join(', ');
}

/** How long the job ran: `took 12 s`. undefined: unknown. */
function tookText({ startedAt, completedAt }: Job): string | undefined {
  if (startedAt === undefined || completedAt === undefined) return undefined;
  return `took ${formatDuration((Date.parse(completedAt) - Date.parse(startedAt)) / 1000)}`;
}
