import { pointerToken } from './problem.ts';
import type { Preset } from './recipe.ts';

/** What the client sent for a part of a request that runs: an option, an input or a setting that a recipe or a fallback sets. */
export interface Origin {
  /** The JSON Pointer to what the client sent: an argument, an input, or `/preset` if the recipe sets the part alone or by several arguments. */
  readonly field: string;
  /** The name of the option or setting, if a recipe sets it. */
  readonly option?: string;
  /** The argument on which the part depends, if it is only one. */
  readonly argument?: string;
  /** Present if the recipe sets the part whatever the client sends. A warning that the part has no effect would not help the client. */
  readonly isOfRecipe?: true;
  /** The streams of a `map` that arguments choose by their numbers. */
  readonly streams?: readonly ChosenStream[];
}

/** A stream of an input that an argument of the client chooses. */
export interface ChosenStream {
  /** The text of `map` that selects the stream: `0:s:4`. */
  readonly map: string;
  readonly argument: string;
  /** The value of the argument that chooses the first stream. Present if consecutive values choose consecutive streams. */
  readonly first?: number;
  /** The lowest value of the argument, if it is above `first`. */
  readonly least?: number;
}

/** The origins of the parts of a request that the client sent in another place or not at all, by JSON Pointers into the request that runs. */
export type Origins = Readonly<Record<string, Origin>>;

/** The origins in a request. A job that an earlier version accepted has only the options that its recipe has set. */
export function originsOf({ origins, preset }: { readonly origins?: Origins; readonly preset?: Preset }): Origins {
  if (origins !== undefined) return origins;
  const options = (preset?.options ?? []).map((one) =>
    one.startsWith('/') ? one : `/parameters/${pointerToken(one)}`,
  );
  return Object.fromEntries(options.map((one) => [one, { field: one, isOfRecipe: true }]));
}

/** The origin of a part of a request, or of the nearest part around it. A part without an origin was sent by the client itself. */
export function originOf(origins: Origins, field: string): Origin {
  for (let at = field; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = origins[at];
    if (found === undefined) continue;
    // What a recipe sets depends on one field of the client as a whole.
    return at === field || isOfPreset(found) ? found : { field: `${found.field}${field.slice(at.length)}` };
  }
  return { field };
}

/** Whether a recipe sets the part, by itself or by arguments. */
export const isOfPreset = ({ field }: Origin): boolean => field.startsWith('/preset');
