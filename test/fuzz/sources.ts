import { mkdir, readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { samplePath } from '../../scripts/lib/samples.ts';
import { command } from '../../scripts/setup/command.ts';
import { dsfFile } from '../support/dsf.ts';

/** A valid file that mutants are generated from. */
export interface Source {
  readonly name: string;
  readonly extension: string;
  readonly bytes: Buffer;
}

/** Makes ffmpeg write the same bytes each time, so that a seed gives the same mutants. */
const REPEATABLE = ['-bitexact', '-threads', '1'];
const X264 = ['-c:v', 'libx264', '-preset', 'ultrafast'];
const QUIET = ['-an', '-sn'];

/** ffmpeg options by file name. The files are small, so that mutants convert quickly. */
const FROM_VIDEO: Readonly<Record<string, readonly string[]>> = {
  'h264-aac.mp4': [...X264, '-c:a', 'aac'],
  'fragmented.mp4': [...X264, '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov'],
  'index-first.mp4': [...X264, '-c:a', 'aac', '-movflags', 'faststart'],
  'mpeg4.mov': ['-c:v', 'mpeg4', '-c:a', 'pcm_s16le'],
  'h264-aac.mkv': [...X264, '-c:a', 'aac'],
  'mpeg2-ac3.mkv': ['-c:v', 'mpeg2video', '-c:a', 'ac3'],
  'ffv1-flac.mkv': ['-c:v', 'ffv1', '-c:a', 'flac', '-t', '0.3'],
  'vp8-vorbis.webm': ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libvorbis'],
  'vp9-opus.webm': ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
  'mpeg4-mp3.avi': ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
  'mjpeg-pcm.avi': ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le', '-t', '0.5'],
  'h264-aac.ts': [...X264, '-c:a', 'aac'],
  'mpeg2-mp2.mpg': ['-c:v', 'mpeg2video', '-c:a', 'mp2'],
  'flv1-mp3.flv': ['-c:v', 'flv1', '-c:a', 'libmp3lame', '-ar', '44100'],
  'wmv2.asf': ['-c:v', 'wmv2', '-c:a', 'wmav2'],
  'theora-vorbis.ogv': ['-c:v', 'libtheora', '-c:a', 'libvorbis'],
  'hevc.mp4': ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', ...QUIET],
  'prores.mov': ['-c:v', 'prores_ks', '-t', '0.2', ...QUIET],
  'mjpeg.mxf': ['-c:v', 'mpeg2video', ...QUIET],
  'raw.y4m': ['-t', '0.2', '-s', '64x36', '-pix_fmt', 'yuv420p', ...QUIET],
  'h264.h264': [...X264, ...QUIET],
  'anim.gif': ['-r', '5', ...QUIET],
  'anim.apng': ['-t', '0.3', '-plays', '0', ...QUIET],
  'anim.webp': ['-t', '0.4', '-loop', '0', ...QUIET],
  'still.png': ['-frames:v', '1', ...QUIET],
  'still.jpg': ['-frames:v', '1', ...QUIET],
  'still.webp': ['-frames:v', '1', ...QUIET],
  'still.bmp': ['-frames:v', '1', '-s', '64x36', ...QUIET],
  'still.tiff': ['-frames:v', '1', ...QUIET],
  'still.fits': ['-frames:v', '1', '-s', '64x36', '-pix_fmt', 'gray', ...QUIET],
  'cinepak.cpk': ['-c:v', 'cinepak', '-s', '64x36', '-t', '0.3', ...QUIET],
  'vc2.drc': ['-c:v', 'vc2', '-s', '64x36', '-t', '0.04', '-pix_fmt', 'yuv420p', ...QUIET],
};

const FROM_AUDIO: Readonly<Record<string, readonly string[]>> = {
  'mp3.mp3': ['-c:a', 'libmp3lame'],
  'flac.flac': ['-c:a', 'flac', '-ar', '16000'],
  'vorbis.ogg': ['-c:a', 'libvorbis'],
  'opus.opus': ['-c:a', 'libopus'],
  'pcm.wav': ['-c:a', 'pcm_s16le', '-ar', '8000'],
  'adpcm.wav': ['-c:a', 'adpcm_ima_wav'],
  'aac.m4a': ['-c:a', 'aac'],
  'aac.aac': ['-c:a', 'aac'],
  'alac.caf': ['-c:a', 'alac'],
  'pcm.aiff': ['-c:a', 'pcm_s16be', '-ar', '8000'],
  'wavpack.wv': ['-c:a', 'wavpack'],
  'tta.tta': ['-c:a', 'tta'],
  'ac3.ac3': ['-c:a', 'ac3'],
  'adpcm.adx': ['-c:a', 'adpcm_adx'],
  'pcm.sox': ['-c:a', 'pcm_s32le', '-ar', '8000'],
  'pcm.sf': ['-c:a', 'pcm_s16le', '-ar', '8000', '-f', 'ircam'],
  'pcm.rso': ['-c:a', 'pcm_u8', '-ac', '1', '-ar', '8000'],
  'adpcm.aud': ['-c:a', 'adpcm_ima_ws', '-f', 'wsaud', '-ar', '22050'],
  'yamaha.mmf': ['-c:a', 'adpcm_yamaha', '-ac', '1', '-ar', '8000'],
};

const SRT = '1\n00:00:00,000 --> 00:00:01,000\n<i>One</i> {\\an8}two\n\n2\n00:00:01,000 --> 00:00:02,000\nThree\n';

const TEXTS: Readonly<Record<string, string>> = {
  'sub.srt': SRT,
  'sub.vtt': `WEBVTT\n\n${SRT.replaceAll(',', '.')}`,
  'sub.ass': `[Script Info]\nScriptType: v4.00+\nPlayResX: 384\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,Arial,16\n\n[Events]\nFormat: Layer, Start, End, Style, Text\nDialogue: 0,0:00:00.00,0:00:01.00,Default,{\\b1}One\n`,
  'sub.sub': '{0}{25}One\n{26}{50}Two\n',
  'sub.smi': '<SAMI><BODY><SYNC Start=0><P>One<SYNC Start=1000><P>Two</BODY></SAMI>\n',
  'sub.lrc': '[00:00.00]One\n[00:01.00]Two\n',
  'tags.ffmeta': ';FFMETADATA1\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=Two\n',
};

/** Generates the sources in an empty folder. Skips those that this ffmpeg has no encoder for. Throws below thirty. */
export async function generateSources(folder: string, ffmpegPath: string): Promise<readonly Source[]> {
  await mkdir(folder, { recursive: true });
  const clip = join(folder, '.clip.mkv');
  const cut = ['-t', '0.8', '-i', samplePath('480p'), '-s', '160x90', '-c:v', 'ffv1', '-ac', '2', '-c:a', 'flac'];
  const run = (args: readonly string[]) => command(ffmpegPath, ['-v', 'error', '-nostdin', '-y', ...args]);
  const { ok, text } = await run([...cut, ...REPEATABLE, clip]);
  if (!ok) throw new Error(`ffmpeg could not cut a clip: ${text}`);
  const every = async (input: readonly string[], all: Readonly<Record<string, readonly string[]>>): Promise<void> => {
    const outputs = Object.entries(all).map(([name, args]) => [...args, ...REPEATABLE, join(folder, name)]);
    // One ffmpeg writes all files. If it lacks an encoder, it writes none of them: then run one ffmpeg for each file.
    if ((await run([...input, ...outputs.flat()])).ok) return;
    for (const output of outputs) await run([...input, ...output]);
  };
  await Promise.all([every(['-i', clip], FROM_VIDEO), every(['-t', '1', '-i', samplePath('wav')], FROM_AUDIO)]);
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  const files = await Promise.all(
    names.map(async (name) => ({ name, extension: extname(name).slice(1), bytes: await readFile(join(folder, name)) })),
  );
  const generated = files.filter(({ bytes }) => bytes.length > 0);
  if (generated.length < 30) throw new Error(`ffmpeg generated only ${generated.length} sources`);
  const texts = Object.entries(TEXTS).map(([name, words]) => ({
    name,
    extension: extname(name).slice(1),
    bytes: Buffer.from(words),
  }));
  return [...generated, ...texts, { name: 'silence.dsf', extension: 'dsf', bytes: dsfFile() }];
}
