import type { ConversionRequest } from '../../domain/conversion.ts';
import { addIn } from '../../domain/edit.ts';
import type { Warning } from '../../domain/plan.ts';

/** Names of tags that players show (https://wiki.multimedia.cx/index.php/FFmpeg_Metadata). */
const TAGS = new Set([
  ...['title', 'artist', 'album', 'album_artist', 'composer', 'genre', 'date', 'year', 'track', 'disc', 'comment'],
  ...['copyright', 'description', 'synopsis', 'language', 'lyrics', 'publisher', 'performer'],
]);

/** Warns if the metadata of a request has names of tags, which the client probably wants in the output. */
export function tagWarnings({ metadata, parameters = {}, outputs = [] }: ConversionRequest): Warning[] {
  if (metadata === undefined) return [];
  const tags = Object.entries(metadata).filter(([name]) => TAGS.has(name.toLowerCase()));
  const all = [{ parameters }, ...outputs];
  if (tags.length === 0 || all.some((one) => Object.hasOwn(one.parameters ?? {}, 'metadata'))) return [];
  const pairs = tags.map(([name, value]) => `${name.toLowerCase()}=${value}`);
  return [
    {
      field: '/metadata',
      code: 'NOT_WRITTEN',
      message: `"metadata" beside "parameters" is your own data about the job; ${tags.map(([name]) => JSON.stringify(name)).join(', ')} is not written to the output.`,
      fix: { ...addIn('parameters', 'metadata', pairs), why: 'that writes tags into the output' },
    },
  ];
}
