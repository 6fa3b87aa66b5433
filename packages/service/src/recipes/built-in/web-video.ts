import type { Recipe } from '@telecine/contract/domain/recipe.ts';
import {
  atMostInput,
  COPIED,
  choice,
  ENCODED,
  EVEN,
  FAST_START,
  FIT_HEIGHT,
  FONTS,
  filteredVideo,
  H264,
  H264_FILES,
  H264_QUALITY,
  H264_WITHOUT_CRF,
  HEIGHT,
  number,
  phrases,
  qualityOf,
  STEREO_AAC,
  STEREO_OPUS,
  subtitlesIn,
  TO_HEIGHT,
  VIDEO,
  WITH_SUBTITLES,
  WITH_TEXT,
  WITH_WEBVTT,
  WITHOUT_SUBTITLES,
  wholeNumber,
} from './parts.ts';

const SUBTITLES = subtitlesIn('output.mp4|output.mov|output.m4v');

/** Recipes for browsers, phones and players. */
export const WEB_VIDEO: readonly Recipe[] = [
  {
    name: 'web-h264',
    version: 2,
    title: 'MP4 for the web (H.264)',
    description:
      'Converts a video to an MP4 that plays in every browser, phone and player, and starts while it loads. Use it if you need nothing else.',
    result: ENCODED,
    words: phrases`
      mp4, webm to mp4, h264, avc, browser, website, html5, everywhere, compatible, phone, plays, upload, mov, avi, mkv, standard,
      youtube, instagram, telegram, run on old devices, runs anywhere, windows, mac, laptop, smart tv, television, every
      device, all devices, cannot open, does not play, homepage, web page, hero video, background of a website, vimeo,
      facebook, linkedin, twitter, wmv, flv, universal, iphone to windows, works on any phone, old
      television, works everywhere, play in any browser, every computer, does not accept, format that everybody can
      open, plays anywhere, phone video on a computer, common format, does not open, will not play, cannot be opened,
      gif to video, plays on android but not on a mac, incompatible, make it compatible, at most 720 lines`,
    inputs: [VIDEO],
    outputs: H264_FILES,
    arguments: { ...H264_QUALITY, ...HEIGHT },
    request: {
      parameters: { ...FIT_HEIGHT, ...H264, ...STEREO_AAC, ...WITH_SUBTITLES, ...FAST_START },
    },
  },
  {
    name: 'web-hevc',
    version: 2,
    title: 'HEVC (H.265) for phones and televisions',
    description:
      'Converts a video to an MP4 with H.265, about a third smaller than H.264 at the same quality. Apple devices and televisions play it; not every browser does.',
    result: ENCODED,
    words: phrases`
      h265, x265, hevc, apple, iphone, tv, hvc1, efficient, newer codec, newer iphone, 4k tv, same quality half the
      size, hevc mp4, transcode to h265, save bandwidth on apple devices, apple tv`,
    inputs: [VIDEO],
    outputs: H264_FILES,
    arguments: { ...qualityOf({ small: '30', good: '26', high: '22', best: '18' }), ...HEIGHT },
    request: {
      parameters: {
        ...FIT_HEIGHT,
        'c:v': 'libx265',
        preset: 'medium',
        crf: '{{quality}}',
        pix_fmt: 'yuv420p',
        'tag:v': 'hvc1',
        ...STEREO_AAC,
        ...WITH_SUBTITLES,
        ...FAST_START,
      },
    },
  },
  {
    name: 'web-av1',
    version: 2,
    title: 'AV1 for modern browsers',
    description:
      'Converts a video to AV1 with Opus audio: the smallest files that browsers play today, and slow to encode.',
    result: ENCODED,
    words: phrases`
      av1, svt, smallest, modern, webm, royalty free, bandwidth, av1 video, newest codec, next generation, netflix codec`,
    inputs: [VIDEO],
    outputs: ['webm', 'mkv', 'mp4'],
    arguments: {
      ...qualityOf({ small: '45', good: '35', high: '28', best: '22' }),
      // The encoder rejects smaller images.
      height: { ...HEIGHT.height, min: 64 },
    },
    request: {
      parameters: {
        ...FIT_HEIGHT,
        'c:v': 'libsvtav1',
        preset: '8',
        crf: '{{quality}}',
        g: '240',
        pix_fmt: 'yuv420p',
        ...STEREO_OPUS,
        ...WITH_TEXT,
      },
    },
  },
  {
    name: 'web-vp9',
    version: 3,
    title: 'WebM for the web (VP9)',
    description: 'Converts a video to WebM with VP9 and Opus, the free formats that all current browsers play.',
    result: { keeps: [...ENCODED.keeps, 'alpha'] },
    words: phrases`
      webm, vp9, opus, open, free, wikipedia, firefox, chrome, webm video, open source format, html5 webm, vp9 opus,
      free format`,
    inputs: [VIDEO],
    outputs: ['webm', 'mkv'],
    arguments: { ...qualityOf({ small: '40', good: '33', high: '28', best: '22' }), ...HEIGHT },
    request: {
      parameters: {
        ...FIT_HEIGHT,
        'c:v': 'libvpx-vp9',
        crf: '{{quality}}',
        'b:v': '0',
        'row-mt': '1',
        deadline: 'good',
        'cpu-used': '3',
        pix_fmt: { when: 'input.alpha', value: 'yuva420p', otherwise: 'yuv420p' },
        ...STEREO_OPUS,
        ...WITH_WEBVTT,
      },
    },
  },
  {
    name: 'looks-the-same',
    version: 2,
    title: 'As small as possible, looks the same',
    description:
      'Compresses a video to the smallest H.264 file that looks like the source: the job tries samples, and measures the result. Takes about twice as long as a plain conversion.',
    result: ENCODED,
    words: phrases`
      as small as possible, looks the same, visually lossless, no visible loss, smallest without losing quality,
      optimal quality, constant quality, vmaf, ssim, xpsnr, per title, qvbr, best compression, ab-av1, no visible
      difference, target quality, perceptual quality, same quality smaller, shrink without visible loss`,
    inputs: [VIDEO],
    outputs: H264_FILES,
    arguments: {
      target: number(
        0.8,
        0.999,
        0.98,
        'How much the video is like its source, as SSIM: 0.98 looks the same, 0.96 is smaller, 0.99 is for editing.',
      ),
      ...HEIGHT,
    },
    request: {
      quality: { target: '{{target}}' },
      parameters: { ...FIT_HEIGHT, ...H264_WITHOUT_CRF, ...STEREO_AAC, ...WITH_SUBTITLES, ...FAST_START },
    },
  },
  {
    name: 'target-size',
    version: 6,
    title: 'Compress a video to fit a size in MB',
    description:
      'Compresses a video to at most a number of megabytes, in two passes, and in up to three more if the file is too large. The frame size is chosen by samples to suit the bit rate. A video that fits already is encoded to a little less than its own size.',
    result: { ...WITHOUT_SUBTITLES, changes: ['size'] },
    words: phrases`
      mb, discord, email, attachment, whatsapp, under, less than, upload limit, small enough, too big, too large,
      compress, bitrate, send, attach, upload, slack, messenger, email a video, video for email, megabyte, under 25 mb,
      maximum size, at most, size limit, no larger than, teams, gmail, outlook, refuses, file is too large to send, fit
      in, specific size, exact size in mb, telegram limit, whatsapp limit, discord limit, my clip is too big, gameplay
      recording, signal, sms, mms, 8 mb, 500 kb, 1 gb, fits, upload form, forum, form, takes only, over the limit,
      accepts at most, small enough to send, mail it, no more than, smaller than 10 mb, get it down to, quota, allowed
      size, below the limit`,
    inputs: [VIDEO],
    outputs: ['mp4', 'mov', 'm4v'],
    arguments: {
      size: number(0.1, 100_000, 'required', 'The largest size in megabytes (of 1,000,000 bytes).', 'MB'),
      height: atMostInput(
        wholeNumber(
          16,
          4320,
          'optional',
          'The height in pixels, at most that of the source. Without it, the job chooses the frame size.',
          'px',
        ),
      ),
    },
    values: {
      // All rates are in kbit/s. 24 is for audio, because the AAC encoder never goes below 22, and 1 because it exceeds its bit rate. The index of an
      // MP4 has about 12 bytes a frame, and with audio 28, because parts of both alternate, and 90 a second. 0.99 is for encoders that miss their bit
      // rate: the job encodes a file that is too large all the same again. 0.94 keeps a video that fits already below its own size.
      tracks: 'min(1, input.sounds)',
      needed: '20 + 25 * tracks',
      index: '0.008 * ((12 + 16 * tracks) * input.fps + 90 * tracks + 1000 / input.partDuration)',
      smallest: 'ceil((needed + index) / 0.99 * input.partDuration / 80) / 100',
      total: 'min(0.99 * size * 8000 / input.partDuration, 0.94 * input.bitrate / 1000) - index',
      sound: 'max(24, min(128, floor(total * 0.15)))',
      rate: 'max(20, floor(total - (sound + 1) * tracks))',
      lines: '2 * floor(max(2, min(input.height, height)) / 2)',
      bytes: 'floor(size * 1000000)',
    },
    limits: {
      size: {
        min: 'smallest',
        reason: 'A smaller file does not have enough bytes for the video, and for the audio if there is any.',
      },
    },
    request: {
      maxBytes: '{{bytes}}',
      frameSize: 'auto',
      parameters: {
        // Square pixels and even sides. The job scales these frames down.
        vf: {
          when: 'height',
          value: "scale='2*max(1,round({{lines}}*dar/2))':{{lines}},setsar=1",
          otherwise: "scale='2*max(1,round(ih*dar/2))':'2*max(1,floor(ih/2))',setsar=1",
        },
        ...H264_WITHOUT_CRF,
        'b:v': '{{rate}}k',
        pass: '2',
        // Films of 10 seconds then usually miss their bit rate by less than 1 %, and not by up to 4 %.
        'x264-params': 'ratetol=0.1',
        ...STEREO_AAC,
        'b:a': '{{sound}}k',
        ...FAST_START,
      },
    },
  },
  {
    name: 'fast-start',
    version: 2,
    title: 'Fast start: play while it loads',
    description:
      'Moves the index of an MP4 to its beginning without re-encoding, so that players start before the whole file is loaded and can seek.',
    result: COPIED,
    words: phrases`
      faststart, moov, progressive download, starts, loading, buffering, streaming, seek, instantly, waits, download
      first, moov atom, web optimized, plays before it is downloaded, downloaded completely, streamable mp4, index at
      the front, start immediately, metadata to the front, wait until loaded, downloads everything first, whole file
      before it plays, begin playing, until everything is downloaded, loads completely before it plays`,
    inputs: [VIDEO],
    outputs: ['mp4', 'mov', 'm4v', 'm4a'],
    arguments: {},
    request: {
      parameters: {
        map: ['0:v?', '0:a?', '{{#input.textTracks}}{{input.textTracks}}{{/input.textTracks}}'],
        c: 'copy',
        'c:s': { when: 'input.textTracks', value: 'mov_text' },
        ...FAST_START,
      },
    },
  },
  {
    name: 'change-container',
    version: 3,
    title: 'Another container without re-encoding',
    description:
      'Puts the same streams into another container, such as MKV into MP4, in seconds and without any loss: all video and audio, chapters, tags, and the subtitles that the container holds (MKV all; MP4 and MOV only text, TS none).',
    result: COPIED,
    words: phrases`
      remux, mkv to mp4, rewrap, copy, lossless, no quality loss, container, without re-encoding, reencode, rewrap mkv,
      mov to mp4 without quality loss, avi to mp4 without loss, repackage, wrapper, same streams, no recompression, big
      mkv on an ipad, quickly convert mkv, losslessly, same streams as mp4, only the container, keep the codecs, do not
      touch the picture, switch container, mkv as mp4, copy the streams, mov into mp4, other wrapper, just the file type`,
    inputs: [VIDEO],
    outputs: ['mp4', 'mov', 'm4v', 'mkv', 'ts'],
    arguments: {},
    request: { parameters: { map: ['0:v?', '0:a?', SUBTITLES.map, FONTS], c: 'copy', 'c:s': SUBTITLES['c:s'] } },
  },
  filteredVideo({
    name: 'repair',
    version: 2,
    title: 'Repair a damaged video',
    description:
      'Re-encodes what can be read of a damaged video, so that it plays to the end: with a still image and silence where data is lost. To find the damage first, measure "errors". A file without its index (moov atom) cannot be read at all.',
    result: WITHOUT_SUBTITLES,
    words: phrases`
      broken, corrupt, corrupted, damaged, defective, fix, recover, rescue, salvage, restore, errors, check a file for
      errors, find what is wrong with a broken file, what is wrong with this file, test whether a file is intact,
      integrity, verify a file, damaged file, broken recording, does not play to the end, stops in the middle, freezes
      in the middle, hangs, glitch, artefacts, green picture, macroblocks, interrupted recording, bad sectors, scratched
      disc, recover a recording, half of it plays, crash of the camera, incomplete download, find errors, faulty, decode
      errors, lost data, unplayable part`,
    inputs: [{ ...VIDEO, parameters: { fflags: '+genpts', err_detect: 'ignore_err' } }],
    parameters: { vf: EVEN, fps_mode: 'cfr', af: 'aresample=async=1' },
  }),
  filteredVideo({
    name: 'resize',
    version: 3,
    title: 'Resize a video',
    description: 'Scales a video to a height such as 720, also a smaller one up, and keeps its proportions.',
    result: { ...ENCODED, changes: ['size'] },
    words: phrases`
      scale, resolution, 720p, 1080p, 480p, 4k, downscale, upscale, width, height, dimensions, lower resolution, hd,
      uhd, scale down, scale up, smaller resolution, full hd, half hd, 1440p, 2160p, 240p, 360p, lower the resolution,
      from 4k to 1080p, make it 1080p, too many pixels, proportions, shrink dimensions, 720p version, p version, fewer
      pixels, for a small screen, picture size, smaller frame, half the resolution, reduce the resolution, different
      resolution`,
    arguments: {
      height: wholeNumber(16, 4320, 720, 'The height in pixels.', 'px'),
    },
    parameters: { vf: 'scale=-2:trunc({{height}}/2)*2:flags=lanczos' },
  }),
  {
    name: 'compress',
    version: 2,
    title: 'Make a video smaller',
    description:
      'Re-encodes a video so that it takes much less space and still looks well, without a given size in MB.',
    result: { ...ENCODED, changes: ['size'] },
    words: phrases`
      shrink, reduce, space, storage, archive, smaller, lighter, compress, compression, filesize, huge, takes too much
      space, too much disk space, save disk space, save space, hard disk is full, make it smaller, smaller file, reduce
      the size, reduce bitrate, crf, archive of old videos, phone is full, cloud storage, less room, less space, slim,
      still looks good, good looking, lighter file, hard drive, library, ssd, backup of videos, half the file size, file
      size smaller, reduce file size, drive is full, storage is full, too heavy, without a size in mind, smaller copy,
      smaller copies, lower quality, quality is not important, quality does not matter, less memory, fewer megabytes, as
      small as possible, acceptable quality`,
    inputs: [VIDEO],
    outputs: H264_FILES,
    arguments: {
      strength: choice({ light: '24', normal: '27', strong: '31' }, 'normal', 'How much smaller the file gets.'),
      height: atMostInput(wholeNumber(16, 4320, 1080, 'The greatest height in pixels.', 'px')),
    },
    request: {
      parameters: {
        vf: TO_HEIGHT,
        ...H264,
        preset: 'slow',
        crf: '{{strength}}',
        ...STEREO_AAC,
        'b:a': '{{#input.mono}}48k{{/input.mono}}{{^input.mono}}96k{{/input.mono}}',
        ...WITH_SUBTITLES,
        ...FAST_START,
      },
    },
  },
];
