import type { Recipe, RecipeArgument } from '@telecine/contract/domain/recipe.ts';
import {
  AAC,
  AUDIO,
  audioFile,
  COPIED_VIDEO,
  choice,
  copyTracks,
  ENCODED,
  EVEN,
  FAST_START,
  H264_FILES,
  H264_QUALITY,
  H264_VIDEO,
  H264_WITHOUT_CRF,
  number,
  phrases,
  SOUND,
  TAGS_OF_OGG,
  TO_MONO,
  VIDEO,
  WITH_SUBTITLES,
  wholeNumber,
} from './parts.ts';

/** Defines the argument for the bit rate of audio, in kbit/s. */
const bitrate = (min: number, max: number, usual: number) => ({
  bitrate: wholeNumber(min, max, usual, 'In kbit/s.', 'kbit/s'),
});

const BITRATE = { 'b:a': '{{bitrate}}k' } as const;

const LOUDNESS = {
  target: number(-40, -5, -16, 'The loudness in LUFS.', 'LUFS'),
  truePeak: number(
    -9,
    0,
    -1.5,
    'The highest true peak in dBTP. Higher peaks are limited, even if the loudness is then missed. WAV and FLAC keep it within 0.2 dB.',
    'dB',
  ),
} as const satisfies Readonly<Record<string, RecipeArgument>>;

/** Options that reach a loudness within 0.5 LU, because a first pass measures the audio. */
const TO_LOUDNESS = { af: 'loudnorm=I={{target}}:TP={{truePeak}}:LRA=11', ar: '48000', pass: '2' } as const;

/** The arguments for audio that is added to a video: its start and its fades. */
const ADDED = {
  start: { type: 'time', description: 'When in the video it begins. Default: at once.' },
  fadeIn: number(0.1, 60, 'optional', 'Seconds in which it fades in. Default: none.', 's'),
  fadeOut: number(0.1, 60, 'optional', 'Seconds in which it fades out before the video ends. Default: none.', 's'),
} as const satisfies Readonly<Record<string, RecipeArgument>>;

/** The filters for the arguments in `ADDED`. Each begins with a comma. */
const PLACED =
  '{{#fadeIn}},afade=t=in:d={{fadeIn}}{{/fadeIn}}{{#start}},adelay={{delay}}:all=1{{/start}}{{#fadeOut}},afade=t=out:st={{fadeOutStart}}:d={{fadeOut}}{{/fadeOut}}';
const PLACED_VALUES = {
  // In milliseconds, because ffmpeg 5.1 reads "0.5s" as half a millisecond.
  delay: '1000 * start',
  fadeOutStart: 'max(0, input.duration - fadeOut)',
} as const;

