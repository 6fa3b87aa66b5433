import { type ReactNode, useState } from 'react';
import { shownAspect } from '../media/shown-aspect.ts';
import { boundedRange, type Range } from '../trim/trim-range.ts';
import { TrimStrip } from '../trim/trim-strip.tsx';
import { downToMilliseconds } from '../trim/trim-time.ts';
import type { Change } from './change-draft.ts';
import { draftOfRequest } from './combination.ts';
import { addFirstPart, canKeepParts, keepParts, partsOf, withFreePart } from './cut-parts.ts';
import styles from './source-trim.module.css';
import type { TrimOfSourceProps } from './source-trim.tsx';
import {
  boundsOf,
  changesForRange,
  hasStart,
  isOfSource,
  readRange,
  trimPlace,
  trimPlaceOfInput,
} from './trim-place.ts';
import { useDraft } from './use-draft.tsx';

/** A strip on which the user chooses a part of a source, or several. It changes the values of the draft, and follows them. */
export function TrimOfSource({ path, info, recipe, plan, ofEach, ofSeveral }: TrimOfSourceProps) {
  const { draft: whole, change } = useDraft();
  const draft = ofEach === undefined ? whole : draftOfRequest(whole, 'each', ofEach);
  const [chosen, setChosen] = useState(0);
  const duration = downToMilliseconds(info.format.durationSeconds ?? 0);
  const place = ofSeveral === undefined ? trimPlace(draft, recipe) : trimPlaceOfInput(draft, recipe, ofSeveral);
  const parts = ofSeveral === undefined ? partsOf(draft.others.cut, duration) : undefined;
  if (place === undefined && parts === undefined) return null;
  const video = info.streams.find(({ type, isAttachedPicture }) => type === 'video' && isAttachedPicture !== true);
  const hasAudio = info.streams.some(({ type }) => type === 'audio');
  const changeAll = (changes: readonly Change[]): void => {
    for (const one of changes) change(one);
  };
  const source = {
    path,
    hasVideo: video !== undefined,
    hasAudio,
    aspect: shownAspect(info.streams),
    formats: info.format.names,
    owner: `${recipe?.name} ${parts === undefined}`,
    isCopied: plan?.plan.outputs[0]?.encoders.video?.includes('copy') === true,
  };
  const limits = { duration, fps: video?.frameRate };
  // Only options of a source are of this source alone. Arguments of a recipe and options of the output are those of all.
  const isShared = place === undefined || !isOfSource(place);
  const show = (strip: ReactNode): ReactNode =>
    ofEach === undefined && ofSeveral === undefined ? strip : <OfEach path={path} isShared={isShared} strip={strip} />;
  if (parts !== undefined) {
    const selected = Math.min(chosen, parts.length - 1);
    const keep = (all: readonly Range[]): void => change(keepParts(draft, all));
    return show(
      <TrimStrip
        {...source}
        bounds={limits}
        range={boundedRange(parts[selected] ?? { start: 0, end: duration }, limits)}
        isPoint={false}
        isChosen
        onChange={(range) => keep(parts.with(selected, range))}
        list={{
          parts,
          selected,
          onSelect: setChosen,
          onRemove: (index) => keep(parts.toSpliced(index, 1)),
        }}
        onAdd={() => keep(withFreePart(parts, duration))}
      />,
    );
  }
  if (place === undefined) return null;
  const bounds = boundsOf(place, limits);
  const range = boundedRange(readRange(place, draft, duration), bounds);
  return show(
    <TrimStrip
      {...source}
      bounds={bounds}
      range={range}
      isPoint={place.end === undefined}
      isChosen={hasStart(place, draft)}
      onChange={(next) => changeAll(changesForRange(place, next, { duration, draft }))}
      onAdd={
        // The parts would be kept of each source.
        ofEach === undefined &&
        ofSeveral === undefined &&
        canKeepParts(draft, recipe, place) &&
        (range.start > 0 || range.end < duration)
          ? () => changeAll(addFirstPart(place, range, { draft, duration }))
          : undefined
      }
    />,
  );
}

/** The strip of one of several sources. It is made when the user opens it, because there can be many sources. */
function OfEach({
  path,
  isShared,
  strip,
}: {
  readonly path: string;
  /** Whether the chosen part is that of all sources. */
  readonly isShared: boolean;
  readonly strip: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.fold} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Choose a part<span className="visually-hidden"> of {path}</span>
      </summary>
      {isOpen && isShared && <p className={styles.note}>This applies to each source.</p>}
      {isOpen && strip}
    </details>
  );
}
