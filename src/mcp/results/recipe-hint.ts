import { isMembers } from '../../domain/members.ts';
import type { HasTool } from '../tool-names.ts';

/** What people do by hand, in the JSON of a call, and the recipe that does it. The more special comes first. */
const BY_HAND: readonly (readonly [call: RegExp, recipe: string])[] = [
  [/var_stream_map|master_pl_name|\.m3u8"/, 'hls'],
  [/adaptation_sets|\.mpd"/, 'dash'],
  [/"segment(?:_time|_times|_list)?"/, 'split'],
  [/"(?:passlogfile|pass)"|target_?size|max_?size/i, 'target-size'],
  [/subtitles?=|"(?:burn|hard)_?sub/i, 'burn-subtitles'],
  [/\bmov_text\b|"(?:c:s|scodec)"|"subtitles?"/, 'soft-subtitles'],
  [/\bamix\b|\bamerge\b|sidechaincompress/, 'background-music'],
  [/\banullsrc\b/, 'add-silent-sound'],
  [/"-?attached_pic|attached_pic"/, 'add-cover'],
  [/\bxfade\b|\bacrossfade\b|\bconcat\b/, 'join'],
  [/\bsilenceremove\b/, 'remove-silence'],
  [/\bpalette(?:gen|use)\b|\.gif"/, 'gif'],
  [/\b[hvx]stack\b/, 'side-by-side'],
  [/\btile\b/, 'contact-sheet'],
  [/\boverlay\b.*\b(?:logo|watermark)|\b(?:logo|watermark)\b.*\boverlay\b/is, 'watermark'],
  [/\boverlay\b/, 'picture-in-picture'],
  [/\bvidstab|\bdeshake\b/, 'stabilise'],
  [/\bshowwaves/, 'waveform'],
  [/\batempo\b|\bsetpts\b/, 'speed'],
  [/\bdrawtext\b/, 'text-overlay'],
  [/\bloudnorm\b|\bdynaudnorm\b/, 'loudness'],
  [/%\d*d\.(?:jpe?g|png)|"pattern_type"/, 'pictures-to-video'],
  [/"loop"/, 'picture-and-sound'],
];

/** The recipes that the table names. */
export const RECIPES_BY_HAND: readonly string[] = BY_HAND.map(([, name]) => name);

/**
 * A sentence that names the recipe for what a call does by hand, for a call that has an error. undefined if there is none, and for a call
 * that has a recipe.
 */
export function recipeHint(call: unknown, has: HasTool): string | undefined {
  if (!isMembers(call) || call['preset'] !== undefined || call['join'] !== undefined) return undefined;
  const text = JSON.stringify(call);
  const [, name] = BY_HAND.find(([shape]) => shape.test(text)) ?? [];
  if (name === undefined) return undefined;
  return `Or let a recipe do it: "preset": {"name": "${name}"} instead of "parameters"${has('find_recipe') ? `; find_recipe with {"name": "${name}"} shows its arguments` : ''}.`;
}
