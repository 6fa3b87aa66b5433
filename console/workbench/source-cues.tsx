import { useQueryClient } from '@tanstack/react-query';
import type { ConversionRequest } from '@telecine/client';
import { CueList, type Waiting } from '../cues/cue-list.tsx';
import type { ChosenCue } from '../cues/cues.ts';
import { subtitlesOf } from '../preview/burnt-words.ts';
import { firstSource } from '../preview/missing-preview.ts';
import { probeQuery } from './use-probe.ts';

/** The cues of a subtitle file of the draft. If the request draws them into the picture, the user can see each in the preview. */
export function SourceCues({
  path,
  mayStore,
  previewed,
  onCue,
  onShifted,
  onWait,
}: {
  readonly path: string;
  readonly mayStore: boolean;
  /** The request of the preview, without a recipe. undefined: there is no preview, or it is not known yet. */
  readonly previewed: ConversionRequest | undefined;
  readonly onCue: (cue: ChosenCue) => void;
  readonly onShifted: (path: string) => void;
  readonly onWait: (reason: Waiting | undefined) => void;
}) {
  const queries = useQueryClient();
  const source = previewed && firstSource(previewed);
  const isShown = previewed !== undefined && subtitlesOf(previewed)?.path === path;
  return (
    <CueList
      path={path}
      mayStore={mayStore}
      onChoose={isShown && source !== undefined ? (cue) => onCue({ ...cue, path, source }) : undefined}
      onShifted={async (to) => {
        // While a source is read, its card shows no cues: the list would close and the field lose the focus.
        await queries.prefetchQuery(probeQuery(to, false));
        onShifted(to);
      }}
      onWait={onWait}
    />
  );
}
