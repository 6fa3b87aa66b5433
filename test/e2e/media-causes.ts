import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../scripts/setup/command.ts';
import type { ConversionRequest } from '../../src/domain/conversion.ts';
import { pgsFile } from '../support/pgs.ts';
import { tools } from '../support/tools.ts';
import { CUT_OFF_CAUSES } from './media-causes/cut-off-causes.ts';
import { JOIN_CAUSES } from './media-causes/join-causes.ts';
import { graph, H264, type MediaCause } from './media-causes/media-cause.ts';
import { REQUEST_CAUSES } from './media-causes/request-causes.ts';
import { SELECTION_CAUSES } from './media-causes/selection-causes.ts';
import { SUBTITLE_CAUSES } from './media-causes/subtitle-causes.ts';

/** Writes the inputs of the cases. */
export async function mediaOfCauses(root: string): Promise<void> {
  const make = async (name: string, ...args: readonly string[]): Promise<void> => {
    const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', '-y', ...args, join(root, name)]);
    if (!ok) throw new Error(text);
  };
  const film = (options: string) => ['-f', 'lavfi', '-i', `testsrc2=${options}`];
  const sound = (options: string) => ['-f', 'lavfi', '-i', `sine=${options}:sample_rate=48000`];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await make('talk.mp4', ...film('size=320x180:rate=25:duration=4'), ...sound('duration=4'), '-ac', '2', ...codecs);
  await make('silent.mp4', ...film('size=320x180:rate=25:duration=3'), ...codecs);
  await make('tall.mp4', ...film('size=320x240:rate=24000/1001:duration=4'), ...codecs);
  await make('upright.mp4', ...film('size=320x180:rate=25:duration=2'), ...codecs);
  await make('phone.mov', '-display_rotation', '90', '-i', join(root, 'upright.mp4'), '-c', 'copy').catch(() =>
    // Releases before 6 have no such option; their muxer takes the tag "rotate".
    make('phone.mov', '-i', join(root, 'upright.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=90'),
  );
  await make('short.wav', ...sound('duration=1.4'));
  await make('music.ogg', ...sound('duration=4'), '-c:a', 'libvorbis');
  await make('side.mkv', ...sound('duration=2'), '-af', 'aformat=channel_layouts=5.1(side)', '-c:a', 'ac3');
  await make('german.mka', ...sound('duration=1'), '-metadata:s:a', 'language=ger', '-c:a', 'aac');
  await make('photo.jpg', ...film('size=320x240'), '-frames:v', '1');
  await make('clip.avi', ...film('size=320x240:rate=25:duration=2'), '-c:v', 'mpeg4', '-bf', '2');
  const subtitles =
    '1\n00:00:00,000 --> 00:00:01,000\nGr\u00fc\u00dfe\n\n2\n00:00:01,000 --> 00:00:02,000\nSch\u00f6n\n';
  await writeFile(join(root, 'german.srt'), Buffer.from(subtitles, 'latin1'));
  await writeFile(join(root, 'english.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
  await make('subs.mkv', '-i', join(root, 'talk.mp4'), '-i', join(root, 'english.srt'), '-c', 'copy', '-c:s', 'srt');
  // "ş" and "ı" in WINDOWS-1254.
  const turkish = '1\n00:00:00,000 --> 00:00:01,000\nBa\u00fe \u00fd\u00fe\u00fdk\n';
  await writeFile(join(root, 'words.srt'), Buffer.from(turkish, 'latin1'));
  await writeFile(join(root, 'chapters.txt'), 'CHAPTER01=00:00:00.000\nCHAPTER01NAME=Intro\n');
  const chapter = '[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=4000\ntitle=Intro\n';
  await writeFile(join(root, 'chapters.ffmeta'), `;FFMETADATA1\n${chapter}`);
  await make('floats.raw', ...sound('duration=2'), '-ar', '16000', '-f', 'f32le');
  const odd = ['-vf', 'format=yuv444p,scale=161:121', '-c:v', 'ffv1'];
  await make('odd.mkv', ...film('size=160x120:rate=25:duration=1'), ...odd);
  await writeFile(join(root, 'download.mp4'), '<!DOCTYPE html>\n<html><body>403 Forbidden</body></html>\n');
  await writeFile(join(root, 'archive.mp4'), Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(400, 9)]));
  await make('voice.pcm', ...sound('duration=1'), '-ar', '16000', '-f', 's16le');
  await make(
    'other.mp4',
    ...film('size=640x360:rate=30000/1001:duration=2'),
    ...sound('duration=2'),
    ...codecs,
    '-pix_fmt',
    'yuv422p',
  );
  await writeFile(
    join(root, 'disc.sup'),
    pgsFile(
      [
        [0.5, 1.5],
        [2, 3],
      ],
      { width: 320, height: 180 },
    ),
  );
  const both = ['-map', '0', '-map', '1', '-c', 'copy'];
  await make('disc.mkv', '-i', join(root, 'talk.mp4'), '-i', join(root, 'disc.sup'), ...both);
  await make('whole.mp4', '-i', join(root, 'talk.mp4'), '-c', 'copy', '-movflags', '+faststart');
  const whole = await readFile(join(root, 'whole.mp4'));
  await writeFile(join(root, 'cut.mp4'), whole.subarray(0, whole.length / 2));
  await mkdir(join(root, 'photos'), { recursive: true });
  await make('photos/p%02d.png', ...film('size=64x48:rate=10:duration=1'));
  await make('photos/q%02d.png', ...film('size=64x48:rate=10:duration=1'));
  const { ok } = await command('rm', [join(root, 'photos', 'q05.png')]);
  if (!ok) throw new Error('q05.png was not written.');
}

/** Without it, a transition has a pixel format that few players show. */
const PLAYABLE = { pix_fmt: 'yuv420p' } as const;

export const MEDIA_CAUSES: readonly MediaCause[] = [
  ...JOIN_CAUSES,
  ...SUBTITLE_CAUSES,
  ...CUT_OFF_CAUSES,
  ...REQUEST_CAUSES,
  ...SELECTION_CAUSES,
  {
    title: 'a mix with a silent film',
    request: {
      inputs: ['silent.mp4', 'music.ogg'],
      output: 'mix.mp4',
      parameters: { ...graph('[0:a][1:a]amix=inputs=2:duration=shortest[a]', ['0:v', '[a]']), 'c:v': 'copy' },
    },
    message: 'The filtergraph uses [0:a], but "silent.mp4" has no audio, only video.',
    fix: 'Leave "filter_complex" out, and send "map": ["0:v","1:a"].',
    followed: { parameters: { map: ['0:v', '1:a'], 'c:v': 'copy' } },
    seconds: 4,
  },
  {
    title: 'parts of which one is silent',
    request: {
      inputs: ['talk.mp4', 'silent.mp4'],
      output: 'joined.mp4',
      parameters: graph('[0:v][0:a][1:v][1:a]concat=n=2:v=1:a=1[v][a]', ['[v]', '[a]']),
    },
    message: 'The filtergraph uses [1:a], but "silent.mp4" has no audio, only video.',
    fix: 'For silence instead: send "filter_complex": "anullsrc=channel_layout=stereo:sample_rate=48000,atrim=end=3[silence1];[0:v][0:a][1:v][silence1]concat=n=2:v=1:a=1[v][a]".',
    followed: {
      parameters: graph(
        'anullsrc=channel_layout=stereo:sample_rate=48000,atrim=end=3[silence1];[0:v][0:a][1:v][silence1]concat=n=2:v=1:a=1[v][a]',
        ['[v]', '[a]'],
      ),
    },
    seconds: 7,
  },
  {
    title: 'the second of one sound',
    request: { input: 'talk.mp4', output: 'second.m4a', parameters: { map: '0:a:1' } },
    message: 'The map "0:a:1" selects nothing: "talk.mp4" has 1 audio stream, and they count from 0.',
    fix: 'Send "map" with "0:a:0" instead of "0:a:1".',
    followed: { parameters: { map: '0:a:0' } },
    seconds: 4,
  },
  {
    title: 'the sound of a silent film',
    request: { input: 'silent.mp4', output: 'both.mkv', parameters: { ...H264, map: ['0:v', '0:a'] } },
    message: 'The map "0:a" selects nothing: "silent.mp4" has no audio, only video.',
    fix: 'Leave "0:a" out of "map". If only some files lack it, send "0:a?".',
    followed: { parameters: { ...H264, map: ['0:v', '0:a?'] } },
    seconds: 3,
  },
  {
    title: 'pictures side by side of two heights and two frame rates',
    request: {
      inputs: ['talk.mp4', 'tall.mp4'],
      output: 'side.mp4',
      parameters: graph('[0:v][1:v]hstack=inputs=2[v]', '[v]'),
    },
    message:
      'Pictures side by side need the same height: input 1 of hstack has 240, and input 0 has 180. Their frame rates differ too: 23.976024 and 25 per second.',
    fix: 'Send "filter_complex": "[1:v]fps=25,scale=-2:180[scaled1];[0:v][scaled1]hstack=inputs=2[v]".',
    followed: { parameters: graph('[1:v]fps=25,scale=-2:180[scaled1];[0:v][scaled1]hstack=inputs=2[v]', '[v]') },
    size: '560x180',
  },
  {
    title: 'a crop that is too wide for a rotated film',
    request: { input: 'phone.mov', output: 'crop.mp4', parameters: { ...H264, vf: 'crop=300:100:10:20' } },
    message:
      'The filter crop cannot cut 300x100 out of the picture, which is 180x320 ("phone.mov" holds 320x180 and asks players to rotate it).',
    fix: 'Send "vf": "crop=100:300:20:10".',
    followed: { parameters: { ...H264, vf: 'crop=100:300:20:10' } },
    size: '100x300',
  },
  {
    title: 'a pad that is smaller than the picture',
    request: { input: 'tall.mp4', output: 'pad.mp4', parameters: { ...H264, vf: 'pad=160:90:(ow-iw)/2:(oh-ih)/2' } },
    message: 'The filter pad cannot make the picture smaller: it is 320x240, and the padded size is 160x90.',
    fix: 'Send "vf": "scale=160:90:force_original_aspect_ratio=decrease,pad=160:90:(ow-iw)/2:(oh-ih)/2".',
    followed: {
      parameters: { ...H264, vf: 'scale=160:90:force_original_aspect_ratio=decrease,pad=160:90:(ow-iw)/2:(oh-ih)/2' },
    },
    size: '160x90',
  },
  {
    title: 'a start after the end',
    request: { input: 'talk.mp4', output: 'late.mp4', parameters: { ...H264, ss: '60', t: '2' } },
    message: 'Nothing was written: "ss" starts at 60 s, but "talk.mp4" ends at 4 s.',
    fix: 'Send an "ss" before the end, such as "ss": "2", or leave it out.',
    followed: { parameters: { ...H264, ss: '2', t: '2' } },
    seconds: 2,
  },
  {
    title: 'a trim after the end',
    request: {
      input: 'talk.mp4',
      output: 'trim.mp4',
      parameters: { ...H264, an: '', vf: 'trim=start=30,setpts=PTS-STARTPTS' },
    },
    message: 'Nothing was written: the filter trim starts at 30 s, but "talk.mp4" has only 4 s.',
    fix: 'Send "vf": "trim=start=2,setpts=expr=PTS-STARTPTS".',
    followed: { parameters: { ...H264, an: '', vf: 'trim=start=2,setpts=expr=PTS-STARTPTS' } },
    seconds: 2,
  },
  {
    title: 'a crossfade that is longer than a sound',
    request: {
      inputs: ['short.wav', 'music.ogg'],
      output: 'cross.wav',
      parameters: { filter_complex: '[0:a][1:a]acrossfade=d=3[a]', map: '[a]' },
    },
    message: 'Nothing was written: the crossfade takes 3 s, but "short.wav" has only 1.4 s.',
    fix: 'Send "filter_complex": "[0:a][1:a]acrossfade=d=0.9[a]".',
    followed: { parameters: { filter_complex: '[0:a][1:a]acrossfade=d=0.9[a]', map: '[a]' } },
    seconds: 4.5,
  },
  {
    title: 'a photo as a palette',
    request: {
      inputs: ['tall.mp4', 'photo.jpg'],
      output: 'photo.gif',
      parameters: { filter_complex: '[0:v]fps=5[x];[x][1:v]paletteuse', t: '1' },
    },
    message:
      'The second input of the filter paletteuse must be a palette of 256 pixels (16x16), and "photo.jpg" has 320x240.',
    fix: 'Make the palette from the film. Send "filter_complex": "[0:v]fps=fps=5[x];[x]split[pal_a][pal_b];[pal_a]palettegen[pal];[pal_b][pal]paletteuse".',
    followed: {
      parameters: {
        filter_complex: '[0:v]fps=fps=5[x];[x]split[pal_a][pal_b];[pal_a]palettegen[pal];[pal_b][pal]paletteuse',
        t: '1',
      },
    },
    size: '320x240',
  },
  {
    title: 'the fourth of one subtitle stream',
    request: { input: 'subs.mkv', output: 'burned.mp4', parameters: { ...H264, vf: 'subtitles=subs.mkv:si=3' } },
    message: '"subs.mkv" has 1 subtitle stream for "si=3": "si" counts subtitle streams only, from 0.',
    fix: 'Send "si=0".',
    followed: { parameters: { ...H264, vf: 'subtitles=subs.mkv:si=0' } },
  },
  {
    title: 'subtitles that are not UTF-8',
    request: {
      inputs: ['silent.mp4', 'german.srt'],
      output: 'german.mp4',
      parameters: { map: ['0', '1'], c: 'copy', 'c:s': 'mov_text' },
    },
    message: 'The subtitles in "german.srt" are not UTF-8.',
    fix: 'Name their encoding with the input, such as "inputs": ["silent.mp4", {"input":"german.srt","parameters":{"sub_charenc":"WINDOWS-1252"}}], or save the file as UTF-8.',
    followed: { inputs: ['silent.mp4', { input: 'german.srt', parameters: { sub_charenc: 'WINDOWS-1252' } }] },
  },
  {
    title: 'a film without times for its frames in a transport stream',
    request: { input: 'clip.avi', output: 'clip.ts', parameters: { c: 'copy', 'bsf:v': 'h264_mp4toannexb' } },
    message: 'The bitstream filter h264_mp4toannexb does not accept the codec mpeg4 of "clip.avi", only h264.',
    fix: 'Leave the bitstream filter out, and send "fflags": "+genpts" with the input: "inputs": [{"input":"clip.avi","parameters":{"fflags":"+genpts"}}].',
    followed: {
      input: undefined,
      inputs: [{ input: 'clip.avi', parameters: { fflags: '+genpts' } }],
      parameters: { c: 'copy' },
    },
    seconds: 2,
  },
  {
    title: 'tone mapping of a film that does not name its colours',
    request: {
      input: 'clip.avi',
      output: 'tone.mp4',
      parameters: {
        ...H264,
        vf: 'zscale=t=linear:npl=100,format=gbrpf32le,tonemap=hable,zscale=t=bt709,format=yuv420p',
      },
    },
    message: /^The filter zscale must know the colours of "clip\.avi", .* Tone mapping is for HDR/,
    fix: /^Leave the tone mapping out, or name the colours first\. Send "vf": "setparams=color_primaries=bt709:/,
    followed: { parameters: { ...H264, vf: 'format=yuv420p' } },
    seconds: 2,
  },
  {
    title: 'an error page',
    request: { input: 'download.mp4', output: 'page.mp4', parameters: H264 },
    message: 'The input "download.mp4" is not a media file: it is an HTML page.',
    fix: /Download the file again/,
    followed: { input: 'talk.mp4' },
  },
  {
    title: 'an archive',
    request: { input: 'archive.mp4', output: 'archive-out.mp4', parameters: H264 },
    message: /is not a media file: it is a ZIP archive/,
    fix: /^Extract it/,
    followed: { input: 'talk.mp4' },
  },
  {
    title: 'raw sound',
    request: { input: 'voice.pcm', output: 'voice.mp3' },
    message:
      'The input "voice.pcm" is raw sound without a header, so nothing in it tells its format, sample rate and channels.',
    fix: 'Send them with the input: {"input":"voice.pcm","parameters":{"f":"s16le","ar":"16000","ac":"1"}}, with the values of this file.',
    followed: { input: undefined, inputs: [{ input: 'voice.pcm', parameters: { f: 's16le', ar: '16000', ac: '1' } }] },
    seconds: 1,
  },
  {
    title: 'the number of a film in a format for sound',
    request: { input: 'talk.mp4', output: 'film.mp3', parameters: { map: '0:0', 'c:a': 'libmp3lame' } },
    message: 'The format mp3 holds sound, and the map "0:0" selects the video of "talk.mp4"; its audio is 0:1.',
    fix: 'Send "map": "0:a".',
    followed: { parameters: { map: '0:a', 'c:a': 'libmp3lame' } },
    seconds: 4,
  },
  {
    title: 'the number of a film beside a sound in a format for sound',
    request: {
      inputs: ['talk.mp4', 'talk.mp4'],
      output: 'two.opus',
      parameters: { map: ['1:a', '0:0'], 'c:a': 'libopus' },
    },
    message: /the map "0:0" selects the video/,
    fix: 'Send "map": ["1:a","0:a"].',
    followed: { parameters: { map: ['1:a'], 'c:a': 'libopus' } },
    seconds: 4,
  },
  {
    title: 'a fade in after the end',
    request: { input: 'talk.mp4', output: 'black.mp4', parameters: { ...H264, vf: 'fade=t=in:st=10:d=2' } },
    warning: 'EMPTY_STREAM',
    message: 'The filter fade makes the whole picture black: it starts at 10 s, but "talk.mp4" has only 4 s.',
    fix: 'Send "vf": "fade=t=in:d=2:st=0".',
    followed: { parameters: { ...H264, vf: 'fade=t=in:d=2:st=0' } },
    seconds: 4,
  },
  {
    title: 'a fade in of sound after the end',
    request: { input: 'talk.mp4', output: 'mute.m4a', parameters: { vn: '', af: 'afade=st=10:d=2' } },
    warning: 'EMPTY_STREAM',
    message: 'The filter afade makes the whole sound silent: it starts at 10 s, but "talk.mp4" has only 4 s.',
    fix: 'Send "af": "afade=d=2:st=0".',
    followed: { parameters: { vn: '', af: 'afade=d=2:st=0' } },
    seconds: 4,
  },
  {
    title: 'a fade after the end beside quoted text',
    request: {
      input: 'talk.mp4',
      output: 'quoted.mp4',
      parameters: { ...H264, vf: 'drawbox=enable=lt(t\\,1),fade=t=out:st=25:d=2:enable=gt(t\\,0)' },
    },
    warning: 'NO_EFFECT',
    message: /^The filter fade had no effect/,
    fix: String.raw`Send "vf": "drawbox=enable=lt(t\\,1),fade=t=out:d=2:enable=gt(t\\,0):st=2".`,
    followed: {
      parameters: { ...H264, vf: String.raw`drawbox=enable=lt(t\,1),fade=t=out:d=2:enable=gt(t\,0):st=2` },
    },
    seconds: 4,
  },
  {
    title: 'a copy that starts after the last key frame',
    request: { input: 'talk.mp4', output: 'copied.mp4', parameters: { ss: '1', c: 'copy' } },
    warning: 'EMPTY_STREAM',
    message: /^The output has a video stream without a frame: a copy can start only at a key frame/,
    fix: /^Send "c:v": "libx264"/,
    followed: { parameters: { ss: '1', c: 'copy', 'c:v': 'libx264' } },
    seconds: 3,
  },
  {
    title: 'a picture that is twice as fast as its sound',
    request: { input: 'talk.mp4', output: 'fast.mp4', parameters: { ...H264, vf: 'setpts=0.5*PTS' } },
    warning: 'UNEQUAL_LENGTHS',
    message: '"vf" makes only the picture 2 times as fast, so the sound does not fit it.',
    fix: 'Send "af": "atempo=2" as well, or "an": "" for a silent film.',
    followed: { parameters: { ...H264, vf: 'setpts=0.5*PTS', af: 'atempo=2' } },
    seconds: 2,
  },
  ...(
    [
      ['amix', '[0:a][1:a]amix=inputs=3:duration=first[o]', '[0:a][1:a]amix=duration=first:inputs=2[o]', 3, 2],
      ['hstack', '[0:v][1:v]hstack=inputs=3[o]', '[0:v][1:v]hstack=inputs=2[o]', 3, 2],
      ['concat', '[0:v][1:v]concat=n=3:v=1[o]', '[0:v][1:v]concat=v=1:n=2[o]', 3, 2],
    ] as const
  ).map(
    ([name, filter_complex, right, sent, labels]): MediaCause => ({
      title: `${name} with a label too few`,
      request: {
        inputs: ['talk.mp4', 'talk.mp4'],
        output: `counted-${name}.mkv`,
        parameters: { filter_complex, map: '[o]' },
      },
      message: new RegExp(`^The filter ${name} waits for ${sent} inputs .* only ${labels} labels come before it`),
      fix: `Send "filter_complex": "${right}".`,
      followed: { parameters: { filter_complex: right, map: '[o]' } },
    }),
  ),
  {
    title: 'the sound of a film as a picture',
    request: { input: 'talk.mp4', output: 'sound.jpg', parameters: { map: '0:1', 'frames:v': '1' } },
    message: 'The output is a picture, and the map "0:1" selects the audio of "talk.mp4".',
    fix: 'Send "map": "0:v".',
    followed: { parameters: { map: '0:v', 'frames:v': '1' } },
  },
  {
    title: 'adaptation sets for a film without sound',
    request: {
      input: 'silent.mp4',
      output: 'dash/manifest.mpd',
      parameters: { ...H264, adaptation_sets: 'id=0,streams=0 id=1,streams=1' },
    },
    message: '"adaptation_sets" names the stream 1, and the output has only video.',
    fix: 'Send "adaptation_sets": "id=0,streams=v".',
    followed: { parameters: { ...H264, adaptation_sets: 'id=0,streams=v' } },
  },
  {
    title: 'the other code of a language',
    request: { input: 'german.mka', output: 'german.m4a', parameters: { map: '0:a:m:language:deu' } },
    message: 'The map "0:a:m:language:deu" selects nothing: "german.mka" names this language "ger".',
    fix: 'Send "map" with "0:a:m:language:ger" instead of "0:a:m:language:deu".',
    followed: { parameters: { map: '0:a:m:language:ger' } },
  },
  {
    title: 'filters and a codec for the film of a song',
    request: { input: 'music.ogg', output: 'song.mp4', parameters: { 'c:v': 'libx264', vf: 'scale=320:180' } },
    warning: 'NO_EFFECT',
    message: '"vf" and "c:v" had no effect: "music.ogg" has no video, so the output has none.',
    fix: /^Leave "vf" and "c:v" out for sound alone, or send a picture/,
    followed: {
      input: undefined,
      inputs: ['music.ogg', { input: 'photo.jpg', parameters: { loop: '1' } }],
      parameters: { ...H264, vf: 'scale=320:180', pix_fmt: 'yuv420p', shortest: '' },
    },
    size: '320x180',
  },
  {
    title: 'a transition after the end',
    request: {
      inputs: ['talk.mp4', 'silent.mp4'],
      output: 'xfade.mp4',
      parameters: { ...graph('[0:v][1:v]xfade=transition=fade:duration=1:offset=10[v]', '[v]'), ...PLAYABLE },
    },
    warning: 'NO_EFFECT',
    message:
      /^The transition never takes place, and the second film is missing: xfade starts it at 10 s, but "talk\.mp4" has only 4 s\./,
    fix: 'Send "filter_complex": "[0:v][1:v]xfade=transition=fade:duration=1:offset=2.96[v]".',
    followed: { parameters: graph('[0:v][1:v]xfade=transition=fade:duration=1:offset=2.96[v]', '[v]') },
    seconds: 6,
  },
  {
    title: 'a fade after the end',
    request: {
      input: 'talk.mp4',
      output: 'fade.mp4',
      parameters: { ...H264, vf: 'fade=t=in:d=1,fade=t=out:st=25:d=2' },
    },
    warning: 'NO_EFFECT',
    message: 'The filter fade had no effect: it starts at 25 s, but "talk.mp4" has only 4 s.',
    fix: 'Send "vf": "fade=t=in:d=1,fade=t=out:d=2:st=2".',
    followed: { parameters: { ...H264, vf: 'fade=t=in:d=1,fade=t=out:d=2:st=2' } },
    seconds: 4,
  },
  {
    title: 'a fade of sound after the end that "t" sets',
    request: { input: 'talk.mp4', output: 'afade.m4a', parameters: { vn: '', t: '2', af: 'afade=t=out:st=3:d=1' } },
    warning: 'NO_EFFECT',
    message: 'The filter afade had no effect: it starts at 3 s, but the output ends at 2 s.',
    fix: 'Send "af": "afade=t=out:d=1:st=1".',
    followed: { parameters: { vn: '', t: '2', af: 'afade=t=out:d=1:st=1' } },
    seconds: 2,
  },
  {
    title: 'text that appears after the end',
    request: {
      input: 'silent.mp4',
      output: 'text.mp4',
      parameters: { ...H264, vf: "drawbox=x=10:y=10:w=20:h=20:enable='between(t,20,25)'" },
    },
    warning: 'NO_EFFECT',
    message: 'The filter drawbox had no effect: "enable" starts it at 20 s, but "silent.mp4" has only 3 s.',
    fix: 'Send an "enable" that starts before 3 s, or leave it out.',
    followed: { parameters: { ...H264, vf: "drawbox=x=10:y=10:w=20:h=20:enable='between(t,1,2)'" } },
  },
  {
    title: 'a picture outside of the film',
    request: {
      inputs: ['silent.mp4', 'photo.jpg'],
      output: 'outside.mp4',
      parameters: graph('[1:v]scale=40:-1[l];[0:v][l]overlay=1000:10[v]', '[v]'),
    },
    warning: 'NO_EFFECT',
    message: 'The filter overlay draws at 1000,10, outside of the picture, which is 320x180.',
    fix: 'Send an "x" below 320 and a "y" below 180.',
    followed: { parameters: graph('[1:v]scale=40:-1[l];[0:v][l]overlay=270:10[v]', '[v]') },
  },
  {
    title: 'a channel that stereo does not have',
    request: { input: 'talk.mp4', output: 'centre.wav', parameters: { vn: '', af: 'pan=mono|c0=FC' } },
    warning: 'NO_EFFECT',
    message: 'The filter pan reads FC, which the sound does not have, so that part is silent: it is stereo (FL, FR).',
    fix: 'Send "pan=mono|c0=0.5*FL+0.5*FR", or "ac": "1" without the filter.',
    followed: { parameters: { vn: '', af: 'pan=mono|c0=0.5*FL+0.5*FR' } },
  },
  {
    title: 'a sequence with a gap',
    request: {
      inputs: [{ input: 'photos/q%02d.png', parameters: { framerate: '5' } }],
      output: 'gap.mp4',
      parameters: { ...H264, pix_fmt: 'yuv420p' },
    },
    warning: 'SEQUENCE_GAP',
    message:
      'The sequence "photos/q%02d.png" ended after 4 pictures, because "q05.png" is missing: 5 later pictures were not read.',
    fix: 'Send the missing picture, or all that exist by a wildcard: "inputs": [{"input":"photos/q[0-9]*.png","parameters":{"pattern_type":"glob"}}], with the other parameters of the input.',
    followed: { inputs: [{ input: 'photos/q[0-9]*.png', parameters: { pattern_type: 'glob', framerate: '5' } }] },
    seconds: 1.8,
  },
];

/** Requests that look like one of the above and do what they ask for. */
export const RIGHT_REQUESTS: readonly ConversionRequest[] = [
  { input: 'talk.mp4', output: 'fades.mp4', parameters: { ...H264, vf: 'fade=t=in:d=1,fade=t=out:st=3:d=1' } },
  {
    inputs: ['talk.mp4', 'silent.mp4'],
    output: 'right-xfade.mp4',
    parameters: { ...graph('[0:v][1:v]xfade=duration=1:offset=2[v]', '[v]'), ...PLAYABLE },
  },
  {
    inputs: [{ input: 'silent.mp4', parameters: { stream_loop: '3' } }],
    output: 'looped.mp4',
    parameters: { ...H264, t: '10', vf: 'fade=t=out:st=9:d=1' },
  },
  { input: 'talk.mp4', output: 'slow.mp4', parameters: { ...H264, an: '', vf: 'setpts=2*PTS,fade=t=out:st=7:d=1' } },
  { input: 'side.mkv', output: 'centre-of-six.wav', parameters: { af: 'pan=mono|c0=FC' } },
  { input: 'silent.mp4', output: 'copied.mp4', parameters: { 'c:v': 'copy', 'c:a': 'copy' } },
  {
    inputs: [{ input: 'photos/p%02d.png', parameters: { framerate: '5' } }],
    output: 'whole.mp4',
    parameters: { ...H264, pix_fmt: 'yuv420p' },
  },
  {
    inputs: ['silent.mp4', 'photo.jpg'],
    output: 'slide.mp4',
    parameters: graph("[1:v]scale=40:-1[l];[0:v][l]overlay=x='min(1000-400*t,w)':y=10[v]", '[v]'),
  },
];
