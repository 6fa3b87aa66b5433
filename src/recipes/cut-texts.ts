import type { RecipeCut } from '../domain/recipe.ts';

/** A text of a cut, at its JSON Pointer in it. */
interface CutText {
  readonly pointer: string;
  readonly text: string;
}

/** The texts of a cut, each of which stands for a number. */
export function cutTexts({ remove, keep, crossfade }: RecipeCut = {}): readonly CutText[] {
  const texts: readonly (readonly [pointer: string, text: string | undefined])[] = [
    ['/remove/silence/noiseDb', remove?.silence.noiseDb],
    ['/remove/silence/minSeconds', remove?.silence.minSeconds],
    ['/remove/marginSeconds', remove?.marginSeconds],
    ['/keep/scenes/threshold', keep?.scenes.threshold],
    ['/keep/count', keep?.count],
    ['/keep/partSeconds', keep?.partSeconds],
    ['/crossfade', crossfade],
  ];
  return texts.flatMap(([pointer, text]) => (text === undefined ? [] : [{ pointer, text }]));
}