/** Recipes for audio files and for the audio of videos. */
export const AUDIO_RECIPES: readonly Recipe[] = [
  audioFile({
    name: 'mp3',
    version: 2,
    title: 'MP3, also the audio of a video',
    description:
      'Writes the audio of a video or an audio file as MP3, which everything plays. Tags such as the title stay.',
    words: phrases`
      mp3, webm to mp3, ogg to mp3, opus to mp3, second language, second audio track, audio of another language, car radio, car stereo, stereo to mono, extract audio, song, music, soundtrack, audio only, rip, podcast player, youtube to mp3, wav to mp3,
      ringtone, voice only, call, meeting, save the sound, audio of a video, sound of a lecture, get the audio, audio
      from a video, take the audio out, zoom call, only the voice, only the sound, audio file, convert to mp3, m4a to
      mp3, flac to mp3, phone call, soundtrack of a film, music out of a video, listen, just the audio, audio out of,
      only sound, just the music, song from a video, interview audio, rip the sound, audio track as mp3, keep tags,
      sound as mp3, just the sound, lecture as audio, listen on the way, ringtone from a song, song file, sound only,
      only the audio track, pull the sound`,
    outputs: ['mp3'],
    arguments: {
      quality: choice({ small: '6', good: '2', best: '0' }, 'good', 'The quality of the audio.'),
    },
    parameters: { 'c:a': 'libmp3lame', 'q:a': '{{quality}}' },
  }),
  audioFile({
    name: 'm4a',
    version: 2,
    title: 'AAC in M4A, also the audio of a video',
    description: 'Writes the audio of a video or an audio file as AAC, smaller than MP3 at the same quality.',
    words: phrases`
      aac, m4a, second audio track, audio of another language, extract audio, itunes, apple music, audio only, soundtrack, aac audio, iphone ringtone, audio for apple,
      audio from a video, audiobook for iphone, mp4 audio, sound as aac, only the sound as m4a, ringtone`,
    outputs: ['m4a', 'm4b'],
    arguments: bitrate(32, 512, 160),
    parameters: { 'c:a': 'aac', ...BITRATE, ...FAST_START },
  }),
  audioFile({
    name: 'flac',
    version: 2,
    title: 'Lossless FLAC',
    description: 'Writes the audio without any loss, at about half the size of WAV.',
    words: phrases`
      flac, lossless, archive, hifi, audiophile, extract audio, cd, vinyl, lossless audio, no loss, preserve every
      sample, wav to flac, rip a cd, backup of music, without any loss, music collection, bit perfect, lossless music,
      music archive`,
    outputs: ['flac'],
    parameters: { 'c:a': 'flac' },
  }),
  audioFile({
    name: 'wav',
    version: 2,
    title: 'WAV for editing and transcription',
    description: 'Writes the audio as uncompressed WAV, 16 or 24 bits, for audio editors and speech recognition.',
    words: phrases`
      wav, pcm, uncompressed, for speech recognition, for whisper, 16 khz, audacity, extract audio, speech to text, for
      an ai transcription, subtitles by ai, 16000, mono wav, audio editor, daw, pro tools, recogniser, dictated,
      uncompressed audio, lecture to text, transcribe voice memos, voice memo to text, flac to wav, mp3 to wav, prepare
      for transcription, stt, asr, uncompressed sound, text from speech, raw sound file, speech model`,
    outputs: ['wav'],
    arguments: {
      bits: choice({ '16': 'pcm_s16le', '24': 'pcm_s24le' }, '16', 'Bits of a sample.'),
      rate: wholeNumber(8000, 192_000, 'optional', 'Samples per second. Default: the rate of the input.', 'Hz'),
      mono: { type: 'flag', default: false, description: 'Whether all channels are mixed to one.' },
    },
    parameters: { 'c:a': '{{bits}}', ar: '{{rate}}', ac: { when: 'mono', value: '1' } },
  }),
  audioFile({
    name: 'podcast',
    version: 3,
    title: 'Podcast episode',
    description:
      'Prepares speech for a podcast: measures it, and brings it to -16 LUFS within 0.5 LU, its true peak limited to -1.5 dBTP before it is encoded, without rumble, as a mono MP3.',
    result: { ...SOUND, changes: ['loudness'] },
    words: phrases`
      podcast, episode, interview, speech, radio, talk, spotify, voice recording, audiobook, episodes, podcast ready,
      publish a podcast, equally loud episodes, spoken word, speaker, prepare an interview, sermon, lecture audio, radio
      edit, audio show, ready to publish, spoken, talk show`,
    outputs: ['mp3'],
    arguments: bitrate(32, 320, 96),
    parameters: {
      // Mix to mono before loudness is measured, because a mix of two channels is quieter than both together.
      af: 'aformat=channel_layouts=mono,highpass=f=80,acompressor=threshold=0.1:ratio=3:attack=10:release=200,loudnorm=I=-16:TP=-1.5:LRA=11',
      ar: '44100',
      pass: '2',
      'c:a': 'libmp3lame',
      ...BITRATE,
    },
  }),
  audioFile({
    name: 'opus',
    version: 2,
    title: 'Opus, also the audio of a video',
    description:
      'Writes the audio of a video or an audio file as Opus, the smallest at the same quality. Tags such as the title stay.',
    words: phrases`
      opus, plain opus, ogg opus, opus music, music as opus, convert to opus, mp3 to opus, flac to opus, wav to opus,
      sound as opus, audio as opus, opus file, keep tags, sound for browsers, audio for the web, smaller than mp3, ogg`,
    outputs: ['opus', 'ogg'],
    arguments: bitrate(16, 450, 112),
    parameters: { 'c:a': 'libopus', ...BITRATE },
  }),
  audioFile({
    name: 'sound-speed',
    version: 2,
    title: 'Change the speed of an audio file',
    description:
      'Plays an audio file, or the audio of a video, faster or slower at the same pitch: 1.5 is one and a half times as fast.',
    result: { keeps: ['sound', 'languages', 'cover', 'tags'], times: 'speed' },
    words: phrases`
      faster audio, slower audio, faster podcast, speed up a podcast, speed up an audiobook, audiobook faster, listen
      faster, slow down a song, slow music down, speed up audio, slow down audio, audio tempo, tempo of a song, change
      the tempo, faster speech, slower speech, 1.5x audio, recording faster, lecture audio faster, audio at double
      speed, audio at half speed, podcast faster, 1.5 times as fast, times as fast, same pitch, without changing the
      pitch`,
    arguments: {
      factor: number(0.25, 100, 1.5, 'How many times as fast.', 'x'),
    },
    // One `atempo` filter reaches factors from 0.5 to 100. Two filters in a row reach 0.25.
    parameters: { af: 'atempo=sqrt({{factor}}),atempo=sqrt({{factor}})' },
  }),
  audioFile({
    name: 'opus-voice',
    version: 2,
    title: 'Opus for speech',
    description: 'Writes speech as Opus with a very low bit rate, such as a voice message: an hour takes about 10 MB.',
    words: phrases`
      opus, voice message, voice note, speech, low bitrate, tiny, ogg, whatsapp voice, dictation, call recording, as
      small as possible, smallest sound file, small voice recording, telegram voice, speech at a low bitrate, memo,
      hours of speech, tiny voice message, voice messages, small speech file`,
    outputs: ['opus', 'ogg'],
    arguments: bitrate(6, 128, 24),
    parameters: { 'c:a': 'libopus', ...BITRATE, application: 'voip', ac: '1', af: TO_MONO },
  }),
  audioFile({
    name: 'loudness',
    version: 3,
    title: 'Even out the loudness of an audio file',
    description:
      'Brings audio to a loudness by EBU R128 in two passes, within 0.5 LU, so that it is as loud as others: -16 LUFS for podcasts, -14 for streaming, -23 for broadcast. The true peak is at most `truePeak` before it is encoded: encoders with loss add some tenths of a decibel.',
    result: { ...SOUND, changes: ['loudness'] },
    words: phrases`
      normalize, normalise, lufs, ebu r128, r128, too quiet, too loud, same volume, loudnorm, even volume, consistent,
      spotify level, level out, levels, make it equally loud, same loudness, different volumes, loudness standard,
      mastering, replaygain, even out, normalising audio, sound is hard to hear, quiet audio, hear, hardly hear, same
      level, equally loud, volume jumps, jumps in volume, one is louder than the other, balance the volume, bring to one
      loudness, all equally loud, loudness differs, sound too quiet, lufs target, same volume for all, songs equally
      loud, recording is too quiet, all songs at one volume, loudness of songs, much too quiet`,
    arguments: LOUDNESS,
    parameters: { ...TO_LOUDNESS },
  }),
  {
    name: 'video-loudness',
    version: 5,
    title: 'Even out the loudness of a video',
    description:
      'Brings the audio of a video to a loudness by EBU R128 in two passes, within 0.5 LU. The video is copied. If an MP4 cannot store it, it is encoded as H.264.',
    result: { keeps: [...ENCODED.keeps, 'hdr'], changes: ['loudness'] },
    words: phrases`
      normalize, normalise, lufs, ebu r128, too quiet, too loud, same volume, loudnorm, broadcast, even volume, video is
      too quiet, video is too loud, film dialogue too quiet, even sound in a video, hear, quiet video, normalise the
      sound of a video, dialogue, movie too quiet, clips of different loudness, uneven sound of a film, volume of a film
      jumps, uneven volume in a video, loudness of a video`,
    inputs: [VIDEO],
    outputs: H264_FILES,
    arguments: LOUDNESS,
    request: {
      parameters: {
        ...COPIED_VIDEO,
        ...TO_LOUDNESS,
        ...AAC,
        'b:a': '192k',
        ...WITH_SUBTITLES,
        ...FAST_START,
      },
    },
  },
  {
    name: 'change-volume',
    version: 5,
    title: 'Louder or quieter',
    description:
      'Changes the volume of a video or of an audio file by some decibels. The video is copied. If an MP4 cannot store it, it is encoded as H.264.',
    result: { keeps: [...ENCODED.keeps, 'hdr'], changes: ['loudness'] },
    words: phrases`
      volume, gain, amplify, boost, decibel, db, louder, quieter, turn down, turn up the sound, faint, make it louder,
      louder sound, quieter sound, raise the volume, lower the volume, half as loud, twice as loud, boost the sound,
      amplifying, six decibels, a bit louder, raise, reduce the volume, by decibels, by db, half the volume`,
    inputs: [{ role: 'film', description: 'A video or an audio file.' }],
    outputs: [...H264_FILES, 'mp3', 'm4a', 'wav', 'flac'],
    arguments: {
      decibels: number(-60, 40, 'required', 'The change: 6 is twice as high, -6 half.', 'dB'),
    },
    request: {
      parameters: {
        ...COPIED_VIDEO,
        af: 'volume={{decibels}}dB',
        // For the other formats, ffmpeg chooses the right encoder.
        'c:a': { when: 'output.mkv', value: AAC['c:a'] },
        'b:a': '192k',
        ...WITH_SUBTITLES,
        ...FAST_START,
      },
    },
  },
  audioFile({
    name: 'remove-silence',
    version: 3,
    title: 'Remove silence',
    description:
      'Shortens a recording: cuts out the silence at its beginning, and cuts each pause that is longer than "pause" down to it.',
    result: { keeps: ['sound', 'languages', 'cover', 'tags'], times: 'shortened' },
    words: phrases`
      silence, silence at both ends, silence at the start and the end, leading silence, trailing silence, pauses, gaps, dead air, quiet parts, jump cut, shorten recording, trim silence, silenceremove, umm,
      tighten, cut out silence, skip silence, delete pauses, long pauses, nobody speaks, dead time, silent parts, breaks
      in a talk, shorten a talk, nobody talks, nothing is said, thinking breaks, pauses between sentences, skip the
      silent moments, condense a talk, pauses while thinking, where nobody speaks, silent moments, moments of silence,
      where i am not talking, parts without talking, parts without speech, when nobody talks`,
    arguments: {
      threshold: number(-90, -10, -45, 'What counts as silence, in dB.', 'dB'),
      pause: number(
        0.05,
        10,
        0.5,
        'The longest pause that stays, in seconds. ffmpeg before 6.1 leaves half of it.',
        's',
      ),
    },
    // Since ffmpeg 6.1, a pause keeps "stop_duration" at one end and "stop_silence" at the other. Before 6.1, it keeps only "stop_silence",
    // which must not exceed "stop_duration". So each of the two options is half of the pause.
    values: { half: 'pause / 2' },
    parameters: {
      af: 'silenceremove=start_periods=1:start_threshold={{threshold}}dB:stop_periods=-1:stop_duration={{half}}:stop_silence={{half}}:stop_threshold={{threshold}}dB',
    },
  }),
  {
    name: 'video-remove-silence',
    version: 1,
    title: 'Cut silence out of a video',
    description:
      'Cuts each silence that is longer than "pause" down to that length, with its video. The job finds the silence itself, and cuts video and audio at the same frames.',
    result: { keeps: ['picture', 'sound', 'tags'], times: 'shortened' },
    words: phrases`
      remove silence from a video, jump cuts, auto jump cut, cut pauses out of a video, silent parts of a video, video
      without pauses, shorten a screencast, tighten a vlog, delete the silence with its picture, remove dead air from a
      video, video lecture without pauses, cut long pauses out of a talk, pauses out of a lecture, cut the pauses out of
      a recorded talk, long pauses in a video`,
    inputs: [VIDEO],
    outputs: H264_FILES,
    arguments: {
      threshold: number(-90, -10, -40, 'What counts as silence, in dBFS: no sample is louder.', 'dB'),
      pause: number(0.05, 10, 0.5, 'The longest pause that stays, in seconds.', 's'),
      ...H264_QUALITY,
    },
    values: { half: 'pause / 2' },
    request: {
      cut: { remove: { silence: { noiseDb: '{{threshold}}', minSeconds: '{{pause}}' }, marginSeconds: '{{half}}' } },
      parameters: { vf: EVEN, ...H264_VIDEO },
    },
  },
  audioFile({
    name: 'clean-voice',
    version: 3,
    title: 'Reduce noise in a recording',
    description: 'Makes hiss, hum and rumble behind a voice quieter.',
    result: { ...SOUND, changes: ['loudness'] },
    words: phrases`
      noise, denoise, hiss, hum, background noise, clean up, rumble, noisy, fan, microphone, wind, humming, buzz,
      buzzing, static noise, background hiss, air conditioner, reduce noise, noise removal, clear voice, street noise,
      noise in a recording, room noise, fridge, traffic, echo, ventilator, background sounds, disturbing noise, mains
      hum, crackle, noisy interview, hissing, noisy microphone, hum in an interview, remove hiss, remove hum, bad
      microphone, engine noise, behind the voice, wind noise, sound of the wind, noise behind the speech, clean the
      sound, clean up a recording`,
    arguments: {
      strength: number(1, 97, 12, 'How much quieter the noise gets, in dB.', 'dB'),
    },
    // afftdn delays the sound by its window, and drops as much of its end.
    parameters: {
      af: 'highpass=f=80,apad=pad_dur=0.025,afftdn=nr={{strength}},asetpts=PTS-0.025/TB,atrim=start=0',
    },
  }),
  {
    name: 'remove-audio',
    version: 4,
    title: 'Mute a video',
    description:
      'Removes all audio from a video. The video is copied. If an MP4 cannot store it, it is encoded as H.264.',
    result: { keeps: ['picture', 'subtitles', 'hdr', 'alpha', 'chapters', 'tags'] },
    words: phrases`
      mute, no sound, silent, without sound, strip audio, delete the sound, remove the audio track, muted, muting, no
      audio, drop the audio, sound off, without any sound, remove the sound, delete the audio track, silence a video,
      video only, i want no sound, take the sound away, take out the sound, kill the sound, no sound at all, silence the
      clip, sound gone, turn the sound off, remove all sound, sound is not wanted, no audio wanted, get rid of the
      sound, without its sound, sound has to go, leave out the sound, drop the sound, i want none`,
    inputs: [VIDEO],
    outputs: ['mp4', 'mov', 'm4v', 'mkv', 'webm'],
    arguments: {},
    request: {
      parameters: {
        an: '',
        ...copyTracks('0:v?'),
        ...COPIED_VIDEO,
        'c:v': { when: 'input.mp4Rejects', value: COPIED_VIDEO['c:v'].value },
        ...FAST_START,
      },
    },
  },
  {
    name: 'replace-audio',
    version: 4,
    title: 'Replace the audio of a video',
    description:
      'Puts another audio file under a video instead of its own audio. The output ends with the shorter of the two. The video is copied. If an MP4 cannot store it, it is encoded as H.264.',
    result: { keeps: ['picture', 'hdr', 'alpha', 'chapters', 'tags'] },
    words: phrases`
      replace audio, replace the audio and cut it to the length of the video, new soundtrack, voice over, dub, swap audio, add audio, add music, different sound, put a song on a
      silent video, merge audio and video, audio file into a video, add a voice, commentary, narration, swap the sound,
      my own music instead, add sound to a silent video, other language track, combine a video and a sound file, replace
      the soundtrack, swap the soundtrack, other sound, recording from the mixing desk, better recording, clean
      recording instead, external microphone, sync sound, narration instead, change the music, own voice, new audio,
      exchange the sound, another voice track, exchange the audio, other recording of the sound, swap the sound for a
      recording, sound from another file, put a sound under a silent video, another language instead, other language
      instead of the original, replace the original sound`,
    inputs: [VIDEO, { role: 'sound', description: 'The new audio.' }],
    outputs: H264_FILES,
    arguments: ADDED,
    values: PLACED_VALUES,
    request: {
      parameters: { map: ['0:v', '1:a'], ...COPIED_VIDEO, af: PLACED, ...AAC, shortest: '', ...FAST_START },
    },
  },
  {
    name: 'background-music',
    version: 4,
    title: 'Music behind the audio of a video',
    description:
      'Mixes music under the audio of a video, quieter, and repeats it until the video ends. The video is copied. If an MP4 cannot store it, it is encoded as H.264.',
    result: { keeps: ['picture', 'sound', 'hdr', 'alpha', 'chapters', 'tags'], changes: ['loudness'] },
    words: phrases`
      background music, mix, soundtrack, bed, add music, song behind, under the voice, overlay audio, music under my
      talking, music under speech, background song, intro music, music behind a voice, quiet music, mix music, add a
      song under, ducking, soft music, music below the speaker, keep playing below, music while somebody talks, piano
      behind the voice, ambience, softer than the voice, song in the background, music underneath`,
    inputs: [VIDEO, { role: 'music', description: 'The music.', parameters: { stream_loop: '-1', ss: '{{skip}}' } }],
    outputs: H264_FILES,
    arguments: {
      volume: number(0, 1, 0.2, 'The volume of the music, from 0 to 1.'),
      ...ADDED,
      skip: { type: 'time', description: 'How much of the music is left out at its beginning.' },
    },
    values: PLACED_VALUES,
    request: {
      parameters: {
        filter_complex: `[1:a]volume={{volume}}${PLACED}[music];[0:a][music]amix=inputs=2:duration=first:normalize=0[mixed]`,
        map: ['0:v', '[mixed]'],
        ...COPIED_VIDEO,
        ...AAC,
        ...FAST_START,
      },
    },
  },
  {
    name: 'waveform',
    version: 1,
    title: 'Image of the waveform',
    description: 'Draws the waveform of audio into one transparent PNG.',
    result: { keeps: [], incomparable: 'It draws the sound.' },
    words: phrases`
      waveform, wave, amplitude, soundcloud, audio picture, visualise, visualize, graph, plot, sound wave, sound waves,
      picture of the sound, image of the audio, draw the sound, draw audio, audio amplitude, peaks, loudness over time,
      loudness curve, graph of the sound, amplitude curve, picture of the sound wave, image of the wave, wave of a song,
      waves of a recording, curve of the sound`,
    inputs: [AUDIO],
    outputs: ['png'],
    arguments: {
      width: wholeNumber(16, 8192, 1200, 'The width in pixels.', 'px'),
      height: wholeNumber(16, 4320, 240, 'The height in pixels.', 'px'),
      colour: { type: 'colour', default: '#1e90ff', description: 'The colour of the wave.' },
    },
    request: {
      parameters: {
        filter_complex: '[0:a]aformat=channel_layouts=mono,showwavespic=s={{width}}x{{height}}:colors={{colour}}[wave]',
        map: '[wave]',
        'frames:v': '1',
      },
    },
  },
  {
    name: 'audiogram',
    version: 4,
    title: 'Video with a moving waveform',
    description: 'Makes a video of an audio file: its wave moves while it plays, for sites that accept only videos.',
    result: { keeps: ['sound', 'languages', 'chapters', 'tags'] },
    words: phrases`
      audiogram, visualizer, visualiser, equalizer, moving wave, podcast video, music video, audio to video, spectrum,
      moving bars, beat, moving sound bars, sound bars, podcast for youtube, video from a podcast, animated waveform,
      music visualisation, moving sound, audio video for social media, bars that move, only accepts video, takes only
      videos, visual for a song, sound as video, animated sound, reacts to the music`,
    inputs: [AUDIO],
    outputs: H264_FILES,
    arguments: {
      width: wholeNumber(16, 3840, 1280, 'The width in pixels. An odd one becomes even.', 'px'),
      height: wholeNumber(16, 2160, 720, 'The height in pixels. An odd one becomes even.', 'px'),
      colour: { type: 'colour', default: '#1e90ff', description: 'The colour of the wave.' },
    },
    values: { frameWidth: '2 * round(width / 2)', frameHeight: '2 * round(height / 2)' },
    request: {
      parameters: {
        filter_complex:
          '[0:a]showwaves=s={{frameWidth}}x{{frameHeight}}:mode=cline:rate=25:colors={{colour}},format=yuv420p[wave]',
        map: ['[wave]', '0:a'],
        map_metadata: TAGS_OF_OGG,
        'map_metadata:s:a': TAGS_OF_OGG,
        shortest: '',
        ...H264_WITHOUT_CRF,
        preset: 'veryfast',
        crf: '23',
        ...AAC,
        ...FAST_START,
      },
    },
  },
  {
    name: 'add-cover',
    version: 1,
    title: 'Cover image of a song',
    description: 'Puts an image into an MP3 or M4A as its cover. The audio is not re-encoded.',
    result: { keeps: ['sound', 'languages', 'chapters', 'tags'] },
    words: phrases`
      cover art, album art, artwork, id3, embed picture, tag, cover image, mp3 cover, song cover, artwork to my songs,
      picture in an mp3, album picture, cover in a song, cover for a podcast, picture for a song, missing artwork, album
      sleeve, picture in the music player, cover for an mp3, image inside the mp3`,
    inputs: [
      { role: 'sound', description: 'The song.' },
      { role: 'picture', description: 'The cover, best as JPEG or PNG.' },
    ],
    outputs: ['mp3', 'm4a'],
    arguments: {},
    request: {
      parameters: { map: ['0:a', '1:v'], 'c:a': 'copy', 'c:v': 'mjpeg', 'q:v': '3', 'disposition:v': 'attached_pic' },
    },
  },
];
