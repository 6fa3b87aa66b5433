import type { MediaInfo } from '@telecine/client';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import X from 'lucide-react/icons/x';
import { type ComponentProps, type CSSProperties, type ReactNode, useState } from 'react';
import { isHiddenUrl } from '../../packages/contract/src/domain/hidden-parts.ts';
import { Chapters } from '../media/chapters.tsx';
import { fileAddress, isStored } from '../media/media-address.ts';
import { type MediaKind, mediaKind } from '../media/media-kind.ts';
import { shownAspect, USUAL_ASPECT } from '../media/shown-aspect.ts';
import { streamText } from '../media/stream-text.ts';
import { Button } from '../ui/button.tsx';
import { formatBytes, formatDuration } from '../ui/format.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useMedia } from '../ui/use-media.ts';
import type { UploadItem } from '../uploads/upload-item.ts';
import { UploadProgress } from '../uploads/upload-progress.tsx';
import { type InputDraft, otherClientOf } from './draft.ts';
import { SOURCE_FAILURES } from './field-messages.ts';
import { Notes } from './field-notes.tsx';
import { OptionRows } from './option-rows.tsx';
import styles from './source-card.module.css';
import { useDraft } from './use-draft.tsx';
import { useMessages } from './use-messages.tsx';
import { useProbe } from './use-probe.ts';

/** The options of a source that its strip sets. */
const TIMES = ['ss', 'to', 't'];

interface Props {
  readonly input: InputDraft;
  readonly index: number;
  readonly count: number;
  /** The role of this input in the recipe. */
  readonly role: string | undefined;
  readonly upload: UploadItem | undefined;
  /** Returns what else is shown of a source, such as a strip to choose a part. `info`: undefined while the source is read. */
  readonly more?: ((info: MediaInfo | undefined) => ReactNode) | undefined;
}

/** One input: its preview, its streams and its options. */
export function SourceCard({ input, index, count, role, upload, more }: Props) {
  const { draft, change } = useDraft();
  const [isOpen, setIsOpen] = useState(false);
  const path = input.input ?? '';
  // The user cannot read files of another client, nor a URL with a hidden part. The check of a retry reads them.
  const isReadable = otherClientOf(draft) === undefined && !isHiddenUrl(path);
  const isUploading = upload !== undefined && upload.state !== 'done';
  const probe = useProbe(isReadable ? path : '', isUploading);
  const messages = useMessages(input.id);
  // On a phone, the strip has the times, and rows of them would push the recipes out of sight.
  const isPhone = useMedia('(width < 48rem)');
  const shows = ({ name }: { readonly name: string }): boolean => !isPhone || !TIMES.includes(name);
  const hasOptions = isOpen || input.rows.some(shows) || messages.errors.length > 0;
  // The check reads the source with its options, so show its error instead of the error of the probe.
  const isSourceExplained =
    messages.errors.length > 0 || messages.warnings.some(({ code }) => SOURCE_FAILURES.has(code));
  const name = path || input.source || '';
  // Until a source is uploaded and read, the card has the height that it will probably have. Otherwise, what is below it would move.
  const isPending = isReadable && probe.isPending && path !== '';
  const isReading = isPending && isStored(path);
  return (
    <article className={styles.card} aria-label={name} data-draft-part={input.id} data-many={count > 1}>
      <div className={styles.head}>
        {probe.data !== undefined && isStored(path) && <Previews path={path} info={probe.data} />}
        {isReading && <PreviewSpace kind={mediaKind(path)} />}
        <div className={styles.text}>
          <h3 className={styles.name}>
            {role !== undefined && <span className={styles.role}>{role}</span>}
            {name}
          </h3>
          {isPending && (
            <div className={styles.unread}>
              {isUploading ? (
                <UploadProgress item={upload} onRename={(to) => change({ do: 'rename-input', from: path, to })} />
              ) : (
                <p className={styles.soft}>Reading the file…</p>
              )}
              {isReading && <ContentsSpace kind={mediaKind(path)} />}
            </div>
          )}
          {probe.error !== null && !isSourceExplained && (
            <ProblemNotice error={probe.error} onRetry={() => void probe.refetch()} />
          )}
          {probe.data !== undefined && <Contents info={probe.data} />}
          <div className={styles.actions}>
            {!hasOptions && (
              <Button variant="quiet" onClick={() => setIsOpen(true)}>
                <SlidersHorizontal /> Source options
              </Button>
            )}
            {count > 1 && (
              <>
                <Button
                  variant="quiet"
                  aria-label="Move up"
                  disabled={index === 0}
                  onClick={() => change({ do: 'move-input', id: input.id, by: -1 })}
                >
                  <ArrowUp />
                </Button>
                <Button
                  variant="quiet"
                  aria-label="Move down"
                  disabled={index === count - 1}
                  onClick={() => change({ do: 'move-input', id: input.id, by: 1 })}
                >
                  <ArrowDown />
                </Button>
              </>
            )}
            <Button variant="quiet" aria-label="Remove" onClick={() => change({ do: 'remove-input', id: input.id })}>
              <X /> {count === 1 && 'Remove'}
            </Button>
          </div>
        </div>
      </div>
      {(probe.data !== undefined || isReading) && more?.(probe.data)}
      {/* Below the strip, which makes options and messages while it is dragged, and must not move then. */}
      {/* Hide the messages during the upload, when the check reports that the file is missing. */}
      {!isUploading && <Notes {...messages} />}
      {hasOptions && <OptionRows list={input.id} rows={input.rows} side="input" />}
    </article>
  );
}

