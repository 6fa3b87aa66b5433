import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import { COPIED_SUBTITLES, choice, phrases, VIDEO, WITHOUT_SUBTITLES } from './parts.ts';

/** Recipes for editing and delivery formats, and a recipe that removes metadata. */
export const PROFESSIONAL: readonly Recipe[] = [
  {
    name: 'prores',
    version: 1,
    title: 'ProRes for editing',
    description:
      'Converts a video to Apple ProRes with uncompressed audio, for Final Cut, Premiere and DaVinci Resolve. Files are large.',
    result: WITHOUT_SUBTITLES,
    words: phrases`
      prores, apple, final cut, premiere, davinci, resolve, editing, intermediate, mezzanine, mov, post production, 422,
      final cut cannot read, imovie, final cut pro, davinci resolve cannot open, for editors, editing program, premiere
      cannot import, vfx, editing codec, edit on a mac, prepare footage, edits smoothly, smooth editing, cutting
      program, edit friendly, for cutting, edit footage on a mac`,
    inputs: [VIDEO],
    outputs: ['mov', 'mkv'],
    arguments: {
      profile: choice({ proxy: '0', lt: '1', standard: '2', hq: '3' }, 'hq', 'The profile of ProRes 422.'),
    },
    request: {
      parameters: {
        'c:v': 'prores_ks',
        'profile:v': '{{profile}}',
        vendor: 'apl0',
        pix_fmt: 'yuv422p10le',
        'c:a': 'pcm_s16le',
      },
    },
  },
  {
    name: 'dnxhr',
    version: 2,
    title: 'DNxHR for editing',
    description:
      'Converts a video to Avid DNxHR with uncompressed audio, for Media Composer, Resolve and Premiere. Files are large.',
    result: WITHOUT_SUBTITLES,
    words: phrases`
      dnxhr, dnxhd, avid, media composer, mxf, editing, intermediate, mezzanine, resolve, linux, mxf for avid, editing
      program, premiere, davinci resolve, premiere cannot import, editing codec, broadcast delivery, cannot import, edit
      footage in avid, cutting program`,
    inputs: [VIDEO],
    outputs: ['mov', 'mxf'],
    arguments: {
      profile: choice(
        { lb: 'dnxhr_lb', sq: 'dnxhr_sq', hq: 'dnxhr_hq' },
        'hq',
        'Low bandwidth, standard or high quality.',
      ),
    },
    request: {
      parameters: {
        'c:v': 'dnxhd',
        'profile:v': '{{profile}}',
        pix_fmt: 'yuv422p',
        'c:a': 'pcm_s16le',
        ar: '48000',
      },
    },
  },
  {
    name: 'remove-metadata',
    version: 3,
    title: 'Remove metadata',
    description:
      'Removes all tags of a file and of its tracks (place, camera, title, language), chapters, and data tracks such as positions. Nothing is re-encoded.',
    result: { keeps: ['picture', 'sound', 'all-sound', 'subtitles', 'hdr', 'alpha', 'cover'] },
    words: phrases`
      metadata, tags, exif, gps, location, privacy, strip, anonymous, camera info, place info, strip gps,
      gps data, before publishing, hide where it was filmed, geotag, location data, remove title, remove chapters,
      creation date, camera model, clean file, where it was recorded, where it was filmed, before posting, private data,
      hidden data, author, traces, no one should learn where, camera details, who made it, before sharing, recording
      place`,
    inputs: [{ role: 'media', description: 'A video or an audio file.' }],
    outputs: ['mp4', 'mov', 'm4v', 'mkv', 'webm', 'mp3', 'm4a', 'flac', 'wav'],
    arguments: {},
    request: {
      parameters: {
        map: ['0', '-0:d'],
        c: 'copy',
        'c:s': COPIED_SUBTITLES['c:s'],
        // Streams have their own tags, which the option for the file does not remove.
        map_metadata: '-1',
        'map_metadata:s': '-1',
        map_chapters: '-1',
      },
    },
  },
];
