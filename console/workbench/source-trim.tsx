import type { DryRun, MediaInfo, Recipe } from '@telecine/client';
import { type CSSProperties, useEffect } from 'react';
import { lazyComponent } from '../app/lazy-component.tsx';
import { isStored } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';
import { shownAspect, USUAL_ASPECT } from '../media/shown-aspect.ts';
import { StripNote } from '../trim/strip-note.tsx';
import styles from './source-trim.module.css';
import { trimPlace } from './trim-place.ts';
import { useDraft } from './use-draft.tsx';

const TrimOfSource = lazyComponent(async () => (await import('./trim-of-source.tsx')).TrimOfSource);

/** A shorter source, in seconds, has no strip. */
const SHORTEST = 0.5;

interface SourceTrimProps {
  readonly path: string;
  /** undefined: the source is being read. */
  readonly info: MediaInfo | undefined;
  readonly recipe: Recipe | undefined;
  /** The last plan of the draft. */
  readonly plan: DryRun | undefined;
  /** The index of the source, if each source is converted by itself. */
  readonly ofEach?: number | undefined;
  /** The index of the source, if it is one of several of one conversion. Without either, it is the first source of the conversion. */
  readonly ofSeveral?: number | undefined;
}

/** What the strip of a source is made of. */
export interface TrimOfSourceProps extends SourceTrimProps {
  readonly info: MediaInfo;
}

/** The strip of a source. While the source or the code of the strip is read, its space, if the source will probably have one. */
export function SourceTrim({ info, ...props }: SourceTrimProps) {
  const { draft } = useDraft();
  // While the source is read.
  useEffect(TrimOfSource.preload, []);
  const isOne = props.ofEach === undefined && props.ofSeveral === undefined;
  const hasPlace = isOne && (trimPlace(draft, props.recipe) !== undefined || Array.isArray(draft.others.cut?.keep));
  if (info === undefined) {
    const kind = mediaKind(props.path);
    if (!hasPlace || (kind !== 'video' && kind !== 'audio')) return null;
    return <StripSpace aspect={kind === 'video' ? USUAL_ASPECT : undefined} hasAudio />;
  }
  const { durationSeconds = 0 } = info.format;
  const hasVideo = info.streams.some(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  const hasAudio = info.streams.some(({ type }) => type === 'audio');
  if (durationSeconds < SHORTEST || !isStored(props.path) || !(hasVideo || hasAudio)) return null;
  const space = <StripSpace aspect={hasVideo ? shownAspect(info.streams) : undefined} hasAudio={hasAudio} />;
  return <TrimOfSource fallback={hasPlace ? space : null} {...props} info={info} />;
}

/** The space of a strip. `aspect`: the aspect ratio of the video. undefined: there is none. */
const StripSpace = ({ aspect, hasAudio }: { readonly aspect: number | undefined; readonly hasAudio: boolean }) => (
  <div className={styles.space} aria-hidden="true">
    <div className={styles.pictures}>
      {aspect !== undefined && (
        <div className={styles.sheet}>
          <div className={styles.thumbnails} style={{ '--aspect': aspect } as CSSProperties} />
          <StripNote />
        </div>
      )}
      {hasAudio && <div className={styles.wave} />}
    </div>
    <div className={styles.line} />
  </div>
);