function Contents({ info }: { readonly info: MediaInfo }) {
  const { durationSeconds, sizeBytes } = info.format;
  const facts = [
    durationSeconds !== undefined && formatDuration(durationSeconds),
    sizeBytes !== undefined && formatBytes(sizeBytes),
  ];
  return (
    <>
      <p className={styles.soft}>{facts.filter(Boolean).join(', ')}</p>
      <ul className={styles.streams}>
        {info.streams.map((stream) => (
          <li key={stream.index} data-type={stream.type}>
            {streamText(stream)}
          </li>
        ))}
      </ul>
      <Chapters chapters={info.chapters} />
    </>
  );
}

/** A frame of the video and the waveform of the audio. */
function Previews({ path, info }: { readonly path: string; readonly info: MediaInfo }) {
  const hasVideo = info.streams.some(({ type }) => type === 'video');
  const hasAudio = info.streams.some(({ type }) => type === 'audio');
  const address = fileAddress(path);
  return (
    <div className={styles.previews}>
      {hasVideo && (
        <RenderedImage
          className={styles.frame}
          style={{ aspectRatio: shownAspect(info.streams) }}
          alt={`Frame of ${path}`}
          src={address({ view: 'frame', width: 320 })}
        />
      )}
      {/* That of a video is on its strip. */}
      {hasAudio && !hasVideo && (
        <div
          role="img"
          aria-label={`Waveform of ${path}`}
          className={styles.wave}
          style={{ '--wave': `url("${address({ view: 'waveform' })}")` } as CSSProperties}
        />
      )}
    </div>
  );
}

/** The space of the facts and streams of a file that is not read yet. */
const ContentsSpace = ({ kind }: { readonly kind: MediaKind }) => (
  <div className={styles.contentsSpace} aria-hidden="true">
    <p className={styles.soft}>…</p>
    {kind !== 'other' && (
      <ul className={styles.streams}>
        <li>…</li>
        {kind === 'video' && <li>…</li>}
      </ul>
    )}
  </div>
);

/** The space of the frame or of the waveform of a file that is not read yet. */
function PreviewSpace({ kind }: { readonly kind: MediaKind }) {
  if (kind !== 'video' && kind !== 'image' && kind !== 'audio') return null;
  return (
    <div className={styles.previews}>
      {kind === 'audio' ? (
        <div className={styles.waveSpace} />
      ) : (
        <div className={styles.frame} style={{ aspectRatio: USUAL_ASPECT }} />
      )}
    </div>
  );
}

/** An image that the service renders. Hidden if that fails. */
function RenderedImage({ alt, ...props }: ComponentProps<'img'>) {
  const [hasFailed, setFailed] = useState(false);
  return hasFailed ? null : <img {...props} alt={alt} onError={() => setFailed(true)} />;
}
