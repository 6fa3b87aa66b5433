import type { Recipe } from '@telecine/client';
import type { CSSProperties } from 'react';
import { lazyComponent } from '../app/lazy-component.tsx';
import { isStored } from '../media/media-address.ts';
import { mediaKind } from '../media/media-kind.ts';
import { USUAL_ASPECT } from '../media/shown-aspect.ts';
import { boundedRegion } from '../picture/region.ts';
import { useUploadItems } from '../uploads/uploads-provider.tsx';
import { otherClientOf } from './draft.ts';
import { frameSizeOf, placementOf, regionArguments, regionOf } from './picture-arguments.ts';
import styles from './picture-fields.module.css';
import { cutsRegion, takesRegion } from './region-recipe.ts';
import { useDraft } from './use-draft.tsx';
import { useProbe } from './use-probe.ts';

const RegionPicker = lazyComponent(async () => (await import('../picture/region-picker.tsx')).RegionPicker);
const PlacePicker = lazyComponent(async () => (await import('../picture/place-picker.tsx')).PlacePicker);

/** The arguments of a recipe that are chosen on a frame of the first source: a rectangle, or a place. Nothing for other recipes. */
export function PictureFields({ recipe }: { readonly recipe: Recipe }) {
  const { draft, change } = useDraft();
  const [film, second] = draft.inputs;
  const path = film?.input ?? '';
  const isRegion = takesRegion(recipe);
  const placement = placementOf(recipe, draft.preset?.arguments);
  const isWanted = otherClientOf(draft) === undefined && isStored(path) && (isRegion || placement !== undefined);
  const isUploading = useUploadItems().some((item) => item.path === path && item.state !== 'done');
  const { data, isPending } = useProbe(isWanted ? path : '', isUploading);
  const frame = data && frameSizeOf(data);
  if (!isWanted) return null;
  const kind = mediaKind(path);
  if (isPending && (kind === 'video' || kind === 'image'))
    return <FrameSpace ratio={USUAL_ASPECT} hasLine={isRegion} />;
  if (isUploading || frame === undefined) return null;
  const region = isRegion ? regionOf(recipe, draft.preset?.arguments, frame) : undefined;
  const image = second?.input !== undefined && isStored(second.input) ? second.input : undefined;
  const space = <FrameSpace ratio={frame.width / frame.height} hasLine={isRegion} />;
  return (
    <>
      {isRegion && (
        <RegionPicker
          fallback={space}
          path={path}
          frame={frame}
          region={region && boundedRegion(region, frame)}
          isCut={cutsRegion(recipe)}
          onChange={(region) => {
            for (const [name, value] of regionArguments(region)) change({ do: 'set-argument', name, value });
          }}
        />
      )}
      {placement !== undefined && (
        <PlacePicker
          fallback={!isRegion && space}
          {...placement}
          path={path}
          frame={frame}
          image={recipe.inputs.length > 1 ? image : undefined}
          onChange={(value) => change({ do: 'set-argument', name: placement.name, value })}
        />
      )}
    </>
  );
}

/** The space of the frame until it is known and its code is loaded. `hasLine`: a line with values is below it. */
const FrameSpace = ({ ratio, hasLine }: { readonly ratio: number; readonly hasLine: boolean }) => (
  <div className={styles.space} data-line={hasLine} style={{ '--ratio': ratio } as CSSProperties} aria-hidden="true">
    <div className={styles.frame} />
  </div>
);
