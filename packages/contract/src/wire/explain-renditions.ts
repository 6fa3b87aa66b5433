import { closestMatch } from '../domain/closest-match.ts';
import { type Edits, leaveOut, sendMember, sendMembers } from '../domain/edit.ts';
import { memberAt, stringOf } from '../domain/structured-values.ts';
import { meansRenditions, topOfRenditions } from '../domain/synonyms/media-words.ts';

/** Fixes for several sizes of one video. A recipe writes three sizes. */

/** Recipes that write a video in three sizes. */
const LADDERS = /^(?:hls|dash|mp4-ladder)$/;

/** The fix for a field with several sizes if the request has a recipe, or a playlist as output. */
export function renditionsFix(
  key: string,
  value: unknown,
  parent: unknown,
  known: readonly string[],
): Edits | undefined {
  if (!meansRenditions(key) || !known.includes('preset')) return undefined;
  const top = topOfRenditions(value);
  const preset = memberAt(parent, ['preset']);
  const name = typeof preset === 'string' ? preset : memberAt(preset, ['name']);
  if (typeof name === 'string' && LADDERS.test(name)) {
    const own = memberAt(preset, ['arguments']);
    if (typeof preset === 'string' && top !== undefined && known.length > 1)
      return leaveOut(undefined, 'the largest size belongs in "preset"');
    return top === undefined
      ? leaveOut(undefined, threeSizes(name))
      : sendMember('preset', { name, arguments: { ...(typeof own === 'object' ? own : {}), top } });
  }
  const output = memberAt(parent, ['output']);
  const [, folder = '', kind] = typeof output === 'string' ? (/^(.*\/)?[^/]*\.(m3u8|mpd)$/.exec(output) ?? []) : [];
  if (preset !== undefined || kind === undefined) return undefined;
  const path = kind === 'm3u8' ? `${folder}stream_%v.m3u8` : output;
  const recipe = { name: kind === 'm3u8' ? 'hls' : 'dash', ...(top !== undefined && { arguments: { top } }) };
  return { ...sendMembers({ preset: recipe, output: path }), why: 'the recipe writes three sizes' };
}

/**
 * The recipe with several sizes that a name means: "hls" or "dash" is a part of the name, the name is almost "mp4-ladder", or a word such as
 * "adaptive" goes with a manifest as `output`. undefined for other names.
 */
function ladderOf(name: string, output: unknown): string | undefined {
  if (LADDERS.test(name)) return name;
  const word = /(?:^|[-_ ])(hls|dash)(?=[-_ ]|$)/i.exec(name)?.[1]?.toLowerCase();
  const isOfPlayers = /adaptive|abr|stream|ladder/i.test(name);
  const kind = isOfPlayers ? /\.(m3u8|mpd)$/i.exec(stringOf(output))?.[1]?.toLowerCase() : undefined;
  return word ?? closestMatch(name, ['mp4-ladder']) ?? (kind && (kind === 'mpd' ? 'dash' : 'hls'));
}

/** The fix for sizes as an argument of a recipe that writes several sizes. `request`: the object with the recipe. */
export function topOf(name: string, value: unknown, request: unknown): Edits | undefined {
  const preset = memberAt(request, ['preset']);
  const sent = memberAt(preset, ['name']);
  const recipe = typeof sent === 'string' ? ladderOf(sent, memberAt(request, ['output'])) : undefined;
  if (!meansRenditions(name) || recipe === undefined) return undefined;
  const top = topOfRenditions(value);
  const { [name]: _, ...others } = memberAt(preset, ['arguments']) as Readonly<Record<string, unknown>>;
  if (recipe !== sent) {
    const own = { ...others, ...(top !== undefined && { top }) };
    return {
      ...sendMember('preset', { name: recipe, ...(Object.keys(own).length > 0 && { arguments: own }) }),
      ...(/rate/i.test(JSON.stringify(value)) && { why: 'it sets the bit rates itself' }),
    };
  }
  return top === undefined
    ? { ...leaveOut(undefined, threeSizes(recipe)), note: '"top" is the largest height.' }
    : sendMember('arguments', { ...others, top });
}

const threeSizes = (recipe: string): string =>
  `the recipe "${recipe}" writes three sizes, with bit rates that suit them`;
